/** surepatch output: the whole output of a test run, as it was printed. */
import { readOutput } from '../usecases/read-output.ts';
import { NO_OPTIONS, open } from './open.ts';
import type { Surroundings } from './surroundings.ts';

const ADDRESS = 'surepatch://output/';

/** Writes every page to standard output; takes the id alone, or the whole address that a report shows. */
export async function showOutput(surroundings: Surroundings, given: string): Promise<number> {
  const id = given.startsWith(ADDRESS) ? given.slice(ADDRESS.length) : given;
  const product = open(surroundings, NO_OPTIONS);
  if (!product.ok) {
    surroundings.stderr.write(`${product.failure.message} ${product.failure.hint}\n`);
    return 2;
  }
  for (let offset: number | null = 0; offset !== null;) {
    const page = readOutput(product.value, id, offset);
    if (page === undefined) {
      surroundings.stderr.write(`No output is kept under ${id}; outputs are kept for 7 days, the newest 50 of them.\n`);
      return 2;
    }
    if (!surroundings.stdout.write(page.text)) {
      await new Promise<void>((resolve) => surroundings.stdout.once('drain', resolve));
    }
    offset = page.nextOffset;
  }
  return 0;
}
