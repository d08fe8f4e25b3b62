/** Writes the generated blocks of the README anew; what it returns differs from the page only where the page has drifted. */
import { allowlistTable } from './allowlist-table.ts';
import { replaceBlock } from './blocks.ts';
import { failureTable } from './failure-table.ts';
import { toolReference, type ListedTool } from './tool-reference.ts';

/** Returns the page with every generated block as it should be. */
export function withGeneratedBlocks(
  page: string,
  { tools, allowlists }: { readonly tools: readonly ListedTool[]; readonly allowlists: string },
): string {
  const blocks = { tools: toolReference(tools), failures: failureTable(), allowlists: allowlistTable(allowlists) };
  return Object.entries(blocks).reduce((text, [name, body]) => replaceBlock(text, name, body), page);
}
