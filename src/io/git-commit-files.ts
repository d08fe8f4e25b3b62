/**
 * What is known of each file that is to be committed: its bytes on disk, and its entries in HEAD and in the index.
 * Follows no link. Changes nothing.
 */
import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failure, type Failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { refusedBy, type AskGit, type CommitGround } from './git-commit-ground.ts';
import { nearRepository } from './near-repository.ts';

export interface FileToCommit {
  /** Relative to the worktree, with `/`. */
  readonly path: string;
  /** Of the bytes on disk, or of a link's text; null where nothing is there. */
  readonly sha256: string | null;
  /** What git would call those bytes when no filter touches them; null where nothing is there. */
  readonly rawBlob: string | null;
  readonly headBlob: string | null;
  /** What is staged; null where the index does not know the file, or only that it is to come. */
  readonly stagedBlob: string | null;
  readonly isInIndex: boolean;
  /** Attributes and settings by which git stores other bytes than those on disk. */
  readonly conversions: readonly string[];
}

/** Looks at files given relative to the worktree, each once. */
export async function lookAtFiles(
  { worktree, head }: CommitGround,
  paths: readonly string[],
  ask: AskGit,
): Promise<Result<readonly FileToCommit[]>> {
  for (const path of paths) {
    const refusal = refusePlace(worktree, path);
    if (refusal !== null) return fail(refusal);
  }
  const literal = { GIT_LITERAL_PATHSPECS: '1' };
  const [index, tree, attributes, format] = await Promise.all([
    ask(worktree, ['ls-files', '-s', '-v', '-z', '--', ...paths], literal),
    head === null ? null : ask(worktree, ['ls-tree', '-r', '-z', '--full-tree', head, '--', ...paths], literal),
    ask(worktree, ['check-attr', '-z', 'filter', 'text', 'eol', 'ident', 'working-tree-encoding', '--', ...paths]),
    ask(worktree, ['rev-parse', '--show-object-format']),
  ]);
  for (const needed of [index, tree, attributes]) {
    if (needed?.succeeded === false) return fail(refusedBy(needed));
  }
  const staged = entriesOf(index.stdout, /^([A-Za-z]) [0-7]{6} ([0-9a-f]+) [0-3]$/u);
  const committed = entriesOf(tree?.stdout ?? '', /^([0-7]{6}) [a-z]+ ([0-9a-f]+)$/u);
  const conversions = conversionsOf(attributes.stdout);
  const files: FileToCommit[] = [];
  for (const path of paths) {
    const entry = staged.get(path);
    if (entry?.word === 'S' || entry?.word === 's') return fail(sparse(path));
    if (entry !== undefined && entry.word !== entry.word.toUpperCase()) return fail(assumedUnchanged(path));
    const digests = await digestsOf(join(worktree, path), format.stdout === 'sha256' ? 'sha256' : 'sha1');
    const headBlob = committed.get(path)?.id ?? null;
    if (digests === null && headBlob === null && entry === undefined) return fail(unknownFile(path));
    if (entry === undefined && headBlob === null) {
      // It knows no literal pathspecs; nothing that begins with `./` is anything else than a name.
      const ignored = await ask(worktree, ['check-ignore', '--quiet', '--', `./${path}`]);
      if (ignored.succeeded) return fail(ignoredFile(path));
    }
    const isToCome = entry !== undefined && headBlob === null && EMPTY_BLOBS.has(entry.id);
    files.push({
      path,
      sha256: digests?.sha256 ?? null,
      rawBlob: digests?.blob ?? null,
      headBlob,
      stagedBlob: entry === undefined || isToCome ? null : entry.id,
      isInIndex: entry !== undefined,
      conversions: conversions.get(path) ?? [],
    });
  }
  return ok(files);
}

/** An entry that is only intended to be added names the empty blob. */
const EMPTY_BLOBS = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

/** SHA-256 of what is on disk under a path, or of a link's text; null where nothing is. */
export async function digestOnDisk(file: string): Promise<string | null> {
  return (await digestsOf(file, 'sha1'))?.sha256 ?? null;
}

async function digestsOf(file: string, format: 'sha1' | 'sha256') {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  const [sha256, blob] = [createHash('sha256'), createHash(format)];
  const take = (bytes: Buffer): void => {
    sha256.update(bytes);
    blob.update(bytes);
  };
  blob.update(`blob ${found.size}\0`);
  if (found.isSymbolicLink()) take(readlinkSync(file, { encoding: 'buffer' }));
  else for await (const bytes of createReadStream(file)) if (Buffer.isBuffer(bytes)) take(bytes);
  return { sha256: sha256.digest('hex'), blob: blob.digest('hex') };
}

/** A place that git would not take, or would take for another one. */
function refusePlace(worktree: string, path: string): Failure | null {
  const components = path.split('/');
  for (let depth = 1; depth < components.length; depth++) {
    const above = components.slice(0, depth).join('/');
    const found = lstatSync(join(worktree, above), { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true) {
      return failure('NOT_A_FILE', `${path} lies behind the link ${above}; name the file by its own path.`);
    }
  }
  if (nearRepository(dirname(join(worktree, path))) !== worktree) {
    return failure('NESTED_REPOSITORY', `${path} lies in another repository inside this one, such as a submodule.`);
  }
  const found = lstatSync(join(worktree, path), { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isSymbolicLink()) return null;
  return failure('NOT_A_FILE', `${path} is not a regular file; name the files one by one.`);
}

function entriesOf(listing: string, line: RegExp): ReadonlyMap<string, { readonly word: string; readonly id: string }> {
  const entries = new Map<string, { word: string; id: string }>();
  for (const entry of listing.split('\0')) {
    const tab = entry.indexOf('\t');
    const [, word, id] = line.exec(entry.slice(0, tab)) ?? [];
    if (tab >= 0 && word !== undefined && id !== undefined) entries.set(entry.slice(tab + 1), { word, id });
  }
  return entries;
}

/** `path NUL attribute NUL value NUL`, over and over; only what changes bytes is kept. */
function conversionsOf(listing: string): ReadonlyMap<string, readonly string[]> {
  const fields = listing.split('\0');
  const found = new Map<string, string[]>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', attribute = '', value = ''] = fields.slice(at, at + 3);
    if (['unspecified', 'unset'].includes(value)) continue;
    found.set(path, [...(found.get(path) ?? []), value === 'set' ? attribute : `${attribute}=${value}`]);
  }
  return found;
}

function sparse(path: string) {
  return failure(
    'PATH_SPARSE',
    `${path} is left out of this sparse checkout, so git would not commit what is on disk.`,
  );
}

function assumedUnchanged(path: string) {
  return failure('PATH_SPARSE', `${path} is marked as assumed unchanged, so git would not look at what is on disk.`, {
    hint: `Run git update-index --no-assume-unchanged on it, then call again.`,
  });
}

function unknownFile(path: string) {
  return failure('FILE_NOT_FOUND', `There is no file ${path}, neither on disk nor in HEAD nor in the index.`, {
    hint: 'Name a file that exists, or one that was deleted and is in HEAD; git status lists both.',
  });
}

function ignoredFile(path: string) {
  return failure('PATH_IGNORED', `${path} is ignored by git and was never committed.`);
}
