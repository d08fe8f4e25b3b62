/** Pictures of a folder: taken by the observer with plain reads, compared, and put back exactly for the next trial. */
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  /** Relative to the folder of the picture. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly inode: number;
  readonly links: number;
  /** The content of a file or the target of a link. */
  readonly bytes: Buffer;
}

export type Picture = readonly Entry[];

const NOTHING = Buffer.alloc(0);

/** Takes a picture of everything below a folder, in the order of the names. */
export function picture(folder: string, below = ''): Picture {
  const entries: Entry[] = [];
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    entries.push(entryAt(folder, path));
    if (entries.at(-1)?.kind === 'folder') entries.push(...picture(folder, path));
  }
  return entries;
}

function entryAt(folder: string, path: string): Entry {
  const full = join(folder, path);
  const stat = lstatSync(full);
  const { mode, uid, gid, ino, nlink } = stat;
  const shared = { path, mode: mode & 0o7777, uid, gid, inode: ino, links: stat.isDirectory() ? 1 : nlink };
  if (stat.isFile()) return { ...shared, kind: 'file', bytes: readFileSync(full) };
  if (stat.isSymbolicLink()) return { ...shared, kind: 'link', bytes: Buffer.from(readlinkSync(full)) };
  return { ...shared, kind: stat.isDirectory() ? 'folder' : 'other', bytes: NOTHING };
}

/** Makes a folder look like a picture again; folders that are in both keep their inode, as journal records need. */
export function putUp(folder: string, wanted: Picture): void {
  const folders = new Set(wanted.filter(({ kind }) => kind === 'folder').map(({ path }) => path));
  for (const { path, kind } of picture(folder).toReversed()) {
    if (kind !== 'folder' || !folders.has(path)) rmSync(join(folder, path), { recursive: true, force: true });
  }
  const byInode = new Map<number, string>();
  for (const entry of wanted) {
    const full = join(folder, entry.path);
    const twin = byInode.get(entry.inode);
    if (entry.kind === 'folder') mkdirSync(full, { recursive: true });
    else if (entry.kind === 'link') symlinkSync(entry.bytes.toString('utf8'), full);
    else if (twin === undefined) writeFileSync(full, entry.bytes);
    else linkSync(twin, full);
    if (entry.kind === 'link') continue;
    byInode.set(entry.inode, full);
    chownSync(full, entry.uid, entry.gid);
    chmodSync(full, entry.mode);
  }
}

/** One line per entry that differs, empty when both pictures show the same; inode numbers are not compared. */
export function differences(before: Picture, after: Picture): readonly string[] {
  const old = new Map(before.map((entry) => [entry.path, entry]));
  const lines: string[] = [];
  for (const entry of after) {
    const was = old.get(entry.path);
    old.delete(entry.path);
    if (was === undefined) lines.push(`${entry.path} appeared`);
    else if (!isSame(was, entry)) lines.push(`${entry.path} changed`);
  }
  return [...lines, ...[...old.keys()].map((path) => `${path} vanished`)];
}

/** True for the same bytes with the same kind, mode, owner and number of links. */
function isSame(one: Entry, other: Entry): boolean {
  return (
    one.kind === other.kind &&
    one.mode === other.mode &&
    one.uid === other.uid &&
    one.gid === other.gid &&
    one.links === other.links &&
    one.bytes.equals(other.bytes)
  );
}
