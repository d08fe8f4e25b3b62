/**
 * A diff of several files becomes one patch a file, or the refusal of what cannot be verified whole: a verdict on a part
 * must never read as one on the change.
 */
import { failure } from '../../model/failure.ts';
import { bytesOf, type ByteRange, type Patch } from '../../model/patch.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { readHunkHeader } from './hunk-header.ts';
import { gitLineNames, headerName } from './names.ts';
import { DIFF_LIMIT_BYTES, parsePatch } from './parse.ts';
import { PatchReader } from './patch-reader.ts';
import { startsFile } from './recount.ts';
import { onlyBinary, refuseKinds, refuseNewKind } from './section-kinds.ts';
import { hasPlainNames, namesOf, type SectionHeader } from './section-names.ts';
import { SUGGESTION_LIMIT } from './suggest.ts';

export interface FileSection {
  /** As the diff names it, without git's prefix. */
  readonly path: string;
  readonly isNew: boolean;
  /** Permission bits of a new file. */
  readonly mode: number;
  /** Null for a new file without a line. */
  readonly patch: Patch | null;
  /** Where it stands in the diff. */
  readonly place: ByteRange;
}

/** Most files of one diff. */
export const FILE_LIMIT = 1_000;

interface RawSection extends SectionHeader {
  /** Byte of the diff where it begins, and its line. */
  readonly from: number;
  readonly line: number;
  readonly gitNames: readonly string[];
  readonly headerNames: string[];
  readonly header: string[];
  hunks: number;
}

const NAME_FILES = 'Send a git diff, whose headers (`--- a/file`, `+++ b/file`) name each file.';
/** What git writes of a new file without a line. */
const EMPTY_FILE_HEADER = /^(?:new file mode \d+|index [0-9a-f]+\.\.[0-9a-f]+|)$/u;

/** Cuts a diff into its files. Fails with PATCH_UNSUPPORTED, PATCH_MALFORMED, PATCH_EMPTY, PATCH_TOO_LARGE or DUPLICATE_PATH. */
export function readSections(diff: string): Result<readonly FileSection[]> {
  const isText = diff.isWellFormed() && Buffer.byteLength(diff) <= DIFF_LIMIT_BYTES;
  if (!isText) return parseNameless(diff);
  const text = diff.replace(/^\ufeff/u, '');
  const bytes = Buffer.from(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const { sections: raw, strayLine } = cut(bytes);
  if (raw.length === 0) return /^Binary files .* differ\r?$/mu.test(text) ? onlyBinary() : parseNameless(text);
  if (raw.length > FILE_LIMIT) return fail(failure('PATCH_TOO_LARGE', `The diff has more than ${FILE_LIMIT} files.`));
  if (strayLine !== null) {
    const message = `Diff line ${strayLine} begins a hunk that belongs to no file.`;
    return fail(failure('PATCH_MALFORMED', message, { hint: NAME_FILES }));
  }
  const isPlain = hasPlainNames(raw);
  const refusal = refuseKinds(raw, isPlain);
  if (refusal !== null) return refusal;
  const sections: FileSection[] = [];
  for (const [index, section] of raw.entries()) {
    // What stands before the only section (text, a code fence) is the parser's to judge.
    const from = raw.length === 1 ? 0 : section.from;
    const place = { bytes, from, to: raw[index + 1]?.from ?? bytes.length };
    const read = readSection(section, place, isPlain);
    if (!read.ok) return raw.length === 1 ? read : inSection(section, isPlain, read.failure);
    if (sections.some(({ path }) => path === read.value.path)) {
      return fail(failure('DUPLICATE_PATH', `The diff has two sections for ${read.value.path}.`));
    }
    sections.push(read.value);
  }
  return ok(sections);
}

/** What names no file is refused, by the parser where it knows better why. */
function parseNameless(text: string): Result<never> {
  const whole = parsePatch(text);
  return whole.ok ? fail(failure('PATCH_MALFORMED', 'The diff names no file.', { hint: NAME_FILES })) : whole;
}

function inSection(section: RawSection, isPlain: boolean, cause: ReturnType<typeof failure>): Result<never> {
  const where = `In the section of ${namesOf(section, isPlain).path ?? 'a file'}`;
  return fail({ ...cause, message: `${where}: ${cause.message}` });
}

/** The whole diff with a corrected section in the place of the one it was made from; undefined where that is too much. */
export function withSection({ place, patch }: FileSection, corrected: string): string | undefined {
  const { bytes, from, to } = place;
  if (from === 0 && to === bytes.length) return corrected;
  if (bytes.length - (to - from) + corrected.length > SUGGESTION_LIMIT) return undefined;
  // What git writes before the names belongs to the section too.
  const header = bytes.indexOf(patch?.header ?? '', from);
  return `${bytes.toString('utf8', 0, header)}${corrected}${bytes.toString('utf8', to)}`;
}

function cut(bytes: Buffer): { readonly sections: readonly RawSection[]; readonly strayLine: number | null } {
  const reader = new PatchReader(bytes);
  const sections: RawSection[] = [];
  let section: RawSection | undefined;
  let strayLine: number | null = null;
  const begin = (gitNames: readonly string[]): RawSection => {
    const { at: from, line } = reader;
    const begun = { from, line, gitNames, headerNames: [], header: [], hunks: 0 };
    sections.push(begun);
    return begun;
  };
  while (!reader.done) {
    const line = reader.peek();
    if (line.startsWith('diff --git ')) {
      section = begin(gitLineNames(line.slice('diff --git '.length)));
    } else if (startsFile(reader)) {
      if (section === undefined || section.hunks > 0 || section.headerNames.length > 0) section = begin([]);
      section.headerNames.push(...[line, reader.peekNext()].flatMap((header) => headerName(header.slice(4)) ?? []));
      section.header.push(line, reader.peekNext());
      reader.skip();
    } else if (line.startsWith('@@ -')) {
      if (section === undefined) strayLine ??= reader.line;
      else section.hunks += 1;
      skipHunk(reader);
      continue;
    } else if (section !== undefined && section.hunks > 0 && /^(?:diff |Index: )/u.test(line)) {
      // Other tools write a line of their own before each file's names.
      section = begin([]);
    } else {
      section?.header.push(line);
    }
    reader.skip();
  }
  return { sections, strayLine };
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

function readSection(section: RawSection, place: ByteRange, isPlain: boolean): Result<FileSection> {
  const { path, isCreated, disagreement } = namesOf(section, isPlain);
  if (path === null || disagreement !== null) {
    const message = disagreement ?? 'A file header of the diff names no file.';
    return fail(failure('PATCH_MALFORMED', message, { hint: NAME_FILES }));
  }
  const newMode = section.header.find((line) => line.startsWith('new file mode '))?.slice('new file mode '.length);
  const refusal = refuseNewKind(path, newMode);
  if (refusal !== null) return refusal;
  const isNew = newMode !== undefined || isCreated;
  const mode = newMode === '100755' ? 0o755 : 0o644;
  if (newMode !== undefined && section.hunks === 0 && section.header.every((line) => EMPTY_FILE_HEADER.test(line))) {
    return ok({ path, isNew, mode, patch: null, place });
  }
  const patch = parsePatch(bytesOf(place).toString('utf8'), place.from === 0 ? 1 : section.line);
  return patch.ok ? ok({ path, isNew, mode, patch: patch.value, place }) : patch;
}
