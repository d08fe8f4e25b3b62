/**
 * What is saved on disk and differs from HEAD, within a scope → a change as it would have been proposed: each file before
 * and after. What cannot be put into a tree is named, never left out in silence.
 */
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { FILE_LIMIT_BYTES } from '../engine/patch/apply.ts';
import { isRelated, isWithin } from '../engine/repository-path.ts';
import type { TreeState } from '../io/capture.ts';
import type { HeadEntry, HeadOfRoot } from '../io/git-head.ts';
import type { SavedFile } from '../io/saved-file.ts';
import type { ChangedFile } from '../model/proposal.ts';
import type { ShadowFile } from '../model/shadow.ts';
import type { Product } from './product.ts';

export interface SavedChange {
  readonly files: readonly ChangedFile[];
  /** Where the tree of before differs from what is on disk. */
  readonly before: readonly ShadowFile[];
  /** Differences that no tree shows, with the reason. */
  readonly unjudged: readonly { readonly path: string; readonly why: string }[];
  /** The scope without links in its folders. */
  readonly scope: readonly string[];
  /** Why there is no tree of before; null where there is one. */
  readonly noHead: string | null;
  readonly caveats: readonly string[];
}

/** Most files of one change; more than these are counted, and not judged. */
const MOST_FILES = 2000;
const AT_ONCE = 50;
const BYTES_AT_ONCE = 8 << 20;
const OUTSIDE = 'it lies behind a link that leaves the root';
const LINK = 'it is a link; name what it leads to';
const LFS_POINTER = Buffer.from('version https://git-lfs.github.com/spec/');

/** Finds the change; `scope` are normalised paths, of which a folder stands for what differs below it. */
export async function takeSavedChange(
  product: Product,
  root: string,
  scope: readonly string[],
  state: TreeState,
): Promise<SavedChange> {
  const { host } = product;
  const places = scope.map((path) => ({ path, real: host.realSavedPath(root, path) }));
  const real = [...new Set(places.flatMap(({ real: place }) => place ?? []))];
  const isInScope = (path: string): boolean => real.some((folder) => isWithin(folder, path));
  const { head, why } = await readHead(product, root, real);
  const entries = head?.entries ?? new Map<string, HeadEntry>();
  const repositories = new Map([...entries].filter(([, { kind }]) => kind === 'repository'));
  const isInner = (path: string): boolean => [...repositories.keys()].some((folder) => isWithin(folder, path));
  const onDisk = [...state.entries].filter(([, line]) => line !== 'absent').map(([path]) => path);
  const names = new Set([...entries.keys(), ...onDisk, ...real].filter((path) => isInScope(path) && !isInner(path)));
  const inner = await lookAtRepositories(product, root, { repositories, scope: real, state });
  const unjudged: { readonly path: string; readonly why: string }[] = [
    ...places.filter(({ real: place }) => place === null).map(({ path }) => ({ path, why: OUTSIDE })),
    ...inner.unjudged,
    ...ignoredBelow(real, state),
  ];
  const caveats = [...inner.caveats];
  const differing: { readonly path: string; readonly saved: SavedFile; readonly entry: HeadEntry | null }[] = [];
  let seen = 0;
  let bytesSince = 0;
  for (const [index, path] of [...names].sort().entries()) {
    if (path === '.') continue;
    // Whoever waits for this is told so meanwhile.
    if (index % AT_ONCE === AT_ONCE - 1 || bytesSince > BYTES_AT_ONCE) {
      bytesSince = 0;
      await breathe();
    }
    const entry = entries.get(path) ?? null;
    const saved = host.readSavedFile(root, path, FILE_LIMIT_BYTES);
    if (saved.kind === 'file') bytesSince += saved.bytes.length;
    if (isSame(product, saved, entry)) {
      if (saved.kind === 'link' && real.includes(path)) unjudged.push({ path, why: LINK });
      continue;
    }
    if (entry === null && saved.kind === 'folder') continue;
    if (entry === null && saved.kind === 'absent') {
      caveats.push(`${path} is neither on disk nor in HEAD.`);
      continue;
    }
    seen += 1;
    if (seen <= MOST_FILES) differing.push({ path, saved, entry });
  }
  if (seen > MOST_FILES) {
    unjudged.push({ path: '.', why: `${seen} files differ from HEAD, and at most ${MOST_FILES} are judged at once` });
  }
  const ids = differing.flatMap(({ entry }) => (entry?.kind === 'file' ? [entry.id] : []));
  const blobs = head === null ? new Map<string, Buffer>() : await head.read([...new Set(ids)]);
  const files: ChangedFile[] = [];
  const before: ShadowFile[] = [];
  for (const { path, saved, entry } of differing) {
    const bytes = entry === null ? null : (blobs.get(entry.id) ?? null);
    const reason = whyNot(saved, entry, bytes);
    if (reason !== null) {
      unjudged.push({ path, why: reason });
      continue;
    }
    const after = saved.kind === 'file' ? saved.bytes : null;
    const components = saved.kind === 'file' ? saved.components : path.split('/');
    files.push(changedFile(product, components, bytes, after));
    before.push({ path: components.join('/'), bytes, mode: bytes === null ? null : modeOf(entry, after) });
    if (saved.kind === 'file' && entry !== null && saved.isExecutable !== entry.isExecutable) {
      unjudged.push({ path, why: 'its mode changed, and no test run tells what that does' });
    }
  }
  const noHead = head === null ? why : null;
  return { files: once(files), before: once(before), unjudged, scope: real, noHead, caveats };
}

/** Files that git ignores are in no commit and in no listing: what a folder of the scope has of them is not looked at. */
function ignoredBelow(scope: readonly string[], { declared }: TreeState): SavedChange['unjudged'] {
  const ignored = [...declared].filter(([, line]) => !/^(?:dir|absent) /u.test(line)).map(([path]) => path);
  return scope.flatMap((folder) => {
    const below = folder === '.' ? [] : ignored.filter((path) => path !== folder && isWithin(folder, path)).sort();
    const [first] = below.filter((path) => !scope.includes(path));
    const why = `git ignores files below it (${first ?? ''}), of which HEAD knows nothing; name those that were saved`;
    return first === undefined ? [] : [{ path: folder, why }];
  });
}

/** Of another repository only the commit belongs to HEAD, so it is at most known that nothing tracked there differs. */
async function lookAtRepositories(
  product: Product,
  root: string,
  {
    repositories,
    scope,
    state,
  }: { readonly repositories: SavedRepositories; readonly scope: readonly string[]; readonly state: TreeState },
): Promise<Pick<SavedChange, 'unjudged' | 'caveats'>> {
  const unjudged: { readonly path: string; readonly why: string }[] = [];
  const caveats: string[] = [];
  for (const [path, { id }] of repositories) {
    const isNamed = scope.some((named) => named !== '.' && isRelated(path, named));
    if (!isNamed && !scope.includes('.')) continue;
    const isStill = !scope.some((named) => isWithin(path, named)) && (await isAsInHead(product, root, path, id, state));
    if (isStill) caveats.push(`${path} is another repository; its files are not judged.`);
    else unjudged.push({ path, why: 'it is another repository, whose files are not judged' });
  }
  return { unjudged, caveats };
}

type SavedRepositories = ReadonlyMap<string, HeadEntry>;

async function isAsInHead(
  product: Product,
  root: string,
  folder: string,
  commit: string,
  state: TreeState,
): Promise<boolean> {
  const { host } = product;
  const isCheckedOut = host.readSavedFile(root, `${folder}/.git`, FILE_LIMIT_BYTES).kind !== 'absent';
  // What was never checked out is an empty folder.
  if (!isCheckedOut) {
    const isFolder = host.readSavedFile(root, folder, FILE_LIMIT_BYTES).kind === 'folder';
    return isFolder && ![...state.entries.keys()].some((path) => path !== folder && isWithin(folder, path));
  }
  const { head } = await readHead(product, join(root, folder), ['.']);
  if (head?.commit !== commit) return false;
  for (const [index, [path, entry]] of [...head.entries].entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    if (entry.kind === 'repository') continue;
    if (!isSame(product, host.readSavedFile(root, `${folder}/${path}`, FILE_LIMIT_BYTES), entry)) return false;
  }
  return true;
}

async function readHead(
  { host }: Product,
  root: string,
  scope: readonly string[],
): Promise<{ readonly head: HeadOfRoot | null; readonly why: string }> {
  try {
    const head = await host.headOfRoot(root, (folder) => scope.some((path) => isRelated(path, folder)));
    return { head, why: 'There is no commit here that what is saved could be compared with.' };
  } catch (error) {
    const said = error instanceof Error ? (error.message.trim().split('\n', 1)[0] ?? '') : String(error);
    return { head: null, why: `git could not tell what HEAD holds (${said.slice(0, 200)}).` };
  }
}

function isSame({ host }: Product, saved: SavedFile, entry: HeadEntry | null): boolean {
  if (entry === null || saved.kind !== entry.kind) return false;
  const isLike = saved.kind === 'link' || saved.isExecutable === entry.isExecutable;
  return isLike && host.blobId(saved.bytes, entry.id.length) === entry.id;
}

/** Why this difference cannot be shown by putting bytes into a tree. */
function whyNot(saved: SavedFile, entry: HeadEntry | null, bytes: Buffer | null): string | null {
  if (saved.kind === 'link' || entry?.kind === 'link') return 'it is a link, or was one';
  if (saved.kind === 'too_large') return 'it has more than 64 MiB';
  if (saved.kind === 'outside') return OUTSIDE;
  if (saved.kind === 'other') return 'it is no regular file';
  if (entry === null) return null;
  if (bytes === null) return 'git does not hold what HEAD has there';
  const isPointer = bytes.subarray(0, LFS_POINTER.length).equals(LFS_POINTER);
  return isPointer ? 'HEAD holds a pointer to it and not its content (Git LFS)' : null;
}

function changedFile(
  { host }: Product,
  components: readonly string[],
  before: Buffer | null,
  after: Buffer | null,
): ChangedFile {
  const digest = (bytes: Buffer | null): string | null => (bytes === null ? null : host.sha256([bytes]));
  const path = components.join('/');
  return { components, path, before, after, sha256Before: digest(before), sha256After: digest(after), mode: null };
}

/** What is there keeps its mode; what was deleted comes back as git would check it out. */
function modeOf(entry: HeadEntry | null, after: Buffer | null): number | null {
  if (after !== null) return null;
  return entry?.isExecutable === true ? 0o755 : 0o644;
}

/** The same file may be named by itself and through a link. */
function once<Item extends { readonly path: string }>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.path, item])).values()];
}
