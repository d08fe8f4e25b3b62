/**
 * A diff of several files becomes one patch a file, or the refusal of what cannot be verified whole: a verdict on a part
 * must never read as one on the change. The sentences are those of `contracts/verify_change.md`.
 */
import { failure } from '../../model/failure.ts';
import type { Patch } from '../../model/patch.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { readHunkHeader } from './hunk-header.ts';
import { gitLineNames, headerName } from './names.ts';
import { DIFF_LIMIT_BYTES, parsePatch } from './parse.ts';
import { PatchReader } from './patch-reader.ts';
import { startsFile } from './recount.ts';

export interface FileSection {
  /** As the diff names it, without `a/` and `b/`. */
  readonly path: string;
  readonly isNew: boolean;
  /** Permission bits of a new file. */
  readonly mode: number;
  /** Null for a new file without a line. */
  readonly patch: Patch | null;
}

/** Most files of one diff. */
export const FILE_LIMIT = 1_000;

interface RawSection {
  readonly from: number;
  readonly names: string[];
  readonly header: string[];
  hunks: number;
}

/** Cuts a diff into its files. Fails with PATCH_UNSUPPORTED, PATCH_MALFORMED, PATCH_EMPTY, PATCH_TOO_LARGE or DUPLICATE_PATH. */
export function readSections(diff: string): Result<readonly FileSection[]> {
  if (Buffer.byteLength(diff) > DIFF_LIMIT_BYTES) {
    return fail(failure('PATCH_TOO_LARGE', `The patch has more than ${DIFF_LIMIT_BYTES / 1024 / 1024} MiB.`));
  }
  const bytes = Buffer.from(diff === '' || diff.endsWith('\n') ? diff : `${diff}\n`);
  const raw = cut(bytes);
  if (raw.length === 0) {
    const whole = parsePatch(diff);
    return whole.ok ? fail(failure('PATCH_MALFORMED', 'The diff names no file.', { hint: NAME_FILES })) : whole;
  }
  if (raw.length > FILE_LIMIT) return fail(failure('PATCH_TOO_LARGE', `The diff has more than ${FILE_LIMIT} files.`));
  const refusal = refuseKinds(raw);
  if (refusal !== null) return refusal;
  const sections: FileSection[] = [];
  for (const [index, section] of raw.entries()) {
    const read = readSection(section, bytes.toString('utf8', section.from, raw[index + 1]?.from ?? bytes.length));
    if (!read.ok) return read;
    if (sections.some(({ path }) => path === read.value.path)) {
      return fail(failure('DUPLICATE_PATH', `The diff has two sections for ${read.value.path}.`));
    }
    sections.push(read.value);
  }
  return ok(sections);
}

const NAME_FILES = 'Send a git diff, whose headers (`--- a/file`, `+++ b/file`) name each file.';

function cut(bytes: Buffer): readonly RawSection[] {
  const reader = new PatchReader(bytes);
  const sections: RawSection[] = [];
  let section: RawSection | undefined;
  const begin = (names: readonly string[]): RawSection => {
    const begun = { from: reader.at, names: [...names], header: [], hunks: 0 };
    sections.push(begun);
    return begun;
  };
  while (!reader.done) {
    const line = reader.peek();
    if (line.startsWith('diff --git ')) {
      section = begin(gitLineNames(line.slice('diff --git '.length)));
    } else if (startsFile(reader)) {
      if (section === undefined || section.hunks > 0 || hasFileHeader(section)) section = begin([]);
      section.names.length = 0;
      section.names.push(...[line, reader.peekNext()].flatMap((header) => headerName(header.slice(4)) ?? []));
      section.header.push(line, reader.peekNext());
      reader.skip();
    } else if (section !== undefined && line.startsWith('@@ -')) {
      section.hunks += 1;
      skipHunk(reader);
      continue;
    } else {
      section?.header.push(line);
    }
    reader.skip();
  }
  return sections;
}

function hasFileHeader({ header }: RawSection): boolean {
  return header.some((line) => line.startsWith('--- '));
}

/** Skips a header and the lines that it counts, so that `--- x` in a body is not taken for a header. */
function skipHunk(reader: PatchReader): void {
  const header = readHunkHeader(reader.bytes, reader.at);
  reader.skip();
  if (typeof header === 'string') return;
  let [old, next] = [header.old.count, header.new.count];
  while (!reader.done && old + next > 0) {
    const prefix = reader.peek().charAt(0);
    if (!['', ' ', '-', '+', '\\'].includes(prefix)) return;
    if (prefix !== '+' && prefix !== '\\') old -= 1;
    if (prefix !== '-' && prefix !== '\\') next -= 1;
    reader.skip();
  }
}

function refuseKinds(sections: readonly RawSection[]): Result<never> | null {
  const isBinary = (section: RawSection): boolean =>
    section.header.some((line) => /^(?:GIT binary patch|Binary files .* differ)$/u.test(line));
  if (sections.every(isBinary)) return unsupported('diff contains only binary changes; nothing verifiable');
  if (sections.some(isBinary)) {
    return unsupported('diff contains binary changes alongside text edits; binary changes cannot be verified');
  }
  for (const { names, header } of sections) {
    const said = (start: string): string | undefined =>
      header.find((line) => line.startsWith(start))?.slice(start.length);
    const name = plainName(names.find((one) => one !== '/dev/null') ?? 'a file');
    if (said('deleted file mode ') !== undefined || names[1] === '/dev/null') {
      return unsupported(
        `diff deletes ${name}; file deletions are not supported yet, verify that change manually`,
        'Delete the file another way, and verify the rest of the change.',
      );
    }
    for (const [word, plural] of [
      ['rename', 'renames'],
      ['copy', 'copies'],
    ] as const) {
      const [from, to] = [said(`${word} from `), said(`${word} to `)];
      if (from !== undefined || to !== undefined) {
        return unsupported(`diff ${plural} ${from ?? name} to ${to ?? name}; ${plural} are not supported yet`);
      }
    }
    if (said('old mode ') !== undefined || said('new mode ') !== undefined) {
      return unsupported(`diff changes the mode of ${name}; mode changes are not supported yet`);
    }
  }
  return null;
}

function unsupported(message: string, hint?: string): Result<never> {
  return fail(
    failure('PATCH_UNSUPPORTED', message, {
      hint: hint ?? 'Send the text edits alone; make that part of the change another way.',
    }),
  );
}

function readSection({ names, header, hunks }: RawSection, text: string): Result<FileSection> {
  const [oldName, newName = oldName] = names;
  if (oldName === undefined || newName === undefined) {
    return fail(failure('PATCH_MALFORMED', 'A file header of the diff names no file.', { hint: NAME_FILES }));
  }
  const path = plainName(newName);
  const newMode = header.find((line) => line.startsWith('new file mode '))?.slice('new file mode '.length);
  if (newMode !== undefined && !/^100[0-7]{3}$/u.test(newMode)) {
    return unsupported(`diff creates ${path} with mode ${newMode}; only regular files are supported`);
  }
  const isNew = newMode !== undefined || oldName === '/dev/null';
  const mode = newMode === '100755' ? 0o755 : 0o644;
  if (hunks === 0 && isNew) return ok({ path, isNew, mode, patch: null });
  const patch = parsePatch(text);
  return patch.ok ? ok({ path, isNew, mode, patch: patch.value }) : patch;
}

/** Takes off git's `a/` or `b/`; a diff made without them names the file as it is. */
function plainName(name: string): string {
  return name.replace(/^[abciow]\//u, '');
}
