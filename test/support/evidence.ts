/** Evidence of a change that is proven in every respect, for tests that take something away from it. */
import type { JudgedPart, PartStatus } from '../../src/engine/evidence/judge-parts.ts';
import type { Part } from '../../src/engine/evidence/place-probes.ts';
import type { Evidence } from '../../src/engine/verdict.ts';
import type { Finding } from '../../src/model/examination.ts';

export const FILE = 'src/tide.py';

export const PART: Part = {
  file: FILE,
  kind: 'return',
  span: { start: 0, end: 6, line: 3, endLine: 3 },
  timing: 'body',
  isExcluded: false,
  statement: 0,
  isArm: false,
  probe: 1,
};

export function judged(status: PartStatus, part: Partial<Part> = {}): JudgedPart {
  return { part: { ...PART, ...part }, status, tests: [], isLoadedOnly: false };
}

export const FINDING: Finding = { file: FILE, line: 3, message: 'invalid syntax', key: 'k' };

export const PROVEN: Evidence = {
  isTreeStill: true,
  syntax: [],
  imports: [],
  ending: 'green',
  baselineEnding: 'green',
  newFailures: [],
  preexistingFailures: [],
  flaky: [],
  passed: 3,
  scope: 'full',
  lost: [],
  newlySkipped: [],
  changedTests: [],
  bypassed: [],
  unmeasured: [],
  probesAlone: [],
  parts: [judged('exercised')],
  files: [{ path: FILE, toJudge: 1 }],
  removed: [],
  deleted: [],
};
