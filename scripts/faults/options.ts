/** What may be asked of the harness, and the seeded choice of a sample. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Options {
  readonly seed: number;
  /** Number of trials to choose; null for all. */
  readonly sample: number | null;
  /** Id of a trial, or the start of ids. */
  readonly only: string | null;
}

/** Reads the command line; throws on what it does not know. */
export function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: { seed: { type: 'string' }, sample: { type: 'string' }, only: { type: 'string' } },
  });
  return {
    seed: values.seed === undefined ? randomInt(1_000_000) : wholeNumber('--seed', values.seed),
    sample: values.sample === undefined ? null : wholeNumber('--sample', values.sample),
    only: values.only ?? null,
  };
}

function wholeNumber(option: string, word: string): number {
  if (!/^\d{1,9}$/u.test(word)) throw new Error(`${option} wants a whole number, not ${word}`);
  return Number(word);
}

/** Chooses `count` of `items`, the same ones for the same seed, in their own order. */
export function choose<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  const next = randomNumbers(seed);
  return items
    .map((item, index) => ({ item, index, rank: next() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .sort((one, other) => one.index - other.index)
    .map(({ item }) => item);
}

/** Park and Miller's generator: enough to choose by, and the same everywhere. */
function randomNumbers(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647);
}
