/** Does work that makes more work, a bounded number of pieces at a time; stops at the first that fails. */

/** Works through `first` and whatever is added on the way; rejects with the first error once the pieces in hand are done. */
export async function pooled<Item>(
  atOnce: number,
  first: readonly Item[],
  work: (item: Item, add: (item: Item) => void) => Promise<void>,
): Promise<void> {
  const waiting = [...first];
  const inHand = new Set<Promise<void>>();
  const errors: unknown[] = [];
  while (errors.length === 0 && (waiting.length > 0 || inHand.size > 0)) {
    const item = inHand.size < atOnce ? waiting.pop() : undefined;
    if (item === undefined) {
      await Promise.race(inHand);
      continue;
    }
    const piece = work(item, (next) => waiting.push(next))
      .catch((error: unknown) => {
        errors.push(error);
      })
      .finally(() => inHand.delete(piece));
    inHand.add(piece);
  }
  await Promise.all(inHand);
  if (errors.length > 0) throw errors[0];
}
