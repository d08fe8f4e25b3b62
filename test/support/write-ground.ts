/** A real folder with one file to write, its journal, and what is in them: for the tests of the write path. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  lstatSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openDirectory, type DirectoryHandle } from '../../src/io/directory-handle.ts';
import { openJournal, type Journal, type WriteIntent } from '../../src/io/journal.ts';
import { readTarget, sha256 } from '../../src/io/target-file.ts';
import type { PlannedWrite } from '../../src/io/write-transaction.ts';
import { temporaryFolder } from './git-repo.ts';

export const ID = 'ab'.repeat(16);
export const TEMPORARY = `.reforge-${ID}.tmp`;
export const BACKUP = 'app.txt.reforge-bak';
export const BEFORE = 'before\n';
export const AFTER = 'after\n';
const KEY = Buffer.alloc(32, 1);

export interface WriteGround {
  readonly root: string;
  /** The folder of the target, open. */
  readonly folder: DirectoryHandle;
  readonly journal: Journal;
  readonly journalPath: string;
  path(name: string): string;
  /** What is in the target's folder: name → content, `-> target` or `folder`. */
  files(): Record<string, string>;
  /** Mode of a file in the target's folder, octal. */
  mode(name: string): string;
  /** A second journal on the same file, as the next process opens it. */
  reopen(): Journal;
  /** Cuts the journal down to a number of bytes. */
  cutJournal(length: number): void;
  plan(changes?: Partial<PlannedWrite>): PlannedWrite;
  intent(changes?: Partial<WriteIntent>): WriteIntent;
  dispose(): void;
}

/** Makes the ground; the target is `src/app.txt`. */
export function writeGround(before: string | Uint8Array = BEFORE, after: string | Uint8Array = AFTER): WriteGround {
  const temporary = temporaryFolder();
  const root = join(temporary.path, 'root');
  const state = join(temporary.path, 'state');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(state);
  const path = (name: string): string => join(root, 'src', name);
  writeFileSync(path('app.txt'), before);
  chmodSync(path('app.txt'), 0o640);
  const folder = openDirectory(root, ['src']);
  const journals = [openJournal(state, KEY)];
  const [journal] = journals;
  if (journal === undefined) throw new Error('no journal');
  const digests = { sha256Before: sha256([Buffer.from(before)]), sha256After: sha256([Buffer.from(after)]) };
  return {
    root,
    folder,
    journal,
    journalPath: join(state, 'journal'),
    path,
    files: () =>
      Object.fromEntries(
        readdirSync(join(root, 'src'))
          .sort()
          .map((name) => [name, contentOf(path(name))]),
      ),
    mode: (name) => (statSync(path(name)).mode & 0o7777).toString(8),
    reopen: () => {
      const opened = openJournal(state, KEY);
      journals.push(opened);
      return opened;
    },
    cutJournal: (length) => {
      truncateSync(join(state, 'journal'), length);
    },
    plan: (changes = {}) => {
      const preimage = readTarget(folder, 'app.txt', 1 << 20);
      if (!preimage.ok) throw new Error(preimage.failure.message);
      return {
        id: ID,
        root,
        folderComponents: ['src'],
        folder,
        name: 'app.txt',
        preimage: preimage.value,
        pieces: [Buffer.from(after)],
        sha256After: digests.sha256After,
        keepBackup: false,
        tested: true,
        ...changes,
      };
    },
    intent: (changes = {}) => ({
      id: ID,
      root,
      folder: ['src'],
      folderInode: folder.identity.ino.toString(),
      name: 'app.txt',
      ...digests,
      backup: BACKUP,
      temporary: TEMPORARY,
      keepBackup: false,
      tested: true,
      ...changes,
    }),
    dispose: () => {
      for (const opened of journals) opened.close();
      folder.close();
      temporary.dispose();
    },
  };
}

function contentOf(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return stat.isDirectory() ? 'folder' : readFileSync(path, 'latin1');
}

/** An error as the system gives it. */
export function systemError(code: string, errno = -1): Error {
  return Object.assign(new Error(code), { code, errno });
}

/** A function that fails as the disk does. */
export function failing(code: string): () => never {
  return () => {
    throw systemError(code);
  };
}
