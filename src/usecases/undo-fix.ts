/** undo_fix: find the write → its bytes of before and after → what takes it out of the file as it is → land like a write. */
import { join } from 'node:path';
import { applyPatch, FILE_LIMIT_BYTES } from '../engine/patch/apply.ts';
import { formatChanges } from '../engine/patch/format-lines.ts';
import { bytesOfLines, lineChanges, linesOf } from '../engine/patch/line-changes.ts';
import { parsePatch, parsePatchBytes } from '../engine/patch/parse.ts';
import { unpatch } from '../engine/patch/unpatch.ts';
import type { CallContext } from '../model/call-context.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { HistoryFile, HistoryRecord } from '../model/history.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { UndoFacts } from '../model/undo-facts.ts';
import { undoReport, type UndoReport, type UndoRequest } from '../model/undo-report.ts';
import type { WriteFixReport } from '../model/write-report.ts';
import { inTurn } from './in-turn.ts';
import type { Change } from './intake.ts';
import { land } from './land.ts';
import { locateRoot, locateTarget, type Root, type Target } from './locate-target.ts';
import { findPreimage } from './preimage.ts';
import type { Product } from './product.ts';

interface Undoing {
  readonly root: Root;
  readonly target: Target;
  readonly record: HistoryRecord;
  readonly file: HistoryFile;
}

/** What becomes of the file, and the same as a diff. */
interface Inverse {
  readonly after: Buffer;
  readonly patch: Buffer;
}

/** Takes one earlier write out of its file; whatever else the file holds stays. */
export async function undoFix(product: Product, request: UndoRequest, call: CallContext): Promise<Result<UndoReport>> {
  try {
    const found = find(product, request);
    if (!found.ok) return found;
    const { record, target } = found.value;
    const said: UndoFacts = { undoes: record.id, file_path: target.path };
    const answer = await inTurn(product, found.value, call, (journal) =>
      withCurrent(product, found.value, async (current) => {
        const inverse = await inverseOf(product, found.value, current.preimage.bytes);
        if (!inverse.ok) return inverse;
        const { after, patch } = inverse.value;
        const rewrite = { pieces: [after], byteLength: after.length, notes: [], placed: [] };
        const change = { ...current, rewrite, sha256After: product.host.sha256([after]) };
        const landing = { tests: null, command: null, verified: null, kind: 'undo', of: record.id, patch } as const;
        return land(product, { ...found.value, ...landing }, change, journal, call);
      }),
    );
    return answer.ok ? ok(undoReport(answer.value, said)) : fail(withFacts(answer.failure, said));
  } catch (error) {
    // Writing and putting back answer for themselves, so what comes here was met before anything was written.
    return fail(product.host.diskFailure(error, 'to read the repository or to keep Surepatch’s own state'));
  }
}

function withFacts(why: Failure, said: UndoFacts): Failure {
  return { ...why, details: { ...why.details, undo: { ...why.details.undo, ...said } } };
}

function find(product: Product, { writeId, repoRoot }: UndoRequest): Result<Undoing> {
  const root = locateRoot(product, repoRoot);
  if (!root.ok) return root;
  const store = product.host.openHistory(root.value);
  if (!store.ok) return store;
  const { records } = store.value.read();
  const record = records.find(({ kind, id }) => id === writeId && (kind === 'write' || kind === 'undo'));
  const isTakenBack = records.some(({ kind, of }) => kind === 'rollback' && of === writeId);
  if (isTakenBack)
    return fail(failure('WRITE_UNKNOWN', `The write ${writeId} did not stay; there is nothing to undo.`));
  const file = record?.files[0];
  if (record === undefined || file === undefined) {
    return fail(failure('WRITE_UNKNOWN', `The history of this root knows no write ${writeId}.`));
  }
  const target = locateTarget(product, root.value, join(root.value.path, file.path));
  if (!target.ok) return target;
  if (target.value.path !== file.path) {
    return fail(failure('CONFLICT', `${file.path} is a link since the write, and the file behind it another one.`));
  }
  return ok({ root: root.value, target: target.value, record, file });
}

/** Opens the target's folder and reads the file for as long as `use` runs. */
async function withCurrent(
  { host }: Product,
  { root, target }: Undoing,
  use: (current: Omit<Change, 'rewrite' | 'sha256After'>) => Promise<Result<WriteFixReport>>,
): Promise<Result<WriteFixReport>> {
  const folderComponents = target.components.slice(0, -1);
  const name = target.components.at(-1) ?? '';
  const folder = host.openDirectory(root.path, folderComponents);
  try {
    const read = host.readTarget(folder, name, FILE_LIMIT_BYTES);
    return read.ok ? await use({ folder, folderComponents, name, preimage: read.value }) : read;
  } finally {
    folder.close();
  }
}

async function inverseOf(product: Product, undoing: Undoing, current: Buffer): Promise<Result<Inverse>> {
  const { root, file } = undoing;
  const currentSha256 = product.host.sha256([current]);
  if (currentSha256 === file.sha256Before) {
    return fail(failure('ALREADY_APPLIED', `${file.path} already is what it was before the write.`));
  }
  const preimage = await findPreimage(product, root, file);
  if (preimage === null) return fail(preimageGone(file));
  if (currentSha256 === file.sha256After) return ok({ after: preimage, patch: diffOf(current, preimage) });
  const postimage = postimageOf(product, undoing, preimage);
  if (!postimage.ok) return postimage;
  const unpatched = unpatch({ preimage, postimage: postimage.value, current });
  if (unpatched === null) return fail(conflict(file.path, preimage, postimage.value, current));
  const { changes } = unpatched;
  let at = 0;
  const lines: string[] = [];
  for (const { from, count, text } of changes) {
    lines.push(...unpatched.current.slice(at, from), ...text);
    at = from + count;
  }
  const after = bytesOfLines([...lines, ...unpatched.current.slice(at)]);
  return ok({ after, patch: formatChanges(unpatched.current, changes) });
}

function preimageGone({ path, preimage }: HistoryFile): Failure {
  const places = [
    ...(preimage?.backup === null || preimage?.backup === undefined ? [] : [`the backup ${preimage.backup} is gone`]),
    'git does not hold them',
  ].join(' or another file now, and ');
  return failure('PREIMAGE_GONE', `The bytes of ${path} before the write are lost: ${places}. Nothing was written.`);
}

/** The bytes that the write left, made anew from the kept patch, because the file went on since. */
function postimageOf({ host }: Product, { root, record, file }: Undoing, preimage: Buffer): Result<Buffer> {
  const changes = host.openChanges(root);
  if (!changes.ok) return changes;
  const text = record.patchSha256 === null ? null : changes.value.find(record.id, record.patchSha256);
  const lost = failure(
    'PREIMAGE_GONE',
    `${file.path} changed since the write, and the patch of the write is not kept any more. Nothing was written.`,
  );
  if (text === null) return fail(lost);
  const patch = record.kind === 'undo' ? parsePatchBytes(text) : parsePatch(text.toString('utf8'));
  const rewrite = patch.ok ? applyPatch(patch.value, preimage) : patch;
  if (!rewrite.ok) return fail(lost);
  const postimage = Buffer.concat(rewrite.value.pieces);
  return host.sha256([postimage]) === file.sha256After ? ok(postimage) : fail(lost);
}

const MOST_SHOWN = 20_000;

function conflict(path: string, preimage: Buffer, postimage: Buffer, current: Buffer): Failure {
  const message = `${path} changed where the write did, or too near to tell the two apart. Nothing was written.`;
  const undo_diff = shown(diffOf(postimage, preimage));
  const since_diff = shown(diffOf(postimage, current));
  return failure('CONFLICT', message, { details: { undo: { undoes: null, undo_diff, since_diff } } });
}

function shown(diff: Buffer): string {
  const text = diff.toString('utf8');
  if (text.length <= MOST_SHOWN) return text;
  return `${text.slice(0, text.lastIndexOf('\n', MOST_SHOWN))}\n[... ${text.length - MOST_SHOWN} characters left out ...]\n`;
}

/** The whole of both where they have too little in common for anything less. */
function diffOf(before: Buffer, after: Buffer): Buffer {
  const [old, next] = [linesOf(before), linesOf(after)];
  return formatChanges(old, lineChanges(old, next) ?? [{ from: 0, count: old.length, text: next }]);
}
