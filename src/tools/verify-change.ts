/** The verify_change tool: what it promises, takes and shows. It decides nothing; the use-case does. */
import { z } from 'zod';
import type { CallContext } from '../model/call-context.ts';
import type { VerifyRequest } from '../model/proposal.ts';
import type { Result } from '../model/result.ts';
import type { SavedReport, SavedRequest } from '../model/saved-verification.ts';
import type { VerifyReport } from '../model/verdict.ts';
import { refusalOf, type VerifyRefusal } from '../model/verify-refusal.ts';
import { defineTool, type Tool } from './define-tool.ts';
import { edits, fresh, repoRootToVerify, testCmd, unifiedDiff } from './fields.ts';
import { misfitTexts } from './misfit-text.ts';
import { verifyChangeOutput } from './verify-change-output.ts';
import { savedInput } from './verify-change-saved.ts';

/** The use-case, bound to its host. */
export type VerifyChange = (
  request: VerifyRequest & SavedRequest,
  context: CallContext,
) => Promise<Result<VerifyReport | SavedReport>>;

const description = [
  'Verify a change in a disposable shadow tree, by syntax, imports and tests, with nothing written to the repository.',
  'Use when you want proof of a change that is not written, or of one that another tool has saved.',
  'Not for proposals with deletions, renames, mode changes or binary content.',
  'Pass exactly one of edits and unifiedDiff, or paths with min_revision and epoch of a receipt for saved files.',
  'The suite runs with the change and without it, and every changed statement and branch must be run by a test that',
  'passes. Unproven means that nothing was shown to break and something is not shown to work. testCmd must run the whole',
  'suite. Tests run without a shell, with your rights. The id in the answer to a proposal lets write_fix write exactly this.',
].join(' ');

/** Makes the tool for a bound use-case. */
export function verifyChangeTool(verifyChange: VerifyChange): Tool {
  return defineTool<VerifyInput, Answer>({
    name: 'verify_change',
    title: 'Verify a proposed or a saved change in a shadow tree',
    description,
    input,
    output: verifyChangeOutput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    reportOfFailure: refusalOf,
    textOf,
    linksOf: () => [],
    handle: (given, context) => verifyChange(requestOf(given), context),
  });
}

const input = z.strictObject({ repoRoot: repoRootToVerify, edits, unifiedDiff, testCmd, fresh, ...savedInput });
type VerifyInput = z.infer<typeof input>;
type Fields = Omit<VerifyReport, 'baseline'> & Omit<SavedReport, keyof VerifyReport> & VerifyRefusal;
type Whole = NonNullable<SavedReport['baseline']>;
type AnyBaseline = { readonly [Name in keyof Whole]?: Whole[Name] | undefined };
/** One flat object for what was judged and for what could not be. */
type Answer = { readonly [Name in keyof Fields]?: Fields[Name] | undefined } & {
  readonly baseline?: AnyBaseline | null | undefined;
};

function requestOf({ testCmd: testCommand, min_revision: minRevision, wait_ms: waitMs, ...rest }: VerifyInput) {
  const { max_items: maxItems, ...other } = rest;
  return { ...other, testCommand, minRevision, waitMs, maxItems };
}

/** The report as JSON, or the contract's sentence for what went wrong, and below it where a diff does not fit. */
function textOf(report: Answer): string {
  if (report.error === undefined) return `${warning(report)}${JSON.stringify(report)}`;
  return [`verify_change failed: ${report.error}`, ...misfitTexts(report)].join('\n');
}

/** Whoever reads no further than the first line must not take an old result for a new one. */
function warning({ freshness, reason = '', reasonCode, next }: Answer): string {
  if (freshness?.satisfied !== false) return '';
  return `NOT VERIFIED [${reasonCode ?? ''}]: ${reason}\nNext: ${next ?? ''}\n`;
}
