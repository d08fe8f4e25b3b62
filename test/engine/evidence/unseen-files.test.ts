import { expect, test } from 'vitest';
import { measureFiles, type MeasuredFile } from '../../../src/engine/evidence/measured-files.ts';
import { unseenFiles, type UnseenFiles } from '../../../src/engine/evidence/unseen-files.ts';
import type { CoverageGap, CoverageReading } from '../../../src/model/suite.ts';
import { analysisOf } from '../../support/analysis.ts';

const PATH = 'test_rain.py';
const NOTHING: UnseenFiles = { bypassed: [], unmeasured: [], probesAlone: [], absent: new Set() };
const [LOAD, PART] = [1, 2];

interface Seen {
  readonly before?: string;
  readonly after?: string;
  /** The numbers of the probes that were hit. */
  readonly hits?: readonly number[];
  /** Why nothing was measured; absent: coverage measured the file. */
  readonly gap?: CoverageGap;
  readonly otherCopies?: readonly string[];
  /** No coverage source knows such files. */
  readonly isForeign?: boolean;
  /** No probe can show a changed part, or the loading. */
  readonly without?: 'part' | 'load';
  readonly runner?: string | null;
  readonly testFile?: string | null;
}

function fileOf({ before = 'dry', after = 'if wet\n  run', without }: Seen): readonly MeasuredFile[] {
  const analysis = analysisOf(after);
  const bare = {
    ...analysis,
    statements: analysis.statements.map((one) => (without === 'part' ? { ...one, probe: null } : one)),
    loadProbe: without === 'load' ? null : analysis.loadProbe,
  };
  const proposal = [{ path: PATH, before: Buffer.from(before), after: Buffer.from(after) }];
  const isNamedAsTest = (path: string) => path === PATH;
  return measureFiles(proposal, [{ path: PATH, before: analysisOf(before), after: bare }], isNamedAsTest);
}

function seen(what: Seen): UnseenFiles {
  const { hits = [], gap = null, otherCopies = [], isForeign = false, runner = 'pytest', testFile = PATH } = what;
  const coverage: CoverageReading = {
    tool: gap === null ? 'coverage.py' : 'none',
    unavailable: gap === null ? null : 'nothing was measured',
    gap,
    files: isForeign ? [] : [{ path: PATH, isMeasured: gap === null, otherCopies, executed: [] }],
  };
  const test = { id: 't', times: 1, outcome: 'passed', message: null, file: testFile } as const;
  return unseenFiles(fileOf(what), {
    hits: new Map(hits.map((probe) => [probe, [{ probe, phase: 'test', testId: 't' }]])),
    coverage: [coverage],
    tests: { runner, tests: [test], errors: [], deselected: 0 },
  });
}

const unmeasured = (why: string): Partial<UnseenFiles> => ({ unmeasured: [{ path: PATH, why }] });
const alone = (why: string): Partial<UnseenFiles> => ({ probesAlone: [{ path: PATH, why }] });

test.each<[what: string, seen: Seen, expected: Partial<UnseenFiles>]>([
  ['coverage measured it and a probe was hit', { hits: [PART] }, {}],
  ['only comments changed, whoever loads it', { before: 'wet # a', after: 'wet # b', gap: 'broken' }, {}],
  [
    'nothing is left of it',
    { after: '', hits: [LOAD] },
    unmeasured('it holds no statements that could be seen to run'),
  ],
  [
    'another copy was loaded',
    { gap: 'broken', otherCopies: ['/lib/rain.py'] },
    { bypassed: [`${PATH} (/lib/rain.py was loaded instead)`] },
  ],
  ['another copy was loaded as well', { hits: [PART], otherCopies: ['/lib/rain.py'] }, {}],
  [
    'coverage reports it and its probe says that nobody loaded it',
    { otherCopies: ['/b.py'] },
    {
      bypassed: [`${PATH} (/b.py was loaded instead)`],
    },
  ],
  [
    'nothing is left to run of it and nobody loaded it',
    { before: 'type a\nwet', after: 'type a', gap: 'not_loaded' },
    unmeasured('no process of the run loaded what the change leaves of it'),
  ],
  [
    'it has the name of a test, and the tests are elsewhere',
    { hits: [PART], testFile: 'test_sun.py' },
    unmeasured('it has the name of a test, and the run found no test in it'),
  ],
  ['it has the name of a test, and nobody says where tests are', { hits: [PART], testFile: null }, {}],
  [
    'there is no coverage source, and probes everywhere',
    { hits: [LOAD], gap: 'no_source' },
    alone('nothing was measured'),
  ],
  [
    'there is no coverage source, and a part without a probe',
    { hits: [LOAD], gap: 'no_source', without: 'part' },
    unmeasured('nothing was measured'),
  ],
  ['the source is broken, and a probe was hit', { hits: [PART], gap: 'broken' }, unmeasured('nothing was measured')],
  [
    'no source knows such files, and a probe was hit',
    { hits: [PART], isForeign: true },
    unmeasured('no coverage source reads it'),
  ],
  ['nobody loaded it', { gap: 'not_loaded' }, { ...alone('no process of the run loaded it'), absent: new Set([PATH]) }],
  ['nobody loaded it, and the source is broken', { gap: 'broken' }, unmeasured('nothing was measured')],
  ['nobody loaded it, and no runner spoke', { gap: 'not_loaded', runner: null }, unmeasured('nothing was measured')],
  ['its loading cannot be probed', { gap: 'not_loaded', without: 'load' }, unmeasured('nothing was measured')],
])('%s', (_what, what, expected) => {
  expect(seen(what)).toEqual({ ...NOTHING, ...expected });
});
