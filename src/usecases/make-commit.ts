/** The commit itself: what its tree must be → git commit → what HEAD is now, read back and compared. */
import type { CommitGround, Committer, FileToCommit, Scratch } from '../io/git-commit.ts';
import type { CallContext } from '../model/call-context.ts';
import type { CommitReport, CommitRequest } from '../model/commit.ts';
import type { CommittedFile } from '../model/commit-facts.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { bytesDiffer, fromRoot, withFacts } from './commit-admission.ts';
import { judgeEnd, type MadeCommit } from './commit-ending.ts';
import type { Product } from './product.ts';

/** The files as they were looked at, and what is said of them. */
export interface Intended {
  readonly ground: CommitGround;
  readonly files: readonly FileToCommit[];
  readonly notes: readonly string[];
}

/** Commits the files; whoever calls holds the root and the index, and has refused what is to be refused. */
export async function makeCommit(
  { host }: Product,
  committer: Committer,
  { request, timeoutMs }: { readonly request: CommitRequest; readonly timeoutMs: number },
  { ground, files, notes }: Intended,
  scratch: Scratch,
  call: CallContext,
): Promise<Result<CommitReport>> {
  const allowHookChanges = request.allowHookChanges ?? false;
  const paths = files.map(({ path }) => path);
  const tree = await committer.treeToCommit(ground, paths, scratch);
  if (!tree.ok) return tree;
  const wanted = await committer.changesSince(ground, tree.value);
  if (!wanted.ok) return wanted;
  if (wanted.value.length === 0) {
    const same = paths.map((path) => fromRoot(ground, path)).join(', ');
    return fail(failure('NOTHING_TO_COMMIT', `HEAD holds these files as they are on disk: ${same}.`));
  }
  const stored = await compareStored(committer, ground, files, wanted.value);
  if (!stored.ok) return stored;
  const state = host.state();
  if (!state.ok) return state;
  const hooks = committer.makeHookFolder(scratch, ground, {
    tree: tree.value,
    pathsFile: scratch.write('paths', paths.map((path) => `${path}\0`).join('')),
    allowChanges: allowHookChanges,
  });
  if (!hooks.ok) return hooks;
  const free = await committer.waitForIndex(ground);
  if (!free.ok) return free;
  if (call.signal.aborted) return fail(failure('CANCELLED', 'Cancelled before anything was done.'));
  const announced = files.filter(({ isInIndex, headBlob }) => !isInIndex && headBlob === null).map(({ path }) => path);
  const id = host.newId();
  const run = {
    hookSettings: hooks.value.settings,
    messageFile: scratch.write('message', request.message),
    pathspecFile: scratch.write('pathspecs', paths.map((path) => `:(top,literal)${path}\0`).join('')),
    outputPath: state.value.outputs.add(id),
    hasBegun: () => hooks.value.read().began,
    timeoutMs,
    signal: call.signal,
  };
  const added = await committer.intendToAdd(ground, announced);
  if (!added.ok) return added;
  call.progress(`committing ${paths.length} ${paths.length === 1 ? 'file' : 'files'}`);
  const ran = await committer.runCommit(ground, run).catch(async (error: unknown) => {
    await committer.takeBackIntent(ground, announced);
    throw error;
  });
  if (!ran.ok) {
    const left = await committer.takeBackIntent(ground, announced);
    return withFacts(ran, { notes: left === null ? notes : [...notes, left] });
  }
  const outcome = ran.value;
  const head = await committer.readHead(ground);
  const end = { ground, outcome, log: hooks.value.read(), head, tree: tree.value, allowHookChanges, timeoutMs };
  const made = judgeEnd(end);
  const printed = { output: outcome.output, output_uri: `surepatch://output/${id}` };
  if (!made.ok) {
    const left = await committer.takeBackIntent(ground, announced);
    return withFacts(made, { ...printed, notes: left === null ? notes : [...notes, left] });
  }
  const report = await readBack(
    committer,
    { ground, files, notes: [...notes, ...stored.value] },
    tree.value,
    made.value,
  );
  return ok({ ...report, ...printed });
}

/** Bytes that git stores converted must at least be those that were looked at; says which they are, and what was staged. */
async function compareStored(
  committer: Committer,
  ground: CommitGround,
  files: readonly FileToCommit[],
  wanted: readonly CommittedFile[],
): Promise<Result<readonly string[]>> {
  const blobs = new Map(wanted.map(({ path, blob }) => [path, blob]));
  const notes: string[] = [];
  for (const { path, rawBlob, headBlob, stagedBlob, sha256, conversions } of files) {
    const blob = blobs.get(path);
    const shown = fromRoot(ground, path);
    if (blob === undefined) notes.push(`${shown} is in HEAD as it is on disk.`);
    if (stagedBlob !== null && stagedBlob !== headBlob && stagedBlob !== (blob === undefined ? headBlob : blob)) {
      notes.push(`What was staged of ${shown} is not what is on disk; git cat-file -p ${stagedBlob} shows it.`);
    }
    if (blob === undefined || blob === rawBlob) continue;
    const now = await committer.digestOnDisk(ground, path);
    if (now !== sha256) {
      const difference = {
        path: shown,
        sha256_expected: sha256,
        sha256_found: now,
        expected_by: 'first_look' as const,
      };
      return fail(bytesDiffer([difference]));
    }
    const by = conversions.length === 0 ? 'its settings (core.autocrlf)' : conversions.join(', ');
    notes.push(`git stores ${shown} converted by ${by}: digests are of the bytes on disk, the blob is not.`);
  }
  return ok(notes);
}

/** The commit stands by now, so what cannot be read of it is said, and fails nothing. */
async function readBack(
  committer: Committer,
  { ground, files, notes }: Intended,
  tree: string,
  made: MadeCommit,
): Promise<CommitReport> {
  const report: CommitReport = {
    success: true,
    commit: made.id,
    parent: ground.head,
    branch: ground.branch,
    files: [],
    output: null,
    error: null,
    notes: [...notes, ...made.notes],
  };
  const unread = (why: string): CommitReport => {
    const note = `The commit stands, but could not be read back: ${why}; git show ${made.id} shows it.`;
    return { ...report, notes: [...report.notes, note] };
  };
  try {
    const committed = await committer.changesSince(ground, made.id);
    if (!committed.ok) return unread(committed.failure.message);
    const changed = made.tree === tree ? ok([]) : await committer.changesSince({ ...ground, head: tree }, made.tree);
    if (!changed.ok) return unread(changed.failure.message);
    const hookChanges = changed.value.map(({ path }) => fromRoot(ground, path));
    const moved: string[] = [];
    for (const { path, sha256 } of files) {
      if ((await committer.digestOnDisk(ground, path)) !== sha256) moved.push(fromRoot(ground, path));
    }
    const said = [
      ...(hookChanges.length === 0
        ? []
        : [`Hooks changed what was committed: ${hookChanges.join(', ')}. The index may still hold what was named.`]),
      ...(moved.length === 0 ? [] : [`No longer on disk as it was named for the commit: ${moved.join(', ')}.`]),
    ];
    return {
      ...report,
      files: committed.value.map((file) => ({ ...file, path: fromRoot(ground, file.path) })),
      notes: [...report.notes, ...said],
      ...(hookChanges.length === 0 ? {} : { hook_changes: hookChanges }),
    };
  } catch (error) {
    return unread(error instanceof Error ? error.message : String(error));
  }
}
