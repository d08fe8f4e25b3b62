/** What the saved form compares with: chosen before the run, and laid beside it afterwards. */
import { compareFindings, compareTests, failingIn, identifyFindings } from '../engine/evidence/compare-baseline.ts';
import { isRelated } from '../engine/repository-path.ts';
import type { SuiteEnding } from '../engine/verdict.ts';
import type { TreeState } from '../io/capture.ts';
import type { SavedResult } from '../model/saved-result.ts';
import type { BaselineIdentity, Difference, SavedBaselineKind, SavedFinding } from '../model/saved-verification.ts';
import type { Baseline, TestReport } from '../model/suite.ts';
import type { Judgement } from './judgement.ts';
import type { SavedChange } from './saved-change.ts';
import type { Published } from './saved-runs.ts';

export interface ChosenBaseline {
  readonly identity: BaselineIdentity;
  /** The run that is counted against; null where it is that of HEAD, or where there is none. No verdict rests on it. */
  readonly standing: Baseline | null;
  /** Findings of an earlier result; `of_head`: what the examination finds in HEAD; `none`: nothing to count against. */
  readonly findings: readonly SavedFinding[] | 'of_head' | 'none';
}

interface Facts {
  readonly text: string | null;
  readonly installed: string;
  readonly scope: readonly string[];
}

/** Chooses it. A last result that cannot be compared with is named all the same, with the reasons. */
export function chooseBaseline(
  wanted: SavedBaselineKind,
  last: Published<SavedResult> | null,
  { text, installed, scope, change, state }: Facts & { readonly change: SavedChange; readonly state: TreeState },
): ChosenBaseline {
  const none = { id: null, revision: null, head: null, state_id: null, command: text, comparable: false };
  const without = (reason: string): ChosenBaseline => ({
    identity: { kind: 'none', ...none, reasons: [reason] },
    standing: null,
    findings: 'none',
  });
  if (wanted === 'last_verified') {
    if (last === null) return without('Nothing of this root was verified before by this server.');
    const { id, stateId, head, command, run, findings } = last.value;
    const reasons = [
      ...(command === text ? [] : ['different_command']),
      ...(last.value.installed === installed ? [] : ['different_env']),
      ...(run === null ? ['baseline_incomplete'] : []),
    ];
    const identity = { kind: 'last_verified' as const, id, revision: last.revision, head, state_id: stateId, command };
    const isSameScope = JSON.stringify([...last.value.scope].sort()) === JSON.stringify([...scope].sort());
    return {
      identity: { ...identity, comparable: reasons.length === 0, reasons },
      standing: reasons.length === 0 ? run : null,
      findings: reasons.length === 0 && isSameScope ? findings : 'none',
    };
  }
  if (change.noHead !== null) return without(change.noHead);
  // What no tree shows stands in the baseline as it is now.
  const reasons = change.unjudged.map(({ path, why }) => `${path} is not as in HEAD in the baseline: ${why}.`);
  return {
    identity: { ...none, kind: 'head', head: state.head, comparable: reasons.length === 0, reasons },
    standing: null,
    findings: 'of_head',
  };
}

type Delta = Pick<SavedResult, 'baseline' | 'run' | 'findings' | 'regressions' | 'fixes' | 'disappeared' | 'caveats'>;

/** Lays the judgement beside its baseline. */
export function deltaOf(
  { identity, standing, findings: earlier }: ChosenBaseline,
  { evidence, examination, trial, proposal }: Judgement,
  scope: readonly string[],
): Delta {
  const texts = (side: 'before' | 'after') => (path: string) => {
    const bytes = proposal.find((file) => file.path === path)?.[side] ?? null;
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  };
  const isInScope = (path: string): boolean => scope.some((folder) => isRelated(folder, path));
  const now = identifyFindings(examination.standing.after, texts('after'));
  const inHead = (): readonly SavedFinding[] => identifyFindings(examination.standing.before, texts('before'));
  // Of other paths nothing was looked for then, so what stands in these now is neither new nor old.
  const before = earlier === 'none' ? now : earlier === 'of_head' ? inHead() : earlier;
  const { appeared, gone } = compareFindings(before, now);
  // A line that was edited around an old problem has not brought it.
  const introduced = new Set(
    [...examination.syntax, ...examination.imports].map(({ file, message }) => `${file}\0${message}`),
  );
  const isNew = ({ file, message }: SavedFinding): boolean =>
    earlier !== 'of_head' || introduced.has(`${file}\0${message}`);
  const newFindings = appeared.filter(isNew);
  const shownFindings = newFindings.filter(({ file }) => isInScope(file));
  const candidates = trial?.candidates ?? [];
  const decisive = candidates.at(-1);
  const hasEnded = decisive !== undefined && (decisive.ending === 'green' || decisive.ending === 'red');
  const baselines = standing === null ? (trial?.baselines ?? []) : [standing];
  const reasons = [...identity.reasons, ...runReasons(trial, baselines[0])];
  const comparable = identity.comparable && reasons.length === 0;
  const tests = comparable
    ? compareTests({
        before: baselines.map((run): TestReport => run.tests),
        after: candidates.map((run): TestReport => run.tests),
        newFailures: standing === null ? evidence.newFailures : failuresSince(standing, candidates, evidence.flaky),
        isInScope,
      })
    : { regressions: [], fixes: [], disappeared: [] };
  const elsewhere = newFindings.length - shownFindings.length;
  return {
    baseline: { ...identity, comparable, reasons },
    run: hasEnded ? { ending: decisive.ending === 'green' ? 'green' : 'red', tests: decisive.tests } : null,
    findings: now,
    regressions: [...tests.regressions, ...shownFindings.map(asDifference('new_finding'))],
    fixes: [...tests.fixes, ...gone.filter(({ file }) => isInScope(file)).map(asDifference('resolved'))],
    disappeared: tests.disappeared,
    caveats: [
      ...(comparable ? [] : ['Nothing comparable is there to count against, so no counts are given.']),
      ...(comparable && earlier === 'none' ? ['Findings are not counted: the baseline is about other paths.'] : []),
      ...(elsewhere === 0 ? [] : [`${elsewhere} findings lie outside of the scope; see gates.`]),
    ],
  };
}

/** What fails each time now and did not in an earlier run; nothing that comes and goes is blamed. */
function failuresSince(
  { tests: earlier }: Baseline,
  runs: readonly { readonly tests: TestReport }[],
  flaky: readonly string[],
): readonly string[] {
  const [first = [], ...others] = runs.map(({ tests }) => failingIn(tests));
  const known = new Set([...failingIn(earlier), ...flaky]);
  return first.filter((id) => !known.has(id) && others.every((failing) => failing.includes(id))).sort();
}

/** Why the runs themselves cannot be compared. */
function runReasons(
  trial: Judgement['trial'],
  baseline: { readonly ending: SuiteEnding; readonly tests: TestReport } | undefined,
): readonly string[] {
  if (trial === null) return ['The suite did not run, because an earlier gate failed.'];
  const now = trial.candidates.at(-1) ?? trial.candidates[0];
  if (baseline === undefined) return [];
  const isWhole = (ending: string): boolean => ending === 'green' || ending === 'red';
  return [
    ...(isWhole(baseline.ending) && baseline.tests.runner !== null ? [] : ['baseline_incomplete']),
    ...(isWhole(now.ending) && now.tests.runner !== null ? [] : ['run_incomplete']),
    ...(now.tests.errors.length === 0 ? [] : ['Some test files could not be loaded, so their tests are unknown.']),
    ...(baseline.tests.runner === now.tests.runner ? [] : ['different_runner']),
  ];
}

function asDifference(kind: 'new_finding' | 'resolved') {
  return ({ id, file, line, message }: SavedFinding): Difference => {
    return { kind: 'finding', class: kind, id, file, line, message, in_scope: true };
  };
}
