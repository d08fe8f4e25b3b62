/** repo_root and file_path → the real folder and the real file they mean, or the reason why they may not be used. */
import { join, resolve } from 'node:path';
import { componentsBelow, refuseProtected, refuseUnusable } from '../engine/path-rules.ts';
import { judgeRoot } from '../engine/root-policy.ts';
import type { RealFolder } from '../io/worktree.ts';
import { failure } from '../model/failure.ts';
import { isInside } from '../model/inside.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { Product } from './product.ts';

export interface Root extends RealFolder {
  /** The path as the caller gave it. */
  readonly given: string;
}

export interface Target {
  /** Components of the real path from the root down; the last one is the file's name. */
  readonly components: readonly string[];
  /** The same, joined by `/`. */
  readonly path: string;
  readonly notes: readonly string[];
}

/**
 * The root a call works in: the one given, else the first `--root`, else the working folder of the process. `argument` is
 * what the caller calls it.
 */
export function locateRoot(
  { host, rootPolicy }: Product,
  repoRoot: string | undefined,
  argument = 'repo_root',
): Result<Root> {
  const unusable = refuseUnusable(argument, repoRoot ?? '.');
  if (unusable !== null) return fail(unusable);
  const given = resolve(host.settings.workingFolder, repoRoot ?? '.');
  const undecodable = refuseUnusable('The working folder', given);
  if (undecodable !== null) return fail(undecodable);
  const folder = host.realFolder(given);
  // A folder that is not there is judged by its name, so that outside the boundary both are refused alike.
  const judged = judgeRoot(folder?.path ?? given, rootPolicy, argument);
  if (!judged.ok) return judged;
  if (folder === null) return fail(failure('ROOT_REFUSED', `${argument} is not an existing folder.`));
  return ok({ ...folder, given });
}

/** The file a call is about: inside the root, through no link that leaves it, not git's and not our own. */
export function locateTarget({ host }: Product, root: Root, filePath: string, argument = 'file_path'): Result<Target> {
  const unusable = refuseUnusable(argument, filePath);
  if (unusable !== null) return fail(unusable);
  const named = componentsBelow([root.given, root.path], resolve(host.settings.workingFolder, filePath));
  if (named === null) return fail(host.outsideRoot());
  const refusal = refuseProtected(named);
  if (refusal !== null) return fail(refusal);
  const place = host.followLinks(root.path, named);
  if (!place.ok) return place;
  const { components, links } = place.value;
  const state = host.state();
  const isOurs = state.ok && isInside(state.value.folder.path, join(root.path, ...components));
  if (isOurs) return fail(failure('PATH_PROTECTED', `${named.join('/')} lies in Surepatch's own state folder.`));
  const realRefusal = refuseProtected(components);
  if (realRefusal !== null) return fail(realRefusal);
  if (host.isInGitFolder(join(root.path, ...components.slice(0, -1)))) {
    return fail(
      failure(
        'PATH_PROTECTED',
        `${named.join('/')} lies in a repository without a worktree, where git alone may write.`,
      ),
    );
  }
  const path = components.join('/');
  return ok({ components, path, notes: links.map((link) => `${link} is a link; the file behind it is ${path}.`) });
}
