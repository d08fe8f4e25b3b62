/**
 * Writes probes into the text of a changed file: at its changed parts and nowhere else, on the lines that are there, so
 * that no line moves. Numbers are unique in the whole change.
 */
import type { Arm, Insertion, SourceAnalysis, Span, Statement } from '../../model/examination.ts';
import type { ChangedParts } from './changed-parts.ts';

/** A statement or arm whose running is to be shown. */
export interface Part {
  readonly file: string;
  readonly kind: string;
  readonly span: Span;
  readonly timing: 'definition' | 'body';
  readonly isExcluded: boolean;
  /** Index in the statements of the file after: of the statement itself, or of the one that holds the arm. */
  readonly statement: number;
  readonly isArm: boolean;
  /** Number of its probe, null where none can be placed. */
  readonly probe: number | null;
}

export interface ProbedFile {
  readonly file: string;
  readonly parts: readonly Part[];
  /** Number of the probe that shows that the file was loaded; null where none can be placed. */
  readonly loadProbe: number | null;
  /** The text with its probes; null where there is none to place. */
  readonly text: string | null;
}

/** Numbers the probes of one file from `first` on and writes them into `text`, which `after` analyses. */
export function placeProbes(
  file: string,
  text: string,
  after: SourceAnalysis,
  changed: Pick<ChangedParts, 'statements' | 'arms'>,
  first: number,
): ProbedFile {
  let number = first;
  const insertions: { readonly insertion: Insertion; readonly number: number; readonly order: number }[] = [];
  const place = (probe: readonly Insertion[] | null): number | null => {
    if (probe === null) return null;
    const [own, order] = [number, insertions.length];
    for (const insertion of probe) insertions.push({ insertion, number: own, order });
    number += 1;
    return own;
  };
  const loadProbe = place(after.loadProbe);
  const wanted = [
    ...changed.statements.flatMap((index) => partOf(after.statements[index], index, false)),
    ...changed.arms.flatMap((index) => partOf(after.arms[index], after.arms[index]?.statement ?? -1, true)),
  ].sort(outerFirst);
  const parts = wanted.map(({ source, statement, isArm }): Part => {
    const { kind, timing, isExcluded, start, end, line, endLine } = source;
    const span = { start, end, line, endLine };
    return { file, kind, span, timing, isExcluded, statement, isArm, probe: place(source.probe) };
  });
  if (insertions.length === 0) return { file, parts, loadProbe, text: null };
  // At one place what ends comes before what begins; the inner one ends first and begins last.
  insertions.sort(
    (a, b) =>
      a.insertion.at - b.insertion.at ||
      Number(isOpening(a.insertion)) - Number(isOpening(b.insertion)) ||
      (isOpening(a.insertion) ? a.order - b.order : b.order - a.order),
  );
  let at = 0;
  let probed = '';
  for (const { insertion, number: own } of insertions) {
    probed += text.slice(at, insertion.at) + insertion.text.replaceAll('%', String(own));
    at = insertion.at;
  }
  return { file, parts, loadProbe, text: probed + text.slice(at) };
}

interface Wanted {
  readonly source: Statement | Arm;
  readonly statement: number;
  readonly isArm: boolean;
}

function partOf(source: Statement | Arm | undefined, statement: number, isArm: boolean): readonly Wanted[] {
  return source === undefined ? [] : [{ source, statement, isArm }];
}

function outerFirst(a: Wanted, b: Wanted): number {
  return a.source.start - b.source.start || b.source.end - a.source.end || Number(a.isArm) - Number(b.isArm);
}

function isOpening({ text }: Insertion): boolean {
  return !/^[)\]},"]/u.test(text);
}
