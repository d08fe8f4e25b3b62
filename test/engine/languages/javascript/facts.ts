/** Facts of a project that exists only as a table of its files. */
import type { ProjectFacts } from '../../../../src/engine/languages/language.ts';

export function factsOf(files: Readonly<Record<string, string>>, programs: readonly string[] = []): ProjectFacts {
  return {
    read: (path) => files[path] ?? null,
    list: (folder) => {
      const start = folder === '.' ? '' : `${folder}/`;
      const below = Object.keys(files).filter((path) => path.startsWith(start));
      return [...new Set(below.map((path) => path.slice(start.length).replace(/\/.*$/, '/')))];
    },
    hasProgram: (name) => programs.includes(name),
    hasPackageProgram: (name) => `node_modules/.bin/${name}` in files,
  };
}
