/** Settles the writes that an earlier process left unfinished: at start, and before a write to a file of another root's. */
import { judgeRoot } from '../engine/root-policy.ts';
import type { UnsettledWrite } from '../io/pending-roots.ts';
import type { CallContext } from '../model/call-context.ts';
import { isInside } from '../model/inside.ts';
import { ok } from '../model/result.ts';
import type { Root } from './locate-target.ts';
import type { Product } from './product.ts';
import { withRoot } from './with-root.ts';

/** At start: returns a sentence for each write that was settled, and for each that a person must look at. */
export async function recoverRoots(product: Product, call: CallContext): Promise<readonly string[]> {
  const { host, rootPolicy } = product;
  const state = host.state();
  if (!state.ok) return [`${state.failure.message} ${state.failure.hint}`];
  const mayWorkIn = (path: string): boolean =>
    (rootPolicy.boundaries.length > 0 || isInside(host.settings.workingFolder, path)) && judgeRoot(path, rootPolicy).ok;
  const roots = new Set(host.unsettledWrites(state.value.folder).map(({ root }) => root));
  const sentences: string[] = [];
  for (const path of roots) if (mayWorkIn(path)) sentences.push(...(await recoverRoot(product, path, call)));
  return sentences;
}

/**
 * Before a write: settles what was left unfinished for the same file through a root above or below this one. Holds no
 * lock of its own, so that two such calls cannot wait for each other.
 */
export async function recoverOtherRoots(
  product: Product,
  own: Root,
  file: string,
  call: CallContext,
): Promise<readonly string[]> {
  const roots = new Set(unsettledBy(product, own, file).map(({ root }) => root));
  const sentences: string[] = [];
  for (const path of roots) {
    if (judgeRoot(path, product.rootPolicy).ok) sentences.push(...(await recoverRoot(product, path, call)));
  }
  return sentences;
}

/** A write of this file through another root that is still not settled; ask while holding the lock of the file. */
export function pendingElsewhere(product: Product, own: Root, file: string): UnsettledWrite | undefined {
  return unsettledBy(product, own, file).find(({ hasBackup }) => hasBackup);
}

/** True when a write of this file, through any root, did not finish; ask while holding the lock of the file. */
export function isUnsettled({ host }: Product, file: string): boolean {
  const state = host.state();
  return state.ok && host.unsettledWrites(state.value.folder).some((write) => write.file === file);
}

function unsettledBy({ host }: Product, own: Root, file: string): readonly UnsettledWrite[] {
  const state = host.state();
  if (!state.ok) return [];
  return host.unsettledWrites(state.value.folder).filter((write) => write.file === file && write.root !== own.path);
}

async function recoverRoot(product: Product, path: string, call: CallContext): Promise<readonly string[]> {
  const { host } = product;
  const root = host.realFolder(path);
  if (root?.path !== path) return [`A write in ${path} did not finish, and that folder is not there any more.`];
  try {
    const settled = await withRoot(product, { ...root, given: path }, call, ({ recovery }) => {
      const said = [...recovery.notes, ...recovery.unresolved.map(lookAtIt)];
      return Promise.resolve(ok(said.length > 0 ? said : stillUnsettled(product, path)));
    });
    return settled.ok ? settled.value : [`${settled.failure.message} ${settled.failure.hint}`];
  } catch (error) {
    const { message, hint } = host.diskFailure(error, `to look after the unfinished write in ${path}`);
    return [`${message} ${hint}`];
  }
}

function lookAtIt({ file, backup }: { readonly file: string; readonly backup: string }): string {
  return `${file} was changed after a write that did not finish; the bytes before it are in ${backup}. Keep the right one and delete the other.`;
}

/** A root that is another folder than it was, at the same path, has another journal. */
function stillUnsettled({ host }: Product, path: string): readonly string[] {
  const state = host.state();
  if (!state.ok) return [];
  return host
    .unsettledWrites(state.value.folder)
    .filter(({ root }) => root === path)
    .map(
      ({ file, backup }) =>
        `A write of ${file} did not finish, and ${path} is another folder since; nothing was touched. The bytes before it may be in ${backup}.`,
    );
}
