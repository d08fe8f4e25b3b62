/** The tools, in the order in which they are listed; the order is part of what clients cache. */
import type { Tool } from './define-tool.ts';
import { verifyChangeTool, type VerifyChange } from './verify-change.ts';
import { writeFixTool, type WriteFix } from './write-fix.ts';

/** The use-cases behind the tools, each bound to its host. */
export interface ToolUsecases {
  readonly writeFix: WriteFix;
  readonly verifyChange: VerifyChange;
}

/** Makes every tool of the server. */
export function allTools(usecases: ToolUsecases): readonly Tool[] {
  return [writeFixTool(usecases.writeFix), verifyChangeTool(usecases.verifyChange)];
}
