/** Files that steer a suite without being tests: what a runner reads before it runs anything. */

const STEERING = [
  /^(?:pytest\.ini|\.pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|conftest\.py|\.coveragerc|sitecustomize\.py|usercustomize\.py)$/u,
  /^(?:package\.json|tsconfig.*\.json|babel\.config\..+|\.babelrc.*|\.swcrc|\.npmrc|\.env.*)$/u,
  /^(?:vitest|vite|jest|mocha|ava|karma|playwright|cypress)\.(?:config|workspace|setup)\..+$/u,
  /^\.(?:mocharc|nycrc|c8rc|taprc).*$/u,
  /^(?:Makefile|makefile|GNUmakefile|justfile|Taskfile\.ya?ml)$/u,
];

/** True for configuration, set-up and fixtures that decide which tests run, or how. */
export function steersTests(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (STEERING.some((pattern) => pattern.test(name))) return true;
  return parts.slice(0, -1).some((part) => part === '__snapshots__' || part === '__mocks__');
}
