/** A judgement as the end of a verification makes it, for tests of what is said of it. */
import { judge, type Evidence, type SuiteEnding } from '../../src/engine/verdict.ts';
import type { ProposedFile } from '../../src/model/proposal.ts';
import type { TestCase } from '../../src/model/suite.ts';
import type { Judgement } from '../../src/usecases/judgement.ts';
import type { SuiteRun } from '../../src/usecases/run-suite.ts';
import { analysisOf } from './analysis.ts';
import { FILE, PROVEN } from './evidence.ts';

/** A proposal that changes one byte of a file. */
export const proposed = (path: string): ProposedFile => ({
  components: path.split('/'),
  path,
  before: Buffer.from('a'),
  after: Buffer.from('b'),
  sha256Before: null,
  sha256After: '',
  mode: null,
});

/** Of evidence that is proven but for what is given. */
export function judgement(evidence: Partial<Evidence> = {}, changes: Partial<Judgement> = {}): Judgement {
  const whole = { ...PROVEN, ...evidence };
  return {
    ...judge(whole),
    evidence: whole,
    proposal: [proposed(FILE)],
    examination: {
      files: [{ path: FILE, before: null, after: analysisOf('a') }],
      syntax: [],
      imports: [],
      standing: { before: [], after: [] },
      undecided: [],
      unexamined: [],
      durationMs: 12.4,
    },
    trial: null,
    missing: null,
    tree: {
      tier: 'copy',
      reason: 'no overlay here',
      root: '/srv/app',
      runFolder: '/run',
      preparedMs: 3.2,
      notes: [],
      examinerWrapper: null,
      suiteWrapper: () => Promise.resolve({ ok: true, value: null }),
      write: () => undefined,
      read: () => null,
      dispose: () => Promise.resolve(),
    },
    movedPaths: ['a.py'],
    notes: ['a note'],
    durationMs: 99.6,
    ...changes,
  };
}

/** A run of which nothing but its end and its tests is known. */
export function suiteRun(ending: SuiteEnding, tests: readonly TestCase[] = []): SuiteRun {
  return {
    ending,
    outcome: {
      ending: ending === 'timed_out' ? 'timed_out' : 'exited',
      exitCode: ending === 'green' ? 0 : 1,
      signal: null,
      durationMs: 10,
      startError: null,
      output: '',
      outputBytes: 0,
      outputTruncated: false,
      outputPath: '/run/output',
      isolation: { level: 'none', processes: 'process_group', network: 'host', probe: 'none' },
      survivors: [],
    },
    outputId: 'o',
    command: ['/usr/bin/python3', '-m', 'pytest'],
    tests: { runner: 'pytest', tests, errors: [], deselected: 0, unreadable: 0 },
    hits: new Map(),
    coverage: [],
  };
}
