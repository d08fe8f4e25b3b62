/**
 * The text that ran holds probes, and the analysis is of the text without: this leads from one to the other. Which probes were
 * placed is read from the text itself, because all that could be are known.
 */
import type { Insertion, SourceAnalysis } from '../../../model/examination.ts';

export interface ProbedText {
  /** Where in the probed text a place of the analysed one is, behind whatever was put in there. */
  readonly toProbed: (offset: number) => number;
  /** Null for a place inside a probe. */
  readonly toOriginal: (offset: number) => number | null;
}

interface Candidate {
  readonly insertion: Insertion;
  readonly probe: readonly Insertion[];
  readonly isClosing: boolean;
}

interface Placed {
  readonly at: number;
  /** In the probed text. */
  readonly start: number;
  readonly end: number;
}

export function readProbedText(probed: string, analysis: SourceAnalysis): ProbedText {
  const placed = placedIn(probed, analysis);
  return {
    toProbed: (offset) => {
      const before = placed.filter(({ at }) => at <= offset);
      return offset + before.reduce((sum, { start, end }) => sum + end - start, 0);
    },
    toOriginal: (offset) => {
      if (placed.some(({ start, end }) => start <= offset && offset < end)) return null;
      const before = placed.filter(({ end }) => end <= offset);
      return offset - before.reduce((sum, { start, end }) => sum + end - start, 0);
    },
  };
}

function placedIn(probed: string, { loadProbe, statements, arms }: SourceAnalysis): readonly Placed[] {
  const probes = [loadProbe, ...statements.map(({ probe }) => probe), ...arms.map(({ probe }) => probe)];
  const open = new Set<readonly Insertion[]>();
  const placed: Placed[] = [];
  let shift = 0;
  const place = ({ insertion, probe, isClosing }: Candidate): boolean => {
    const start = insertion.at + shift;
    const length = isClosing ? (open.has(probe) ? insertion.text.length : 0) : openingAt(probed, start, insertion.text);
    if (length === 0) return false;
    if (!isClosing) open.add(probe);
    placed.push({ at: insertion.at, start, end: start + length });
    shift += length;
    return true;
  };
  for (const here of byPlace(probes.filter((probe) => probe !== null))) {
    for (const closing of here.filter(({ isClosing }) => isClosing)) place(closing);
    // In which order those that begin here were put in is seen only from the text.
    let left = here.filter(({ isClosing }) => !isClosing);
    for (let count = -1; count !== left.length;) {
      count = left.length;
      const next = left.findIndex(place);
      left = left.filter((_candidate, index) => index !== next);
    }
  }
  return placed;
}

function byPlace(probes: readonly (readonly Insertion[])[]): readonly (readonly Candidate[])[] {
  const places = new Map<number, Candidate[]>();
  for (const probe of probes) {
    probe.forEach((insertion, index) => {
      const candidate = { insertion, probe, isClosing: index > 0 };
      const here = places.get(insertion.at);
      if (here === undefined) places.set(insertion.at, [candidate]);
      else here.push(candidate);
    });
  }
  return [...places].sort(([a], [b]) => a - b).map(([, here]) => here);
}

/** Length of the probe that stands here, 0 when it is another text. */
function openingAt(probed: string, at: number, text: string): number {
  const [head = '', ...tails] = text.split('%');
  if (!probed.startsWith(head, at)) return 0;
  let end = at + head.length;
  for (const tail of tails) {
    const digits = /^\d+/u.exec(probed.slice(end, end + 10))?.[0] ?? '';
    if (digits === '' || !probed.startsWith(tail, end + digits.length)) return 0;
    end += digits.length + tail.length;
  }
  return end - at;
}
