/** Everything that is known when a verdict has been given: what a report is made from. */
import type { Evidence } from '../engine/verdict.ts';
import type { ChangedFile } from '../model/proposal.ts';
import type { ShadowTree } from '../model/shadow.ts';
import type { ReasonCode, Verdict } from '../model/verdict.ts';
import type { ChangeExamination } from './examine-change.ts';
import type { Trial } from './trial.ts';

export interface Judgement {
  readonly verdict: Verdict;
  readonly reasonCode: ReasonCode;
  readonly evidence: Evidence;
  readonly proposal: readonly ChangedFile[];
  readonly examination: ChangeExamination;
  readonly trial: Trial | null;
  /** Why the runner is missing, in words; null where it is not known before a run. */
  readonly missing: string | null;
  readonly tree: ShadowTree;
  readonly movedPaths: readonly string[];
  readonly notes: readonly string[];
  readonly durationMs: number;
}
