/** A small seeded generator, so that a case replays from its seed and number alone. */

export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[], fallback: Item): Item;
}

/** Starts a generator; equal seeds give equal numbers. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items, fallback) => items[below(items.length)] ?? fallback,
  };
}
