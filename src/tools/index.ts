/** The tools, in the order in which they are listed; the order is part of what clients cache. */
import type { Tool } from './define-tool.ts';
import { gitCommitTool, type GitCommit } from './git-commit.ts';
import { recordChangedPathsTool, type RecordChangedPaths } from './record-changed-paths.ts';
import { repoOverviewTool, type RepoOverview } from './repo-overview.ts';
import { undoFixTool, type UndoFix } from './undo-fix.ts';
import { verifyChangeTool, type VerifyChange } from './verify-change.ts';
import { writeFixTool, type WriteFix } from './write-fix.ts';

/** The use-cases behind the tools, each bound to its host. */
export interface ToolUsecases {
  readonly writeFix: WriteFix;
  readonly verifyChange: VerifyChange;
  readonly undoFix: UndoFix;
  readonly gitCommit: GitCommit;
  readonly recordChangedPaths: RecordChangedPaths;
  readonly repoOverview: RepoOverview;
}

/** Makes every tool of the server. */
export function allTools(usecases: ToolUsecases): readonly Tool[] {
  return [
    writeFixTool(usecases.writeFix),
    verifyChangeTool(usecases.verifyChange),
    gitCommitTool(usecases.gitCommit),
    recordChangedPathsTool(usecases.recordChangedPaths),
    repoOverviewTool(usecases.repoOverview),
    undoFixTool(usecases.undoFix),
  ];
}
