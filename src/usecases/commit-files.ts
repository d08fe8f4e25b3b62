/** git_commit: locate → look → refuse or commit exactly the named files → read back → remember. */
import { join } from 'node:path';
import type { CommitGround, Committer, FileToCommit } from '../io/git-commit.ts';
import { refuseMessage } from '../engine/commit-message.ts';
import { refuseProtected } from '../engine/path-rules.ts';
import { repositoryPath, repositoryPaths } from '../engine/repository-path.ts';
import type { CallContext } from '../model/call-context.ts';
import type { CommitReport, CommitRequest } from '../model/commit.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { HistoryEvent } from '../model/history.ts';
import { fail, ok, type Result } from '../model/result.ts';
import type { Revision } from '../model/write-facts.ts';
import { bytesDiffer, differencesOf, fromRoot, refuseGround, withFacts } from './commit-admission.ts';
import { recoveryPending, withFileLock } from './in-turn.ts';
import { locateRoot, type Root } from './locate-target.ts';
import { makeCommit, type Intended } from './make-commit.ts';
import type { Product } from './product.ts';
import { eventOf, recordHistory } from './record-history.ts';
import { recoverOtherRoots } from './recover-roots.ts';
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
    const elsewhere = await recoverElsewhere(product, order.value, call);
    const answer = await withRoot(product, root, call, async ({ recovery }) => {
      const ground = await committer.value.findGround(root.path);
      if (!ground.ok) return ground;
      const chosen = await choose(product, committer.value, order.value, ground.value);
      if (!chosen.ok) return chosen;
      const files = chosen.value.paths.map((path) => join(root.path, path));
      // Roots may share files and a worktree, so each file has a lock of its own inside that of the root, and the index
      // one inside those: what is being tested through another root is not committed before it is settled.
      const answer = await withFileLocks(product, files, call, () =>
        withLock(product, `index ${ground.value.gitFolder}`, call, async () => {
          // Another root of the same worktree may have committed while this call waited.
          const head = await committer.value.readHead(ground.value);
          const now = (head?.id ?? null) === ground.value.head ? ground : await committer.value.findGround(root.path);
          if (!now.ok) return now;
          return commitHere(product, committer.value, order.value, { ground: now.value, chosen: chosen.value }, call);
        }),
      );
      return withFacts(answer, { branch: ground.value.branch, parent: ground.value.head, notes: recovery.notes });
    });
    return withFacts(answer, { notes: elsewhere });
  } catch (error) {
    return fail(host.diskFailure(error, 'to read the repository or to keep Surepatch’s own state'));
  }
}

function admit(product: Product, request: CommitRequest, timeoutMs: number): Result<Order> {
  const { pathHost } = product.host;
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
  { ground, chosen }: { readonly ground: CommitGround; readonly chosen: Chosen },
  call: CallContext,
): Promise<Result<CommitReport>> {
  const refusal = refuseGround(ground, order.request) ?? refuseUnsettled(product, order.root, chosen);
  if (refusal !== null) return fail(refusal);
  const intended = await intend(committer, order, ground, chosen);
  if (!intended.ok) return intended;
  const { files } = intended.value;
  const unknown = await committer.missingIdentity(ground);
  if (unknown !== null) return fail(failure('IDENTITY_MISSING', `git does not know who commits: ${unknown}`));
  const scratch = product.host.openScratch(order.root);
  if (!scratch.ok) return scratch;
  try {
    const made = await makeCommit(product, committer, order, intended.value, scratch.value, call);
    const standing = made.ok ? made.value.commit : (made.failure.details.commit?.commit ?? null);
    if (standing === null) return made;
    const ending = { id: standing, outcome: made.ok ? 'committed' : made.failure.code };
    const { revision, notes } = await remember(product, order.root, ground, files, ending, call);
    if (made.ok) return ok({ ...made.value, revision, notes: [...made.value.notes, ...notes] });
    return withFacts(made, { revision, notes });
  } finally {
    scratch.value.dispose();
  }
}

/** Holds the files one inside the other, in one order for all callers. */
function withFileLocks<Value>(
  product: Product,
  files: readonly string[],
  call: CallContext,
  use: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return [...files].sort().reduceRight((inner, file) => () => withFileLock(product, file, call, inner), use)();
}

/** A write that did not finish may be taken back, through whichever root it was made. */
function refuseUnsettled(product: Product, root: Root, { paths }: Chosen): Failure | null {
  const wanted = new Map(paths.map((path) => [join(root.path, path), path]));
  const pending = unsettledIn(product).find(({ file, hasBackup }) => hasBackup && wanted.has(file));
  return pending === undefined ? null : recoveryPending(wanted.get(pending.file) ?? pending.file, pending.backup);
}

function unsettledIn({ host }: Product) {
  const state = host.state();
  return state.ok ? host.unsettledWrites(state.value.folder) : [];
}

/** Settles what died through other roots; holds nothing, so that two such calls cannot wait for each other. */
async function recoverElsewhere(product: Product, { root, named }: Order, call: CallContext) {
  const left = unsettledIn(product).filter((write) => write.root !== root.path);
  if (left.length === 0) return [];
  const store = product.host.openHistory(root);
  const paths = named ?? (store.ok ? [...writtenFiles(store.value.read().records).keys()] : []);
  const wanted = new Set(paths.map((path) => join(root.path, path)));
  const sentences: string[] = [];
  for (const file of new Set(left.map((write) => write.file))) {
    if (wanted.has(file)) sentences.push(...(await recoverOtherRoots(product, root, file, call)));
  }
  return sentences;
}

interface Chosen {
  /** Relative to the root, with `/`. */
  readonly paths: readonly string[];
  /** What write_fix left in those of them that it wrote. */
  readonly written: ReadonlyMap<string, WrittenFile>;
}

async function choose(
  { host }: Product,
  committer: Committer,
  { root, named, expected }: Order,
  ground: CommitGround,
): Promise<Result<Chosen>> {
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
  return ok({ paths: [...new Set(paths)], written });
}

async function intend(
  committer: Committer,
  { expected }: Order,
  ground: CommitGround,
  { paths, written }: Chosen,
): Promise<Result<Intended>> {
  const looked = await committer.lookAtFiles(
    ground,
    paths.map((path) => ground.prefix + path),
  );
  if (!looked.ok) return looked;
  const differences = differencesOf(ground, looked.value, expected, written);
  if (differences.length > 0) return fail(bytesDiffer(differences));
  return ok({ ground, files: looked.value, notes: ground.superproject === null ? [] : [IN_SUBMODULE] });
}

/** Whatever else is said of it: a commit that stands is counted and recorded. */
async function remember(
  product: Product,
  root: Root,
  ground: CommitGround,
  files: readonly FileToCommit[],
  ending: Pick<HistoryEvent, 'id' | 'outcome'>,
  call: CallContext,
): Promise<{ readonly revision: Revision; readonly notes: readonly string[] }> {
  const revision = product.revisions.raise(root.path);
  const recorded = await recordHistory(
    product,
    root,
    eventOf(call, {
      ...ending,
      kind: 'commit',
      revision,
      files: files.map(({ path, sha256, headBlob }) => ({
        path: fromRoot(ground, path),
        sha256Before: null,
        sha256After: sha256,
        preimage: headBlob === null ? null : { blob: headBlob, backup: null },
      })),
    }),
  );
  if (recorded.ok) return { revision, notes: [] };
  return { revision, notes: [`The commit stands, but the history has no record: ${recorded.failure.message}`] };
}
