/**
 * What stands around the hunks: text before, file headers, a code fence, a mail signature. Text is skipped only where it
 * cannot be a damaged piece of the patch; kinds of patch that are not edits of one file in place are refused by name.
 */
import { type Failure, failure } from '../../model/failure.ts';
import { fail, ok, type Result } from '../../model/result.ts';
import { gitLineNames, headerName } from './names.ts';
import type { PatchReader } from './patch-reader.ts';
import { isSignature, startsFile } from './recount.ts';
import { showText } from './show.ts';
import { contextDiff, deletesFile, refuseFormat, refuseLine, severalFiles, startsAnotherFile } from './unsupported.ts';

export interface Envelope {
  readonly header: string;
  readonly names: readonly string[];
  readonly creates: boolean;
  /** The marks of a code fence that is still open where the hunks begin. */
  readonly fence: string | undefined;
}

const FENCE = /^(`{3,}|~{3,})/;

/** Reads everything before the first hunk and leaves the reader at its header. */
export function readEnvelope(reader: PatchReader): Result<Envelope> {
  let gitNames: readonly string[] | undefined;
  let [creates, fence] = [false, ''];
  let format: Failure | undefined;
  let bodyLike: number | undefined;
  while (!reader.done) {
    const line = reader.peek();
    const refused = refuseLine(line, reader.line, gitNames !== undefined);
    if (refused !== undefined) return fail(refused);
    if (startsContextDiff(reader)) return fail(contextDiff(reader.line));
    if (startsFile(reader)) return readFileHeader(reader, creates, fence);
    if (line.startsWith('@@ -')) {
      if (gitNames === undefined && bodyLike !== undefined)
        return damaged(bodyLike, 'looks like a hunk without its header');
      return ok({ header: '', names: gitNames ?? [], creates, fence: fence === '' ? undefined : fence });
    }
    if (line.startsWith('@@') || line.includes('@@ -'))
      return damaged(reader.line, `is a damaged hunk header: \`${showText(line)}\``);
    if (/^(?:---|\+\+\+) ./.test(line))
      return damaged(reader.line, `is half of a file header; \`---\` and \`+++\` belong together`);
    if (line.startsWith('diff --git ')) {
      if (gitNames !== undefined) return fail(severalFiles(reader.line));
      gitNames = gitLineNames(line.slice('diff --git '.length));
    }
    creates ||= gitNames !== undefined && line.startsWith('new file mode ');
    fence = nextFence(fence, line);
    format ??= refuseFormat(line, reader.line);
    if (/^[+-]/.test(line)) bodyLike ??= reader.line;
    reader.skip();
  }
  if (format !== undefined) return fail(format);
  return fail(failure('PATCH_EMPTY', 'The patch holds no hunk (no line like `@@ -12,7 +12,8 @@`).'));
}

function readFileHeader(reader: PatchReader, creates: boolean, fence: string): Result<Envelope> {
  const lines = [reader.peek(), reader.peekNext()].map((line) => headerName(line.slice(4)));
  const header = reader.raw();
  reader.skip();
  const plusLine = reader.line;
  const envelope = header + reader.raw();
  reader.skip();
  const [oldName, newName] = lines;
  if (oldName === undefined || newName === undefined) return damaged(plusLine, 'or the line before it names no file');
  if (newName === '/dev/null') return fail(deletesFile(plusLine));
  if (reader.done) return fail(failure('PATCH_EMPTY', 'The patch has file headers but no hunk.'));
  const next = reader.peek();
  const refused = refuseLine(next, reader.line, true);
  if (refused !== undefined) return fail(refused);
  if (!next.startsWith('@@'))
    return damaged(reader.line, `stands where the first hunk header belongs: \`${showText(next)}\``);
  const isNew = creates || oldName === '/dev/null';
  const names = oldName === '/dev/null' ? [newName] : [oldName, newName];
  return ok({ header: envelope, names, creates: isNew, fence: fence === '' ? undefined : fence });
}

/** Checks that nothing of the patch follows the last hunk; undefined when all is well. */
export function refuseTail(reader: PatchReader, fence: string | undefined): Failure | undefined {
  let open = fence;
  let signed = false;
  while (!reader.done) {
    const line = reader.peek();
    if (open !== undefined && nextFence(open, line) === '') {
      open = undefined;
    } else if (!signed && isSignature(reader)) {
      signed = true;
      const text = reader.peekNext();
      if (text !== '' && !FENCE.test(text)) reader.skip();
    } else if (startsAnotherFile(line)) {
      return severalFiles(reader.line);
    } else if (line !== '') {
      const message = `Patch line ${reader.line} follows the last hunk and is not part of it: \`${showText(line)}\`.`;
      return failure('PATCH_MALFORMED', message, {
        hint: 'Cut what follows the patch, or mend the hunk it belongs to.',
      });
    }
    reader.skip();
  }
  if (open === undefined) return undefined;
  return failure('PATCH_MALFORMED', 'The code fence around the patch is not closed; the patch may be cut off.', {
    hint: 'Send the whole patch, without a fence.',
  });
}

function startsContextDiff(reader: PatchReader): boolean {
  return reader.peek().startsWith('*** ') && reader.peekNext().startsWith('--- ');
}

/** The fence that is open after a line: the marks of the opening line, or nothing. */
function nextFence(open: string, line: string): string {
  const marks = FENCE.exec(line)?.[1];
  if (marks === undefined) return open;
  if (open === '') return marks;
  return line.trimEnd() === marks && marks.startsWith(open) ? '' : open;
}

function damaged(line: number, what: string): { readonly ok: false; readonly failure: Failure } {
  return fail(failure('PATCH_MALFORMED', `Patch line ${line} ${what}.`));
}
