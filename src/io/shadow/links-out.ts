/**
 * Finds every link of a whole tree that leads out of it, at whatever depth and in ignored folders too, by one walk that
 * opens each folder once. Follows no link into the walk, and lets other work of this process go on meanwhile.
 */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readlinkSync, type Dirent } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { isInside } from '../../model/inside.ts';
import { errnoOf } from '../disk-error.ts';
import { leadsTo, type OutsideLink } from './outside-places.ts';

export interface LinksOut {
  readonly links: readonly OutsideLink[];
  /** Why links of this tree may have been missed, a sentence each. */
  readonly notes: readonly string[];
}

/** Far more than repositories have; a tree without end must not keep a verification for ever. */
const MOST_ENTRIES = 2_000_000;
const AT_ONCE = 100;
/** Nothing but leading `..`: what such a target means needs no look at the folders that it names. */
const PLAIN_TARGET = /^(?:\.\.\/)*(?:(?!\.\.?(?:\/|$))[^/]+(?:\/|$))*$/u;

/** Links of the two upper levels and of the scopes of `node_modules` alone: those of a workspace, and quick to find. */
export function upperLinksOut(root: string): Promise<LinksOut> {
  return linksOut(root, MOST_ENTRIES, (folder) => !folder.includes('/') || /^node_modules\/@[^/]+$/u.test(folder));
}

/** Looks at one root (a real path). Names are taken byte for byte, for they need not be UTF-8. */
export async function linksOut(
  root: string,
  most = MOST_ENTRIES,
  isWanted: (folder: string) => boolean = () => true,
): Promise<LinksOut> {
  const top = Buffer.from(root).toString('latin1');
  const links: OutsideLink[] = [];
  const notes: string[] = [];
  const ahead = [''];
  let seen = 0;
  for (let folders = 1, folder = ahead.pop(); folder !== undefined; folder = ahead.pop(), folders += 1) {
    if (folders % AT_ONCE === 0) await breathe();
    const path = folder === '' ? top : `${top}/${folder}`;
    const entries = entriesOf(path);
    if (entries === null) notes.push(`${textOf(path)} cannot be listed; links in it were not looked at.`);
    for (const entry of entries ?? []) {
      seen += 1;
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (isWanted(name)) ahead.push(name);
      } else if (entry.isSymbolicLink() && mayLeadOut(top, path, entry.name)) {
        const target = leadsTo(bytesOf(`${top}/${name}`));
        if (target === null || isInside(root, target)) continue;
        if (target.includes('\uFFFD'))
          notes.push(`A link leads to ${target}, whose name cannot be said to the system.`);
        else links.push({ path: textOf(name), target });
      }
    }
    if (seen > most) {
      notes.push(`The repository holds more than ${most} entries; links beyond them were not looked at.`);
      break;
    }
  }
  return { links, notes };
}

/**
 * By its words alone, where they suffice: a target inside the root is reached through entries of the root only, and each
 * link among those is looked at for itself.
 */
function mayLeadOut(top: string, folder: string, name: string): boolean {
  const target = wordsOf(`${folder}/${name}`);
  if (target === null) return false;
  if (target.startsWith('/') || !PLAIN_TARGET.test(target)) return true;
  const ups = target.split('../').length - 1;
  const depth = folder === top ? 0 : folder.slice(top.length + 1).split('/').length;
  return ups > depth;
}

function wordsOf(link: string): string | null {
  try {
    return readlinkSync(bytesOf(link), 'latin1');
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    // It went away meanwhile.
    return null;
  }
}

function entriesOf(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(bytesOf(folder), { withFileTypes: true, encoding: 'latin1' });
  } catch (error) {
    // What went away meanwhile holds nothing.
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return [];
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function textOf(path: string): string {
  const bytes = bytesOf(path);
  return isUtf8(bytes) ? bytes.toString('utf8') : path;
}
