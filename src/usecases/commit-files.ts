/** git_commit: locate → look → refuse or commit exactly the named files → read back → remember. */
import type { CommitGround, Committer, FileToCommit } from '../io/git-commit.ts';
import { refuseMessage } from '../engine/commit-message.ts';
import { refuseProtected } from '../engine/path-rules.ts';
import { repositoryPath, repositoryPaths } from '../engine/repository-path.ts';
import type { CallContext } from '../model/call-context.ts';
import type { CommitReport, CommitRequest } from '../model/commit.ts';
import { failure } from '../model/failure.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { bytesDiffer, differencesOf, fromRoot, refuseGround, withFacts } from './commit-admission.ts';
import { locateRoot, type Root } from './locate-target.ts';
import { makeCommit, type Intended } from './make-commit.ts';
import type { Product } from './product.ts';
import { eventOf, recordHistory } from './record-history.ts';
import { withLock, withRoot } from './with-root.ts';
import { writtenFiles, type WrittenFile } from './written-files.ts';

/** What hooks and signer together may take, the end by force included. */
const COMMIT_TIMEOUT_MS = 120_000;

const IN_SUBMODULE = 'The root is in a submodule: the repository around it still names the earlier commit.';

interface Order {
  readonly request: CommitRequest;
  readonly root: Root;
  /** Null: what write_fix wrote. */
  readonly named: readonly string[] | null;
  readonly expected: ReadonlyMap<string, string | null>;
  readonly timeoutMs: number;
}

/** Commits the named files as they are on disk, and nothing else. */
export async function commitFiles(
  product: Product,
  request: CommitRequest,
  call: CallContext,
  timeoutMs: number = COMMIT_TIMEOUT_MS,
): Promise<Result<CommitReport>> {
  const { host } = product;
  try {
    const order = admit(product, request, timeoutMs);
    if (!order.ok) return order;
    const { root } = order.value;
    const committer = host.committer(root.path);
    if (!committer.ok) return committer;
    return await withRoot(product, root, call, async ({ recovery }) => {
      const ground = await committer.value.findGround(root.path);
      if (!ground.ok) return ground;
      const unsettled = new Set(recovery.unresolved.map(({ file }) => file));
      // Roots may share a worktree, so its index has a lock of its own inside that of the root.
      const answer = await withLock(product, `index ${ground.value.gitFolder}`, call, () =>
        commitHere(product, committer.value, order.value, { ground: ground.value, unsettled }, call),
      );
      return withFacts(answer, { branch: ground.value.branch, parent: ground.value.head, notes: recovery.notes });
    });
  } catch (error) {
    return fail(host.diskFailure(error, 'to read the repository or to keep Surepatch’s own state'));
  }
}

function admit(product: Product, request: CommitRequest, timeoutMs: number): Result<Order> {
  const pathHost = process.platform === 'win32' ? 'windows' : 'posix';
  const unfit = refuseMessage(request.message);
  if (unfit !== null) return fail(unfit);
  const root = locateRoot(product, request.repoRoot);
  if (!root.ok) return root;
  const named = request.files === undefined ? ok(null) : repositoryPaths('files', request.files, pathHost);
  if (!named.ok) return named;
  if (named.value?.length === 0) {
    return fail(failure('INPUT_INVALID', 'files is empty; name at least one file, or leave it out.'));
  }
  const expected = new Map<string, string | null>();
  for (const [index, { path, sha256 }] of (request.expected ?? []).entries()) {
    const normal = repositoryPath('expected', path, index, pathHost);
    if (!normal.ok) return normal;
    expected.set(normal.value, sha256?.toLowerCase() ?? null);
  }
  for (const path of named.value ?? []) {
    if (path === '.') return fail(failure('NOT_A_FILE', 'files names the root; name the files one by one.'));
    const refusal = refuseProtected(path.split('/'));
    if (refusal !== null) return fail(refusal);
  }
  const stray = [...expected.keys()].find((path) => named.value?.includes(path) === false);
  if (stray !== undefined) {
    return fail(failure('INPUT_INVALID', `expected names ${stray}, which is not among files.`));
  }
  return ok({ request, root: root.value, named: named.value, expected, timeoutMs });
}

async function commitHere(
  product: Product,
  committer: Committer,
  order: Order,
  { ground, unsettled }: { readonly ground: CommitGround; readonly unsettled: ReadonlySet<string> },
  call: CallContext,
): Promise<Result<CommitReport>> {
  const refusal = refuseGround(ground, order.request);
  if (refusal !== null) return fail(refusal);
  const intended = await intend(product, committer, order, ground);
  if (!intended.ok) return intended;
  const { files } = intended.value;
  const pending = files.map(({ path }) => fromRoot(ground, path)).find((path) => unsettled.has(path));
  if (pending !== undefined) {
    return fail(failure('RECOVERY_PENDING', `${pending} was changed after a write that did not finish.`));
  }
  const unknown = await committer.missingIdentity(ground);
  if (unknown !== null) return fail(failure('IDENTITY_MISSING', `git does not know who commits: ${unknown}`));
  const scratch = product.host.openScratch(order.root);
  if (!scratch.ok) return scratch;
  try {
    const made = await makeCommit(product, committer, order, intended.value, scratch.value, call);
    return made.ok ? ok(await remember(product, order.root, ground, files, made.value, call)) : made;
  } finally {
    scratch.value.dispose();
  }
}

async function intend(
  { host }: Product,
  committer: Committer,
  { root, named, expected }: Order,
  ground: CommitGround,
): Promise<Result<Intended>> {
  const store = host.openHistory(root);
  if (!store.ok) return store;
  const standing = writtenFiles(store.value.read().records);
  const written = new Map<string, WrittenFile>();
  for (const [path, write] of standing) {
    if (named !== null && !named.includes(path)) continue;
    if (!(await committer.isCommittedSince(ground, ground.prefix + path, write.atMs))) written.set(path, write);
  }
  const paths = named ?? [...written.keys()];
  if (paths.length === 0) {
    return fail(failure('NOTHING_TO_COMMIT', 'write_fix wrote nothing here that is not committed.'));
  }
  const unnamed = [...expected.keys()].find((path) => !paths.includes(path));
  if (unnamed !== undefined) {
    return fail(failure('INPUT_INVALID', `expected names ${unnamed}, which is not among the files to commit.`));
  }
  const looked = await committer.lookAtFiles(
    ground,
    paths.map((path) => ground.prefix + path),
  );
  if (!looked.ok) return looked;
  const differences = differencesOf(ground, looked.value, expected, written);
  if (differences.length > 0) return fail(bytesDiffer(differences));
  return ok({ ground, files: looked.value, notes: ground.superproject === null ? [] : [IN_SUBMODULE] });
}

async function remember(
  product: Product,
  root: Root,
  ground: CommitGround,
  files: readonly FileToCommit[],
  report: CommitReport,
  call: CallContext,
): Promise<CommitReport> {
  const revision = product.revisions.raise(root.path);
  const recorded = await recordHistory(
    product,
    root,
    eventOf(call, {
      kind: 'commit',
      id: report.commit ?? '',
      outcome: 'committed',
      revision,
      files: files.map(({ path, sha256, headBlob }) => ({
        path: fromRoot(ground, path),
        sha256Before: null,
        sha256After: sha256,
        preimage: headBlob === null ? null : { blob: headBlob, backup: null },
      })),
    }),
  );
  const unrecorded = recorded.ok
    ? []
    : [`The commit stands, but the history has no record: ${recorded.failure.message}`];
  return { ...report, revision, notes: [...report.notes, ...unrecorded] };
}
