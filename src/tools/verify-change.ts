/** The verify_change tool: what it promises, takes and shows. It decides nothing; the use-case does. */
import { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import type { VerifyRequest } from '../model/proposal.ts';
import type { Result } from '../model/result.ts';
import type { VerifyReport } from '../model/verdict.ts';
import { refusalOf, type VerifyRefusal } from '../model/verify-refusal.ts';
import { defineTool, type Tool } from './define-tool.ts';
import { edits, fresh, repoRootToVerify, testCmd, unifiedDiff } from './fields.ts';
import { misfitTexts } from './misfit-text.ts';
import { verifyChangeOutput } from './verify-change-output.ts';

/** The use-case, bound to its host. */
export type VerifyChange = (request: VerifyRequest, context: CallContext) => Promise<Result<VerifyReport>>;

const description = [
  'Verify a proposed change in a disposable shadow tree, by syntax, imports and tests, with nothing written to the',
  'repository. Use when you hold new contents or a diff and want proof before it is written.',
  'Not for what is on disk already, nor for deletions, renames, mode changes or binary content.',
  'The suite runs with the change and without it, and every changed statement and branch must be run by a test that',
  'passes. The verdict is safe, unsafe or unproven; unproven means that nothing was shown to break and something is not',
  'shown to work, and says what would show it. Pass exactly one of edits and unifiedDiff. testCmd must run the whole',
  'suite. Tests run without a shell, with your rights. The id in the answer lets write_fix write exactly this.',
].join(' ');

/** Makes the tool for a bound use-case. */
export function verifyChangeTool(verifyChange: VerifyChange): Tool {
  return defineTool<VerifyInput, Answer>({
    name: 'verify_change',
    title: 'Verify a proposed change in a shadow tree',
    description,
    input,
    output: verifyChangeOutput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    reportOfFailure: refusalOf,
    textOf,
    linksOf: () => [],
    handle: ({ repoRoot, edits: list, unifiedDiff: diff, testCmd: command, fresh: anew }, context) =>
      verifyChange({ repoRoot, edits: list, unifiedDiff: diff, testCommand: command, fresh: anew }, context),
  });
}

const input = z.strictObject({ repoRoot: repoRootToVerify, edits, unifiedDiff, testCmd, fresh });
type VerifyInput = z.infer<typeof input>;
type Fields = VerifyReport & VerifyRefusal;
/** One flat object for what was judged and for what could not be. */
type Answer = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** The report as JSON, or the contract's sentence for what went wrong, and below it where a diff does not fit. */
function textOf(report: Answer): string {
  if (report.error === undefined) return JSON.stringify(report);
  return [`verify_change failed: ${report.error}`, ...misfitTexts(report)].join('\n');
}
