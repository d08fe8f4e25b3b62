/** The facts of a project that is only a list of paths, with texts for some of them. */
import type { ProjectFacts } from '../../src/engine/languages/language.ts';

export function projectOf(paths: readonly string[], texts: Readonly<Record<string, string>> = {}): ProjectFacts {
  const all = [...paths, ...Object.keys(texts)];
  return {
    read: (path) => texts[path] ?? (paths.includes(path) ? '' : null),
    list: (folder) => {
      const start = folder === '' || folder === '.' ? '' : `${folder}/`;
      const below = all.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
      return [...new Set(below.map((path) => path.replace(/\/.*$/u, '/')))].sort();
    },
    hasProgram: () => false,
    hasPackageProgram: () => false,
  };
}
