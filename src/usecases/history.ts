/** The history of a root, read: whole, of one file, or what is known under one id; and whether it is as it was written. */
import { resolve } from 'node:path';
import { judgeRoot } from '../engine/root-policy.ts';
import { failure } from '../model/failure.ts';
import type { History, HistoryRecord } from '../model/history.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { locateRoot } from './locate-target.ts';
import type { Product } from './product.ts';

/** Reads the history of one root; `filePath`, relative to the root, leaves the records of that file. */
export function readHistory(
  product: Product,
  { repoRoot, filePath }: { readonly repoRoot?: string | undefined; readonly filePath?: string | undefined },
): Result<History> {
  const root = locateRoot(product, repoRoot);
  if (!root.ok) return root;
  const store = product.host.openHistory(root.value);
  if (!store.ok) return store;
  try {
    const { records, problems } = store.value.read();
    if (filePath === undefined) return ok({ records, problems });
    const below = resolve(root.value.path, filePath).slice(root.value.path.length + 1);
    return ok({ records: records.filter(({ files }) => files.some(({ path }) => path === below)), problems });
  } catch (error) {
    return fail(product.host.diskFailure(error, 'to read the history'));
  }
}

/** A root by its path, and why its history could not be read where it could not. */
export type RootHistory = History & { readonly root: string; readonly error?: string };

/** The history of every root that this process was started for, newest record first. */
export function readHistories(product: Product): readonly RootHistory[] {
  return rootsOf(product).map((root) => {
    const read = readHistory(product, { repoRoot: root });
    if (!read.ok) return { root, records: [], problems: [], error: `${read.failure.message} ${read.failure.hint}` };
    return { root, records: read.value.records.toReversed(), problems: read.value.problems };
  });
}

/** What is known under one id: the change, and how it ended or was undone. Fails WRITE_UNKNOWN. */
export function readChange(product: Product, id: string): Result<readonly HistoryRecord[]> {
  const records = readHistories(product).flatMap((history) =>
    history.records.filter((one) => one.id === id || one.of === id),
  );
  if (records.length > 0) return ok(records);
  return fail(failure('WRITE_UNKNOWN', `The history knows nothing under ${id}.`));
}

function rootsOf({ host, rootPolicy }: Product): readonly string[] {
  if (rootPolicy.boundaries.length > 0) return rootPolicy.boundaries;
  const folder = host.realFolder(host.settings.workingFolder);
  return folder !== null && judgeRoot(folder.path, rootPolicy).ok ? [folder.path] : [];
}
