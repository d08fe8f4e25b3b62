/** verify_change: which of its two forms a call has, of a proposed change or of what is saved already. */
import type { CallContext } from '../model/call-context.ts';
import { failure } from '../model/failure.ts';
import type { VerifyRequest } from '../model/proposal.ts';
import { fail, type Result } from '../model/result.ts';
import type { SavedReport, SavedRequest } from '../model/saved-verification.ts';
import type { VerifyReport } from '../model/verdict.ts';
import type { Product } from './product.ts';
import { verifyChange } from './verify-change.ts';
import { verifySaved } from './verify-saved.ts';

export type VerifyAnyRequest = VerifyRequest & SavedRequest;

/** Goes by what is there: the arguments of one form must not stand beside those of the other. */
export async function verifyInEitherForm(
  product: Product,
  request: VerifyAnyRequest,
  call: CallContext,
): Promise<Result<VerifyReport | SavedReport>> {
  const { edits, unifiedDiff } = request;
  const saved = savedArguments(request);
  const isProposed = edits !== undefined || unifiedDiff !== undefined;
  if (isProposed && saved.length > 0) {
    const message = `${saved.join(', ')} ask about what is saved, and ${edits === undefined ? 'unifiedDiff' : 'edits'} is a proposal.`;
    const hint = 'Pass edits or unifiedDiff for a change that is not written, paths and min_revision for one that is.';
    return fail(failure('AMBIGUOUS_FORM', message, { hint }));
  }
  return saved.length > 0 ? verifySaved(product, request, call) : verifyChange(product, request, call);
}

function savedArguments({ paths, minRevision, epoch, waitMs, baseline, maxItems }: SavedRequest): readonly string[] {
  const given = { paths, min_revision: minRevision, epoch, wait_ms: waitMs, baseline, max_items: maxItems };
  return Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}
