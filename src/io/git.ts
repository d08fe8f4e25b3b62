/**
 * Asks git about one file: does it hold exactly these bytes, in HEAD and in the index? One process a question, none
 * where no repository is near. Must never change a repository, and never answer `clean` on less than proof.
 */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { GitState } from '../model/write-facts.ts';
import { askAll, readAnswers } from './git-answer.ts';
import type { GitObject } from './git-answer.ts';
import { createCatFile } from './git-process.ts';
import type { CatFile, GitProcessOptions } from './git-process.ts';
import { nearRepository } from './near-repository.ts';

export interface GitOptions {
  /** Absolute path of the git program, or null where the machine has none. */
  readonly gitProgram: string | null;
  readonly env: GitProcessOptions['env'];
}

interface GitQuestion {
  /** Real path of the root. */
  readonly root: string;
  /** The file, relative to the root, through no link. */
  readonly relativePath: string;
  /** What the file holds on disk. */
  readonly bytes: Uint8Array;
}

export interface GitFileReport {
  readonly state: GitState;
  /** The object that holds exactly the bytes asked about; null unless the state is `clean`. */
  readonly blob: string | null;
  /** What git would call the bytes asked about, where it names by SHA-256. */
  readonly name?: string;
  /** One sentence, where the state alone would mislead. */
  readonly note?: string;
}

export interface Git {
  /** Tells how git sees one file; never rejects, and says in the note why git could not answer. */
  inspectFile(question: GitQuestion): Promise<GitFileReport>;
  /** Reads the object that a report of the same file named; null when it is gone or is not what its id says. */
  readBlob(root: string, id: string, relativePath: string): Promise<Buffer | null>;
}

/** Makes the one way in which Surepatch asks git about a file. */
export function createGit({ gitProgram, env }: GitOptions): Git {
  const catFile = gitProgram === null ? null : createCatFile({ gitProgram, env });
  return {
    async inspectFile({ root, relativePath, bytes }) {
      const file = join(root, relativePath);
      if (nearRepository(dirname(file)) === null) return { state: 'no_repo', blob: null };
      if (catFile === null)
        return unknown('git was not found, so a backup is kept instead of relying on the repository');
      if (Buffer.from(relativePath).toString() !== relativePath) {
        return unknown('the name of the file is not valid Unicode, so git was not asked');
      }
      try {
        return await inspect(catFile, file, bytes);
      } catch (error) {
        return unknown(explain(error));
      }
    },
    async readBlob(root, id, relativePath) {
      if (catFile === null) return null;
      try {
        const blob = await catFile(dirname(join(root, relativePath)), ['blob', id], Buffer.alloc(0));
        return blobId(blob, id.length) === id ? blob : null;
      } catch {
        return null;
      }
    },
  };
}

async function inspect(catFile: CatFile, file: string, bytes: Uint8Array): Promise<GitFileReport> {
  // `./` makes git itself relate the folder to its worktree, and refuse where `core.worktree` points elsewhere.
  const name = `./${basename(file)}`;
  const questions = [`HEAD:${name}`, `:0:${name}`, `:1:${name}`, `:2:${name}`, `:3:${name}`, 'HEAD'];
  const { args, input } = askAll(questions);
  const output = await catFile(dirname(file), args, input);
  const [head, staged, one, two, three, commit] = readAnswers(questions, output);
  const unmerged = [one ?? null, two ?? null, three ?? null];
  const length = (commit ?? staged)?.id.length;
  const named = length === 64 ? { name: blobId(bytes, length) } : {};
  const tracked = (staged ?? null) !== null || unmerged.some((stage) => stage !== null);
  if (!tracked) return { state: 'untracked', blob: null, ...named };
  return holds(head, bytes) && holds(staged, bytes)
    ? { state: 'clean', blob: head.id }
    : { state: 'modified', blob: null, ...named };
}

function holds(object: GitObject | null | undefined, bytes: Uint8Array): object is GitObject {
  if (object?.type !== 'blob' || object.size !== bytes.length) return false;
  return object.id === blobId(bytes, object.id.length);
}

/** Names bytes as git does when no filter touches them; the length of an id tells the repository's hash. */
export function blobId(bytes: Uint8Array, idLength = 40): string {
  return createHash(idLength === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

function unknown(note: string): GitFileReport {
  return { state: 'no_repo', blob: null, note };
}

const REASONS = [
  [
    'dubious ownership',
    'git refuses this repository because another user owns it (see `git help config`, safe.directory)',
  ],
  ['outside working tree', 'the repository nearby has its worktree elsewhere (core.worktree or a bare repository)'],
  ['bare repository', 'the folder looks like a bare repository, which git does not trust inside another project'],
  ['not a git repository', 'there is a .git nearby that git does not accept as a repository'],
  ['timeout', 'git did not answer in time'],
] as const;

function explain(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const known = REASONS.find(([words]) => said.includes(words));
  if (known !== undefined) return known[1];
  return `git could not answer: ${said.trim().split('\n', 1)[0]?.slice(0, 200) ?? ''}`;
}
