/** surepatch://output/{id}: the kept output of a test run, by pages. */
import type { OutputPage } from '../model/output-page.ts';
import type { Product } from './product.ts';

const PAGE_BYTES = 1 << 20;

/** One page of a kept output from byte `offset` on; undefined where none is kept under this id. */
export function readOutput({ host }: Product, id: string, offset: number): OutputPage | undefined {
  const state = host.state();
  return state.ok ? (state.value.outputs.readPage(id, offset, PAGE_BYTES) ?? undefined) : undefined;
}
