/** Tells another copy of a changed file (a build of it, one of a linked package) from a file that only has its name. */
import { posix } from 'node:path';
import { isInside } from '../../../model/inside.ts';

/** Folders in which the sources of a package lie, or what is built of them, at the same places. */
const LAYERS = /^(?:src|lib|dist|build|out|es|esm|cjs|compiled)$/u;
/** Of a path elsewhere, only the last folder can be held against ours: it may be any part of another package. */
const FEW = 2;

/** Those of the loaded files (absolute) that stand for a changed one (relative to the root). */
export function copiesOf(path: string, root: string, loaded: readonly string[]): readonly string[] {
  const own = placeOf(path);
  return loaded.filter((other) => {
    if (isInside(root, other)) return placeOf(posix.relative(root, other)).join('/') === own.join('/');
    const few = Math.min(FEW, own.length);
    return placeOf(other).slice(-few).join('/') === own.slice(-few).join('/');
  });
}

function placeOf(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '');
  return [...names.slice(0, -1).filter((name) => !LAYERS.test(name)), stem(names.at(-1) ?? '')];
}

/** The name without what a compiler changes of it. */
function stem(name: string): string {
  return name.replace(/\.[^.]+$/u, '');
}
