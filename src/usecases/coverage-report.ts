/** Evidence → what a report says of coverage: what of the change ran, what did not, and which tests would show it. */
import type { JudgedPart } from '../engine/evidence/judge-parts.ts';
import { armInWords, excerptOf } from '../engine/evidence/name-part.ts';
import type { Evidence } from '../engine/verdict.ts';
import type { CoverageReport, FileLine, Truncated, VerifyReport } from '../model/verdict.ts';
import type { Judgement } from './judgement.ts';
import type { Trial } from './trial.ts';
import { capital, whyNotRun, withoutStop } from './verify-reasons.ts';

const MOST_ENTRIES = 50;
const MOST_PLACES = 200;
const MOST_ARMS = 3;

export interface Coverage {
  readonly report: CoverageReport;
  /** Every hint, uncut. */
  readonly missingTests: VerifyReport['missingTests'];
}

type Texts = ReadonlyMap<string, string>;

/** Lays out the coverage of a judgement. */
export function coverageReport(judgement: Judgement): Coverage {
  const { evidence, trial, proposal } = judgement;
  const [texts, oldTexts] = [textsOf(proposal, 'after'), textsOf(proposal, 'before')];
  const statements = byStatement(evidence.parts, trial);
  const open = statements.filter(({ isCovered }) => !isCovered);
  const uncovered = places(open);
  const loadedOnly = places(
    evidence.parts
      .filter(({ isLoadedOnly }) => isLoadedOnly)
      .map(({ part }) => ({ file: part.file, line: part.span.line })),
  );
  const readings = trial?.candidates[0].coverage.filter(({ files }) => files.length > 0) ?? [];
  const tools = readings.filter(({ tool }) => tool !== 'none').map(({ tool }) => tool);
  const files = trial?.files ?? [];
  const removalOnly = files.filter(
    ({ changed: { deleted, deletedArms, statements: left, arms } }) =>
      deleted.length + deletedArms.length > 0 && left.length + arms.length === 0,
  );
  const isUnknown = isCoverageUnknown(judgement);
  const unknown = isUnknown ? unknownReasons(judgement) : [];
  const alone = evidence.probesAlone.map(({ path, why }) => `${path}: ${why}`);
  const details = notExercised(evidence, texts, oldTexts);
  const deletedOpen = evidence.deleted.some(({ isExercised }) => isExercised !== true);
  const report: CoverageReport = {
    tool: tools[0] ?? (alone.length > 0 ? 'probes' : 'none'),
    changedLinesCovered: isUnknown ? 'unknown' : open.length === 0 && !deletedOpen,
    uncovered: uncovered.slice(0, MOST_PLACES),
    filesWithUncovered: new Set(open.map(({ file }) => file)).size,
    changedStatements: { total: statements.length, covered: statements.length - open.length },
    inertOnlyFiles: files
      .filter(({ changed }) => changed.isInert && !changed.isUnreadable)
      .map(({ examined }) => examined.path),
    ...(removalOnly.length === 0 ? {} : { removalOnlyFiles: removalOnly.map(({ examined }) => examined.path) }),
    ...(unknown.length === 0 ? {} : { unknownReason: unknown.join(' ') }),
    ...(alone.length === 0 ? {} : { probesAlone: alone }),
    ...truncated('uncoveredTruncated', uncovered, MOST_PLACES),
    ...(details.length === 0 ? {} : { notExercised: details.slice(0, MOST_ENTRIES) }),
    ...truncated('notExercisedTruncated', details, MOST_ENTRIES),
    ...(loadedOnly.length === 0 ? {} : { loadedOnly: loadedOnly.slice(0, MOST_PLACES) }),
    ...truncated('loadedOnlyTruncated', loadedOnly, MOST_PLACES),
  };
  return { report, missingTests: missingTests(evidence, open, texts) };
}

/** Says of a list that it was cut; nothing where it was not. */
export function truncated<Name extends string>(
  name: Name,
  list: readonly unknown[],
  most: number,
): Readonly<Partial<Record<Name, Truncated>>> {
  const entry: Partial<Record<Name, Truncated>> = {};
  if (list.length > most) entry[name] = { shown: most, total: list.length };
  return entry;
}

/** Everything that is known of why it is not known what ran. */
function unknownReasons(judgement: Judgement): readonly string[] {
  const { trial, evidence } = judgement;
  if (trial === null) return [`${capital(whyNotRun(judgement))}.`];
  if (evidence.ending === 'not_started') return ['No test ran, because the command could not be started.'];
  const untold = countOf(evidence, 'not_measurable', 'contradicted') + evidence.deleted.filter(isUntold).length;
  const excluded = countOf(evidence, 'excluded');
  return [
    ...evidence.bypassed.map((file) => `The tests never loaded the copy under verification of ${file}.`),
    ...evidence.unmeasured.map(({ path, why }) => `${path}: ${withoutStop(why)}.`),
    ...(untold === 0
      ? []
      : [`Of ${untold} changed ${untold === 1 ? 'part' : 'parts'} nothing can tell whether it ran.`]),
    ...(excluded === 0
      ? []
      : [`${excluded} changed ${excluded === 1 ? 'part is' : 'parts are'} excluded by the author.`]),
  ];
}

/** Also where some part may have run or not, and none is known not to have: that is not the same as not covered. */
function isCoverageUnknown({ evidence, trial, reasonCode }: Judgement): boolean {
  const gone = evidence.deleted;
  const isOpen = countOf(evidence, 'not_measurable', 'contradicted', 'excluded') > 0 || gone.some(isUntold);
  const isMissed = countOf(evidence, 'missed', 'import_only') > 0 || gone.some((part) => part.isExercised === false);
  const isUnseen = evidence.unmeasured.length + evidence.bypassed.length > 0;
  const isStarted = trial !== null && evidence.ending !== 'not_started';
  return !isStarted || isUnseen || reasonCode === 'not_measurable' || (isOpen && !isMissed);
}

function countOf({ parts }: Evidence, ...statuses: readonly JudgedPart['status'][]): number {
  return parts.filter(({ status }) => statuses.includes(status)).length;
}

function isUntold({ isExercised }: Evidence['deleted'][number]): boolean {
  return isExercised === null;
}

/** The texts of a proposal, one side of it; what is not UTF-8 is left out, for places in it are not known. */
function textsOf(proposal: Judgement['proposal'], side: 'before' | 'after'): Texts {
  return new Map(
    proposal.flatMap(({ path, [side]: bytes }): readonly [string, string][] => {
      const text = bytes === null ? '' : Buffer.from(bytes).toString('utf8');
      return bytes !== null && Buffer.from(text).equals(bytes) ? [[path, text]] : [];
    }),
  );
}

interface StatementOfChange extends FileLine {
  readonly isCovered: boolean;
  /** What of it did not run though a test could show it: itself, and the arms in it. */
  readonly missed: readonly JudgedPart[];
}

/** A statement is covered when it ran and so did every arm that the change introduced in it. */
function byStatement(parts: readonly JudgedPart[], trial: Trial | null): readonly StatementOfChange[] {
  const statements = new Map<string, StatementOfChange>();
  for (const judged of parts) {
    const { part, status } = judged;
    if (status === 'excluded') continue;
    const { file } = part;
    const key = `${file}\0${part.statement}`;
    const examined = trial?.files.find((one) => one.examined.path === file)?.examined;
    const line = examined?.after.statements[part.statement]?.line ?? part.span.line;
    const known = statements.get(key) ?? { file, line, isCovered: true, missed: [] };
    const isMissed = status === 'missed' || status === 'import_only';
    statements.set(key, {
      file,
      line: part.isArm ? known.line : line,
      isCovered: known.isCovered && status === 'exercised',
      missed: isMissed ? [...known.missed, judged] : known.missed,
    });
  }
  return [...statements.values()].sort(byPlace);
}

function byPlace(a: FileLine, b: FileLine): number {
  return a.file.localeCompare(b.file) || a.line - b.line;
}

/** Each line once, however much of it is meant. */
function places(found: readonly FileLine[]): readonly FileLine[] {
  const known = new Map(found.map(({ file, line }) => [`${file}\0${line}`, { file, line }]));
  return [...known.values()].sort(byPlace);
}

const WHY: Readonly<Partial<Record<JudgedPart['status'], string>>> = {
  missed: 'no passing test ran it',
  import_only: 'it ran only while the file was being loaded',
  excluded: 'its author excluded it from coverage',
  not_measurable: 'nothing can tell whether it ran',
  contradicted: 'the probe and the coverage source disagree',
};

function notExercised(evidence: Evidence, texts: Texts, oldTexts: Texts): NonNullable<CoverageReport['notExercised']> {
  const open = evidence.parts
    .filter(({ status }) => status !== 'exercised')
    .map(({ part, status }) => ({
      file: part.file,
      line: part.span.line,
      what: part.isArm ? `arm: ${part.kind}` : part.kind,
      ...shown(excerptOf(texts.get(part.file) ?? '', part.span)),
      why: WHY[status] ?? status,
    }));
  const gone = evidence.deleted
    .filter(({ isExercised }) => isExercised !== true)
    .map(({ file, line, isExercised }) => {
      const text = oldTexts.get(file)?.split('\n', line)[line - 1] ?? '';
      const why =
        isExercised === false
          ? 'no test ran it before the change'
          : 'nothing can tell whether it ran before the change';
      return { file, line, what: 'deleted statement', ...shown(excerptOf(text, { start: 0, end: text.length })), why };
    });
  return [...open, ...gone];
}

function shown(text: string | null): { readonly text?: string } {
  return text === null ? {} : { text };
}

function missingTests(
  { deleted }: Evidence,
  open: readonly StatementOfChange[],
  texts: Texts,
): VerifyReport['missingTests'] {
  const hints = open.flatMap((statement) => {
    const { file, line, missed } = statement;
    if (missed.length === 0) return [];
    const isShared = open.some((other) => other !== statement && other.file === file && other.line === line);
    return [{ file, hint: hintFor(statement, isShared, texts.get(file) ?? null) }];
  });
  const gone = deleted
    .filter(({ isExercised }) => isExercised === false)
    .map(({ file, line }) => ({ file, hint: `add a test that runs what stood at ${file}:${line} before the change` }));
  return [...hints, ...gone];
}

/** The contract's words for a statement that never ran; its text where the line holds another, and the arms by name. */
function hintFor({ file, line, missed }: StatementOfChange, isShared: boolean, source: string | null): string {
  const quoted = ({ part }: JudgedPart): string => {
    const text = source === null ? null : excerptOf(source, part.span);
    return text === null ? '' : ` (\`${text}\`)`;
  };
  const own = missed.find(({ part }) => !part.isArm);
  const arms = missed
    .filter(({ part }) => part.isArm)
    .map((one) => {
      const at = one.part.span.line === line ? '' : ` in line ${one.part.span.line}`;
      return `${armInWords(one.part.kind, source, one.part.span)}${quoted(one)}${at}`;
    });
  const more = arms.length > MOST_ARMS ? [`${arms.length - MOST_ARMS} more ways through it`] : [];
  const ways = [...arms.slice(0, MOST_ARMS), ...more].join(' and ');
  const place = `add a test exercising ${file}:${line}`;
  if (own === undefined) return `${place}: ${ways}`;
  return `${place}${isShared ? quoted(own) : ''}${ways === '' ? '' : `, and in it ${ways}`}`;
}
