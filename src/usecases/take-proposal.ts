/** `edits` or a diff of several files → the bytes of each file before and after. Reads every file once; writes nothing. */
import { isAbsolute, join } from 'node:path';
import { applyPatch, FILE_LIMIT_BYTES } from '../engine/patch/apply.ts';
import { readSections, withSection, type FileSection } from '../engine/patch/sections.ts';
import { componentsBelow, refuseProtected, refuseUnusable } from '../engine/path-rules.ts';
import { repositoryPath } from '../engine/repository-path.ts';
import { failure, FAILURES, type Failure } from '../model/failure.ts';
import type { ProposedFile, VerifyRequest } from '../model/proposal.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { locateTarget, type Root } from './locate-target.ts';
import type { Product } from './product.ts';

/** Most bytes of a proposal, all its files together. */
const PROPOSAL_LIMIT_BYTES = 256 * 1024 * 1024;
const NEW_FILE_MODE = 0o644;
const SAVED = 'What is on disk already is verified by its paths instead of a diff (paths, the saved form).';
const INSIDE = 'Name each file relative to the root of the repository, and no link that leaves it.';

/** Takes in a proposal in either form; fails without a verdict where any part of it cannot be judged. */
export function takeProposal(
  product: Product,
  root: Root,
  { edits, unifiedDiff }: VerifyRequest,
): Result<readonly ProposedFile[]> {
  if (edits !== undefined && unifiedDiff !== undefined) {
    return fail(failure('AMBIGUOUS_FORM', 'Both `edits` and `unifiedDiff` were passed.'));
  }
  const files =
    unifiedDiff !== undefined ? fromDiff(product, root, unifiedDiff) : fromEdits(product, root, edits ?? []);
  if (!files.ok) return files;
  const bytes = files.value.reduce((sum, { after }) => sum + after.byteLength, 0);
  if (bytes <= PROPOSAL_LIMIT_BYTES) return files;
  return fail(failure('FILE_TOO_LARGE', 'The proposed contents have more than 256 MiB.'));
}

function fromEdits(
  product: Product,
  root: Root,
  edits: NonNullable<VerifyRequest['edits']>,
): Result<readonly ProposedFile[]> {
  if (edits.length === 0) {
    const message = 'verifyDiff: no edits provided (pass `edits` or `unifiedDiff`)';
    return fail(failure('NOTHING_TO_VERIFY', message));
  }
  return takeAll(edits, ({ path: given, newContent }, index) => {
    if (/[/\\]$/u.test(given)) return fail(failure('NOT_A_FILE', `${given} names a folder.`));
    const normalized = repositoryPath('edits', given, index, product.host.pathHost);
    if (!normalized.ok) return normalized;
    const path = normalized.value;
    const place = locate(product, root, path, 'edits[].path');
    if (!place.ok) return place;
    if (!newContent.isWellFormed()) {
      return fail(failure('INPUT_INVALID', `newContent of ${path} holds half of a surrogate pair.`));
    }
    const after = Buffer.from(newContent);
    if (after.byteLength > FILE_LIMIT_BYTES) {
      return fail(failure('FILE_TOO_LARGE', `The new contents of ${path} have more than 64 MiB.`));
    }
    const { components, before } = place.value;
    if (before !== null && Buffer.from(before).equals(after)) {
      return fail(failure('ALREADY_APPLIED', `${path} already holds exactly these contents.`));
    }
    return ok(proposed(product, components, before, after, before === null ? NEW_FILE_MODE : null));
  });
}

function fromDiff(product: Product, root: Root, diff: string): Result<readonly ProposedFile[]> {
  const sections = readSections(diff);
  if (!sections.ok) return sections;
  return takeAll(sections.value, (section) => fromSection(product, root, section));
}

function fromSection(product: Product, root: Root, section: FileSection): Result<ProposedFile> {
  const { path, isNew, mode, patch } = section;
  const place = locate(product, root, path, 'A file name of the diff');
  if (!place.ok) return place;
  const { components, before } = place.value;
  if (before === null && !isNew) {
    const message = `diff did not apply to ${path} (stale base?): there is no such file.`;
    return fail(failure('FILE_NOT_FOUND', message, { hint: 'Name files from the root of the repository.' }));
  }
  if (before !== null && isNew && before.byteLength > 0) {
    const message = `diff did not apply to ${path} (stale base?): it creates the file, which is there already.`;
    return fail(failure('PATCH_CONFLICT', message));
  }
  if (patch === null) {
    if (before === null) return ok(proposed(product, components, before, Buffer.alloc(0), mode));
    return fail(failure('ALREADY_APPLIED', `${path} is there already, and empty.`));
  }
  const rewrite = applyPatch(patch, Buffer.from(before ?? Buffer.alloc(0)));
  if (!rewrite.ok) {
    const { code, message } = rewrite.failure;
    const isStale = code === 'PATCH_CONFLICT' || code === 'PATCH_AMBIGUOUS' || code === 'ALREADY_APPLIED';
    const where = isStale ? `diff did not apply to ${path} (stale base?)` : path;
    const offer = offerWhole(rewrite.failure, section);
    const hint = isStale && offer.details.suggested_diff === undefined ? `${offer.hint} ${SAVED}` : offer.hint;
    return fail({ ...offer, hint, message: `${where}: ${message}` });
  }
  const after = Buffer.concat(rewrite.value.pieces);
  return ok(proposed(product, components, before, after, before === null ? mode : null));
}

/** A suggestion for one of several sections would lose the others, so it is offered inside the whole diff. */
function offerWhole(cause: Failure, section: FileSection): Failure {
  const { suggested_diff: corrected, ...details } = cause.details;
  if (corrected === undefined) return cause;
  const whole = withSection(section, corrected);
  if (whole !== undefined) return { ...cause, details: { ...details, suggested_diff: whole } };
  return { ...cause, hint: details.conflicts?.[0]?.hint ?? FAILURES[cause.code].hint, details };
}

function proposed(
  { host }: Product,
  components: readonly string[],
  before: Uint8Array | null,
  after: Uint8Array,
  mode: number | null,
): ProposedFile {
  const sha256Before = before === null ? null : host.sha256([before]);
  return {
    components,
    path: components.join('/'),
    before,
    after,
    sha256Before,
    sha256After: host.sha256([after]),
    mode,
  };
}

interface Place {
  readonly components: readonly string[];
  readonly before: Uint8Array | null;
}

/** The file a path means, or the place where a new one may be made: no link on the way leaves the root, nothing is git's. */
function locate(product: Product, root: Root, path: string, argument: string): Result<Place> {
  const { host } = product;
  const unusable = refuseUnusable(argument, path);
  if (unusable !== null) return fail(unusable);
  if (isAbsolute(path)) {
    return fail(failure('INPUT_INVALID', `${path} is absolute; paths start at the root of the repository.`));
  }
  if (path.endsWith('/')) return fail(failure('NOT_A_FILE', `${path} names a folder.`));
  const named = componentsBelow([root.given, root.path], join(root.path, path));
  if (named === null) return fail(host.outsideRoot());
  const refusal = refuseProtected(named);
  if (refusal !== null) return fail(refusal);
  const target = locateTarget(product, root, join(root.path, ...named), argument);
  if (!target.ok) return target.failure.code === 'FILE_NOT_FOUND' ? newPlace(product, root, named) : target;
  const { components } = target.value;
  const folder = host.openDirectory(root.path, components.slice(0, -1));
  try {
    const read = host.readTarget(folder, components.at(-1) ?? '', FILE_LIMIT_BYTES);
    return read.ok ? ok({ components, before: read.value.bytes }) : read;
  } finally {
    folder.close();
  }
}

/** A new file: the folders that exist are followed, those that do not are made with it. */
function newPlace(product: Product, root: Root, named: readonly string[]): Result<Place> {
  for (let known = named.length - 1; known > 0; known -= 1) {
    const folder = product.host.followLinks(root.path, named.slice(0, known));
    if (!folder.ok && folder.failure.code === 'FILE_NOT_FOUND') {
      if (product.host.isNothingAt(join(root.path, ...named.slice(0, known)))) continue;
      return fail(failure('NOT_A_FILE', `${named.slice(0, known).join('/')} is a link that leads nowhere.`));
    }
    if (!folder.ok) return folder;
    const components = [...folder.value.components, ...named.slice(known)];
    const refusal = refuseProtected(components);
    if (refusal !== null) return fail(refusal);
    if (product.host.realFolder(join(root.path, ...folder.value.components)) === null) {
      return fail(failure('NOT_A_FILE', `${named.slice(0, known).join('/')} is not a folder.`));
    }
    return freeAt(product, root, components);
  }
  return freeAt(product, root, named);
}

/** A dangling link is something, and what it leads to is not ours to make. */
function freeAt({ host }: Product, root: Root, components: readonly string[]): Result<Place> {
  if (host.isInGitFolder(join(root.path, ...components.slice(0, -1)))) {
    return fail(failure('PATH_PROTECTED', `${components.join('/')} lies in a folder where git alone may write.`));
  }
  if (!host.isNothingAt(join(root.path, ...components))) {
    return fail(failure('NOT_A_FILE', `${components.join('/')} is a link that leads nowhere.`));
  }
  return ok({ components, before: null });
}

/** All or nothing; a file that is named twice is refused. */
function takeAll<Item>(
  items: readonly Item[],
  take: (item: Item, index: number) => Result<ProposedFile>,
): Result<readonly ProposedFile[]> {
  const files = new Map<string, ProposedFile>();
  for (const [index, item] of items.entries()) {
    const file = take(item, index);
    if (!file.ok) return file.failure.code === 'PATH_OUTSIDE_REPO' ? fail({ ...file.failure, hint: INSIDE }) : file;
    const { path } = file.value;
    if (files.has(path)) return fail(failure('DUPLICATE_PATH', `${path} is named twice.`));
    files.set(path, file.value);
  }
  for (const { components } of files.values()) {
    const both = components.map((_, count) => components.slice(0, count).join('/')).find((path) => files.has(path));
    if (both !== undefined) return fail(failure('INPUT_INVALID', `${both} would be a file and a folder.`));
  }
  return ok([...files.values()]);
}
