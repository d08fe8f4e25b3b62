/**
 * An open folder whose entries are named relative to the open descriptor, so that swapping a parent folder for a link
 * cannot redirect a read or a write. Never follows a link.
 */
import { closeSync, constants, existsSync, fstatSync, fsyncSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { closeDescriptor } from './write-file.ts';

const READ_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const DESCRIPTORS = '/proc/self/fd';

export interface FolderIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface DirectoryHandle {
  /** Real path at the time of opening, for messages and records; never used to open anything where `at` can be. */
  readonly path: string;
  readonly identity: FolderIdentity;
  /** Path that reaches the entry through the open descriptor (elsewhere than on Linux: the plain path). */
  at(name: string): string;
  /** Makes created, renamed and removed entries durable. */
  sync(): void;
  close(): void;
}

/**
 * Opens the folder reached from `root` by `components`, one at a time and without following links.
 * Throws ENOTDIR or ELOOP where a component is a link, ENOENT where one is missing.
 */
export function openDirectory(root: string, components: readonly string[]): DirectoryHandle {
  let handle = handleOf(root, openSync(root, READ_FOLDER));
  for (const component of components) {
    const parent = handle;
    try {
      const path = join(parent.path, component);
      handle = handleOf(path, openSync(parent.at(component), READ_FOLDER));
    } finally {
      parent.close();
    }
  }
  return handle;
}

function handleOf(path: string, descriptor: number): DirectoryHandle {
  const { dev, ino } = identityOf(descriptor);
  const base = existsSync(DESCRIPTORS) ? join(DESCRIPTORS, String(descriptor)) : path;
  const checkSamePlace = (): void => {
    const now = lstatSync(path, { bigint: true });
    if (now.dev !== dev || now.ino !== ino) throw new Error(`folder was replaced while in use: ${path}`);
  };
  return {
    path,
    identity: { dev, ino },
    at: (name) => {
      if (base === path) checkSamePlace();
      return join(base, name);
    },
    sync: () => {
      fsyncSync(descriptor);
    },
    close: () => {
      closeDescriptor(descriptor);
    },
  };
}

function identityOf(descriptor: number): FolderIdentity {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
