/**
 * Keeps the probes that the text stands: all are put in at once and the result is parsed. Where it does not parse, halves are
 * tried until what breaks it is found; those places get no probe, and only a coverage source can tell of them.
 */
import type { Insertion } from '../../model/examination.ts';
import { parse } from './syntax-tree.ts';

export type Probe = readonly Insertion[];

/** Returns the probes that may be placed, together, beside the one that brings the function; null where that one may not. */
export function standing(
  path: string,
  text: string,
  loadProbe: Probe,
  probes: readonly Probe[],
): ReadonlySet<Probe> | null {
  const stands = (tried: readonly Probe[]): boolean =>
    parse(path, withProbes(text, [loadProbe, ...tried])).errors.length === 0;
  if (stands(probes)) return new Set(probes);
  if (!stands([])) return null;
  const kept: Probe[] = [];
  const keep = (tried: readonly Probe[]): void => {
    if (tried.length === 0) return;
    if (stands([...kept, ...tried])) for (const probe of tried) kept.push(probe);
    else if (tried.length > 1) {
      keep(tried.slice(0, tried.length >> 1));
      keep(tried.slice(tried.length >> 1));
    }
  };
  keep(probes);
  return new Set(kept);
}

/** At one place what ends comes before what begins, and of two that end the one that began last ends first. */
export function withProbes(text: string, probes: readonly Probe[]): string {
  const insertions = probes.flatMap((probe) =>
    probe.map(({ at, text: inserted }, index) => ({ at, inserted, isClosing: index > 0, start: probe[0]?.at ?? at })),
  );
  insertions.sort(
    (left, right) =>
      left.at - right.at ||
      Number(right.isClosing) - Number(left.isClosing) ||
      (left.isClosing ? right.start - left.start : 0),
  );
  let at = 0;
  let probed = '';
  insertions.forEach(({ at: place, inserted }, number) => {
    probed += text.slice(at, place) + inserted.replaceAll('%', String(number));
    at = place;
  });
  return probed + text.slice(at);
}
