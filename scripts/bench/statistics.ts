/** Medians and percentiles, and the interleaving that makes ratios of one run comparable on a busy machine. */

/** The middle value; of an even number the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The value that `percent` of 100 values do not exceed (nearest rank). NaN for none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Runs every one of `what` once per round, in an order that shifts by one each round, and returns the results by index. */
export async function interleaved<Value>(
  rounds: number,
  what: readonly (() => Promise<Value>)[],
): Promise<readonly (readonly Value[])[]> {
  const results: Value[][] = what.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 0; step < what.length; step += 1) {
      const index = (step + round) % what.length;
      const value = await what[index]?.();
      if (value !== undefined) results[index]?.push(value);
    }
  }
  return results;
}
