/** How a JavaScript project is tested, by its own files; never a runner that is not installed. */
import type { DetectedSuite, ProjectFacts } from '../language.ts';
import { field, parseJson, text } from './json.ts';

/** What npm writes into a new package; it says that there are no tests. */
const NO_TESTS = /no test specified/iu;
const CONFIGURATIONS: readonly (readonly [pattern: RegExp, program: string, command: string])[] = [
  [/^vitest\.(?:config|workspace)\./u, 'vitest', 'vitest run'],
  [/^jest\.config\./u, 'jest', 'jest'],
  [/^\.mocharc\./u, 'mocha', 'mocha'],
];
const LOCKFILES: readonly (readonly [file: RegExp, manager: string])[] = [
  [/^pnpm-lock\.yaml$/u, 'pnpm'],
  [/^yarn\.lock$/u, 'yarn'],
  [/^bun\.lockb?$/u, 'bun'],
  [/^(?:package-lock|npm-shrinkwrap)\.json$/u, 'npm'],
];

/** Looks for the script `test`, then for the configuration of an installed runner. */
export function detectSuite(project: ProjectFacts): DetectedSuite | null {
  const manifest = project.read('package.json');
  if (manifest === null) return null;
  const names = project.list('.');
  const script = text(field(field(parseJson(manifest), 'scripts'), 'test'));
  if (script !== null && script.trim() !== '' && !NO_TESTS.test(script)) {
    const manager = managerOf(manifest, names);
    if (project.hasProgram(manager)) {
      const command = manager === 'bun' ? 'bun run test' : `${manager} test`;
      return { command, because: `package.json, scripts.test: ${script}` };
    }
  }
  for (const [pattern, program, command] of CONFIGURATIONS) {
    const file = names.find((name) => pattern.test(name));
    const isInstalled = project.list('node_modules/.bin').includes(program);
    if (file !== undefined && isInstalled) return { command: `npx ${command}`, because: file };
  }
  const hasJest = field(parseJson(manifest), 'jest') !== undefined;
  if (hasJest && project.list('node_modules/.bin').includes('jest')) {
    return { command: 'npx jest', because: 'package.json, jest' };
  }
  return null;
}

function managerOf(manifest: string, names: readonly string[]): string {
  const named = /^(npm|pnpm|yarn|bun)@/u.exec(text(field(parseJson(manifest), 'packageManager')) ?? '')?.[1];
  return named ?? LOCKFILES.find(([file]) => names.some((name) => file.test(name)))?.[1] ?? 'npm';
}
