/**
 * Which parts of each changed file are to be shown to run, and where their probes stand: in the tree with the change, and,
 * for what the change deletes, in the tree without it. No probe shares its number with another.
 */
import type { ExaminedFile, SourceAnalysis } from '../../model/examination.ts';
import type { ChangedFile } from '../../model/proposal.ts';
import type { TestReport } from '../../model/suite.ts';
import { changedParts, type ChangedParts } from './changed-parts.ts';
import { placeProbes, type ProbedFile } from './place-probes.ts';

/** A changed file whose parts are known. */
export interface MeasuredFile {
  readonly examined: ExaminedFile;
  readonly changed: ChangedParts;
  readonly probed: ProbedFile;
  /** True where arms were left out because the file has the name of a test. */
  readonly isTakenForTest: boolean;
}

export interface DeletedPart {
  readonly file: string;
  readonly line: number;
  /** Number of its probe in the baseline; null where none can be placed. */
  readonly probe: number | null;
}

/** A text to be written, and the one that it stands for. */
export interface ProbedText {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly original: Uint8Array;
}

type Texts = Pick<ChangedFile, 'path' | 'before' | 'after'>;

const FIRST_PROBE = 1;

/** Finds and probes the changed parts of all files. */
export function measureFiles(
  proposal: readonly Texts[],
  examined: readonly ExaminedFile[],
  isNamedAsTest: (path: string) => boolean,
): readonly MeasuredFile[] {
  let next = FIRST_PROBE;
  return examined.map((file): MeasuredFile => {
    const all = changedParts(file.before, file.after);
    const isTakenForTest = isNamedAsTest(file.path) && all.arms.length + all.deletedArms.length > 0;
    const changed = isTakenForTest ? withoutArms(all) : all;
    const text = textOf(proposal.find(({ path }) => path === file.path)?.after ?? null);
    const probed = placeProbes(file.path, text ?? '', text === null ? unprobed(file.after) : file.after, changed, next);
    next += probed.parts.length + 1;
    return { examined: file, changed, probed, isTakenForTest };
  });
}

/** Deleted statements and arms are probed where they still are: in the tree of before. */
export function probeDeleted(
  proposal: readonly Texts[],
  files: readonly MeasuredFile[],
): { readonly deleted: readonly DeletedPart[]; readonly texts: readonly ProbedText[] } {
  let next = FIRST_PROBE + files.reduce((sum, { probed }) => sum + probed.parts.length + 1, 0);
  const deleted: DeletedPart[] = [];
  const texts: ProbedText[] = [];
  for (const { examined, changed } of files) {
    if (examined.before === null || changed.deleted.length + changed.deletedArms.length === 0) continue;
    const original = proposal.find(({ path }) => path === examined.path)?.before ?? null;
    const text = textOf(original);
    const wanted = { statements: changed.deleted, arms: changed.deletedArms };
    const before = text === null ? unprobed(examined.before) : examined.before;
    const probed = placeProbes(examined.path, text ?? '', before, wanted, next);
    next += probed.parts.length + 1;
    deleted.push(
      ...probed.parts.map(({ span, probe }): DeletedPart => ({ file: examined.path, line: span.line, probe })),
    );
    if (probed.text === null || original === null) continue;
    texts.push({ path: examined.path, bytes: Buffer.from(probed.text), original });
  }
  return { deleted, texts };
}

/**
 * A way through a test that its passing does not take (the words of an assertion, say) is no gap in the evidence, so the
 * arms of a file in which the run found tests are left out, whatever its name. Everything else has to show its arms.
 */
export function withoutArmsOfTests(files: readonly MeasuredFile[], { tests }: TestReport): readonly MeasuredFile[] {
  const collected = new Set(tests.map(({ file }) => file));
  return files.map((file): MeasuredFile => {
    if (!collected.has(file.examined.path)) return file;
    const parts = file.probed.parts.filter(({ isArm }) => !isArm);
    return { ...file, changed: withoutArms(file.changed), probed: { ...file.probed, parts } };
  });
}

function withoutArms(changed: ChangedParts): ChangedParts {
  return { ...changed, arms: [], deletedArms: [] };
}

/** A text that is not UTF-8 takes no probes; its parts are left to the coverage source. */
function unprobed(analysis: SourceAnalysis): SourceAnalysis {
  const bare = <Part extends object>(part: Part) => ({ ...part, probe: null });
  return {
    ...analysis,
    statements: analysis.statements.map(bare),
    arms: analysis.arms.map(bare),
    loadProbe: null,
  };
}

function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
}
