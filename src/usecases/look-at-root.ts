/** One look at a root for repo_overview: the state of git, the languages, the suites, and what the machine allows. */
import { countLanguages } from '../engine/file-languages.ts';
import { languages } from '../engine/languages/index.ts';
import type { Language, ProjectFacts } from '../engine/languages/language.ts';
import type { RootSight, ShadowOverview, SuiteOverview } from '../model/overview.ts';
import { authorise } from './authorise.ts';
import type { Product } from './product.ts';
import { projectFacts } from './project-facts.ts';
import type { Looked } from './root-looks.ts';

/** Runners that a JavaScript project has of its own. */
const RUNNERS = ['vitest', 'jest', 'mocha'];

/** Looks at a root, given by its real path; a commit that HEAD names anew without anybody's word is counted as a change. */
export async function lookAtRoot(
  product: Product,
  root: string,
  before: Looked<RootSight> | null,
): Promise<{ readonly seen: RootSight; readonly revision: number }> {
  const { host, revisions } = product;
  const { revision: begun } = revisions.current(root);
  const [files, isolation, shadow] = await Promise.all([
    host.lookAtFiles(root),
    host.runner.isolation(),
    shadowOf(product),
  ]);
  const seen = {
    git: files.git,
    fileCount: files.paths.length,
    languages: countLanguages(files.paths),
    suites: suitesOf(product, root),
    isolation,
    shadow,
    notes: files.notes,
  };
  const isNews = before !== null && before.seen.git?.head !== seen.git?.head && before.revision === begun;
  if (isNews && revisions.current(root).revision === begun) return { seen, revision: revisions.raise(root).revision };
  return { seen, revision: begun };
}

async function shadowOf({ host, shadowTier }: Product): Promise<ShadowOverview> {
  const { tier, reason } = await host.shadows.probe();
  const isChosen = shadowTier !== null && shadowTier !== tier;
  return isChosen && shadowTier === 'copy' ? { tier: shadowTier, reason: 'The operator chose it.' } : { tier, reason };
}

function suitesOf(product: Product, root: string): readonly SuiteOverview[] {
  const project = projectFacts(product.host, root);
  return languages.flatMap((language) => suiteOf(product, root, language, project) ?? []);
}

function suiteOf(product: Product, root: string, language: Language, project: ProjectFacts): SuiteOverview | null {
  const found = language.detect(project);
  const named = found ?? language.detect(withEveryRunner(project));
  if (named === null) return null;
  const { command, because } = named;
  const judged = authorise(product, root, command, []);
  const code = judged.ok ? null : judged.failure.code;
  return {
    language: language.id,
    command,
    because,
    installed: found !== null && code !== 'PROGRAM_NOT_FOUND',
    allowed: judged.ok || code === 'PROGRAM_NOT_FOUND',
    problem: judged.ok ? null : judged.failure.message,
  };
}

/** The project as it would be if the programs that its files name were there. */
function withEveryRunner(project: ProjectFacts): ProjectFacts {
  return {
    ...project,
    hasProgram: () => true,
    list: (folder) => [...project.list(folder), ...(folder === 'node_modules/.bin' ? RUNNERS : [])],
  };
}
