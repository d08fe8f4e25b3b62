/** The changed files → what each language's examiner says of them. The examiners run in the shadow tree and only read. */
import { join } from 'node:path';
import { languages } from '../engine/languages/index.ts';
import type { Language } from '../engine/languages/language.ts';
import type { CallContext } from '../model/call-context.ts';
import type { Examination, ExaminationRequest, ExaminedFile, Finding } from '../model/examination.ts';
import type { ChangedFile } from '../model/proposal.ts';
import type { ShadowTree } from '../model/shadow.ts';
import type { Product } from './product.ts';

export interface KindOfFinding extends Finding {
  readonly tool: 'syntax' | 'imports';
}

export interface ChangeExamination {
  readonly files: readonly ExaminedFile[];
  /** What the change introduced. */
  readonly syntax: readonly Finding[];
  readonly imports: readonly Finding[];
  /** Everything that is wrong in either tree, whoever brought it. */
  readonly standing: { readonly before: readonly KindOfFinding[]; readonly after: readonly KindOfFinding[] };
  readonly undecided: readonly string[];
  /** Files that no examiner knows or could read, with the reason. */
  readonly unexamined: readonly { readonly path: string; readonly why: string }[];
  readonly durationMs: number;
}

const EXAMINER_LIMIT_MS = 60_000;
const NOTHING = new Uint8Array();

/** Examines the change, the languages side by side. `searchFolders` are where the project looks for its own modules. */
export async function examineChange(
  product: Product,
  tree: ShadowTree,
  files: readonly ChangedFile[],
  searchFolders: readonly string[],
  call: CallContext,
): Promise<ChangeExamination> {
  const started = performance.now();
  const answers = await Promise.all(
    languages.map(async (language) => {
      const own = files.filter(({ path }) => language.owns(path));
      const answer = own.length === 0 ? null : await ask(product, tree, language, own, searchFolders, call);
      return { own, answer };
    }),
  );
  const examined = answers.flatMap(({ answer }) => (answer?.ok === true ? [answer.examination] : []));
  const failed = answers.flatMap(({ own, answer }) =>
    answer?.ok === false ? own.map(({ path }) => ({ path, why: answer.why })) : [],
  );
  const unknown = files
    .filter(({ path }) => !languages.some((language) => language.owns(path)))
    .map(({ path }) => ({ path, why: 'no coverage can tell whether tests depend on such a file' }));
  const all = examined.flatMap((examination) => examination.files);
  return {
    files: all,
    syntax: all.flatMap(({ before, after }) => introduced(before?.syntax ?? [], after.syntax)),
    imports: examined.flatMap(({ imports }) => introduced(imports.before, imports.after)),
    standing: {
      before: [
        ...ofTool(
          'syntax',
          all.flatMap(({ before }) => before?.syntax ?? []),
        ),
        ...ofTool(
          'imports',
          examined.flatMap(({ imports }) => imports.before),
        ),
      ],
      after: [
        ...ofTool(
          'syntax',
          all.flatMap(({ after }) => after.syntax),
        ),
        ...ofTool(
          'imports',
          examined.flatMap(({ imports }) => imports.after),
        ),
      ],
    },
    undecided: examined.flatMap(({ undecided }) => undecided),
    unexamined: [...failed, ...unknown],
    durationMs: performance.now() - started,
  };
}

function ofTool(tool: KindOfFinding['tool'], findings: readonly Finding[]): readonly KindOfFinding[] {
  return findings.map((finding) => ({ ...finding, tool }));
}

/** What is wrong now and was not before. */
function introduced(before: readonly Finding[], after: readonly Finding[]): readonly Finding[] {
  const known = new Set(before.map(({ key }) => key));
  return after.filter(({ key }) => !known.has(key));
}

type Answer = { readonly ok: true; readonly examination: Examination } | { readonly ok: false; readonly why: string };

async function ask(
  { host }: Product,
  tree: ShadowTree,
  language: Language,
  files: readonly ChangedFile[],
  searchFolders: readonly string[],
  call: CallContext,
): Promise<Answer> {
  const { interpreter, words } = language.examiner(host.runtimeFolder);
  const program = programOf(host, tree, interpreter);
  if (program === null) return { ok: false, why: `no ${interpreter ?? 'node'} was found for this project` };
  const request: ExaminationRequest = {
    root: tree.root,
    files: files.map(({ path, before, after }) => ({
      path,
      before: before === null ? null : base64(before),
      // A file that is gone offers nothing, as an empty one does.
      after: base64(after ?? NOTHING),
    })),
    searchFolders,
  };
  const requestPath = join(tree.runFolder, `${language.id}.json`);
  const outputPath = join(tree.runFolder, `${language.id}.out`);
  host.writeRequest(requestPath, request);
  const { env } = host.buildEnvironment({ inherited: host.settings.env, root: tree.root, program });
  const outcome = await host.runner.run({
    command: [program.path, ...words, requestPath],
    cwd: tree.root,
    env,
    outputPath,
    timeoutMs: EXAMINER_LIMIT_MS,
    signal: call.signal,
    wrapper: tree.examinerWrapper ?? undefined,
  });
  const examination = outcome.ending === 'exited' ? host.readExamination(host.readLastLine(outputPath)) : null;
  if (examination !== null) return { ok: true, examination };
  const last = outcome.output.trimEnd().split('\n').at(-1) ?? '';
  return { ok: false, why: `the ${language.id} examiner broke down (${last.slice(0, 200)})` };
}

function programOf(host: Product['host'], tree: ShadowTree, name: string | null) {
  if (name === null) return { path: host.nodeProgram, origin: 'path' as const };
  const found = host.findProgram(name, tree.root, false);
  return found.ok ? found.value : null;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
