/**
 * Looks for a hunk's old lines anywhere in the file, bounded: a rare line of the hunk is the anchor, its occurrences are
 * found by one native scan, and each is checked as if it were the stated place. The bounds are counts of work, not of
 * time, so the same input always gives the same answer.
 */
import { bytesOf, type Hunk } from '../../model/patch.ts';
import { beginsWithBom, BOM, CR, LF } from './bytes.ts';
import { placeAt } from './locate.ts';

/** Bytes that all searches for one patch may scan, and the least that one search costs. */
const SCAN_BUDGET = 160 * 1024 * 1024;
const SEARCH_COST = 4096;
/** Places where an anchor line may stand before it counts as too common. */
const PLACES_LIMIT = 256;
/** Hits of an anchor within lines before it counts as too common. */
const HITS_LIMIT = 4096;
/** Lines walked back from anchors to the first line of the hunk. */
const BACK_LIMIT = 100_000;
const ANCHORS = 2;
const ANCHOR_BYTES = 512;
/** Old lines that are looked at to choose the anchor. */
const CHOICE_LINES = 2000;

export interface Elsewhere {
  /** Bytes where a line begins from which the whole hunk fits, in ascending order. */
  readonly places: readonly number[];
  /** Every such place is listed. */
  readonly isComplete: boolean;
}

interface Anchor {
  readonly line: Buffer;
  /** Lines of the hunk before it. */
  readonly index: number;
  readonly isWhole: boolean;
}

/** Searches one file; all searches share one budget. */
export class Search {
  private readonly file: Buffer;
  private budget = SCAN_BUDGET;

  constructor(file: Buffer) {
    this.file = file;
  }

  /** Finds the places where a hunk with an old side fits. */
  find(hunk: Hunk): Elsewhere {
    let common: readonly number[] = [];
    for (const anchor of chooseAnchors(hunk)) {
      if (this.budget <= 0) break;
      const { places, isComplete } = this.occurrences(anchor, hunk);
      const fitting = this.fitting(hunk, places);
      if (isComplete && fitting.isComplete) return fitting;
      if (fitting.places.length > common.length) common = fitting.places;
    }
    return { places: common, isComplete: false };
  }

  /** The bytes where the hunk would begin if the anchor stands in its place. */
  private occurrences(anchor: Anchor, hunk: Hunk): Elsewhere {
    const { file } = this;
    const places: number[] = [];
    let [hits, back, at] = [0, 0, 0];
    for (;;) {
      const found = file.indexOf(anchor.line, at);
      this.budget -= SEARCH_COST + (found === -1 ? file.length : found) - at;
      if (found === -1) return { places, isComplete: true };
      at = found + 1;
      hits += 1;
      if (hits > HITS_LIMIT || back > BACK_LIMIT || places.length >= PLACES_LIMIT || this.budget <= 0) {
        return { places, isComplete: false };
      }
      if (!beginsLine(file, found) || !(endsLine(file, found + anchor.line.length) || !anchor.isWhole)) continue;
      const start = linesBack(file, found, anchor.index);
      back += anchor.index;
      if (start !== undefined && start + oldBytes(hunk) <= file.length + 1) places.push(start);
    }
  }

  private fitting(hunk: Hunk, places: readonly number[]): Elsewhere {
    const fitting: number[] = [];
    for (const place of places) {
      if (this.budget <= 0) return { places: fitting, isComplete: false };
      this.budget -= oldBytes(hunk);
      if (placeAt(hunk, this.file, place) !== undefined) fitting.push(place);
    }
    return { places: fitting, isComplete: true };
  }
}

/** The most telling old lines: those that come least often in the hunk, longer ones first. */
function chooseAnchors(hunk: Hunk): readonly Anchor[] {
  const anchors = new Map<string, { anchor: Anchor; times: number }>();
  const text = bytesOf(hunk.old);
  for (let at = 0, index = 0; at < text.length && index < CHOICE_LINES; index += 1) {
    const found = text.indexOf(LF, at);
    const end = found === -1 ? text.length : found;
    const content = end > at && text[end - 1] === CR ? end - 1 : end;
    const line = text.subarray(at, Math.min(content, at + ANCHOR_BYTES));
    const key = line.toString('latin1');
    const known = anchors.get(key);
    if (known !== undefined) known.times += 1;
    else if (line.length > 0)
      anchors.set(key, { anchor: { line, index, isWhole: content - at <= ANCHOR_BYTES }, times: 1 });
    at = end + 1;
  }
  return [...anchors.values()]
    .sort((left, right) => left.times - right.times || right.anchor.line.length - left.anchor.line.length)
    .slice(0, ANCHORS)
    .map(({ anchor }) => anchor);
}

function oldBytes({ old }: Hunk): number {
  return old.to - old.from;
}

function beginsLine(file: Buffer, at: number): boolean {
  return at === 0 || file[at - 1] === LF || (at === BOM.length && beginsWithBom(file));
}

function endsLine(file: Buffer, at: number): boolean {
  return at === file.length || file[at] === LF || (file[at] === CR && (at + 1 === file.length || file[at + 1] === LF));
}

/** The byte where the line `count` lines before the one at `at` begins; undefined when the file has fewer. */
function linesBack(file: Buffer, at: number, count: number): number | undefined {
  let start = at === BOM.length && beginsWithBom(file) ? 0 : at;
  for (let step = 0; step < count; step += 1) {
    if (start === 0) return undefined;
    start = start < 2 ? 0 : file.lastIndexOf(LF, start - 2) + 1;
  }
  return start;
}
