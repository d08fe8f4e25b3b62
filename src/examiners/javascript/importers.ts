/** Finds files that may use a name which a change took away. Reads the repository, and stops at a bound that it reports. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = /\.[mc]?[jt]sx?$/;
const PASSED_OVER = new Set(['node_modules', 'bower_components', 'dist', 'build', 'out', 'coverage']);
const MOST_FILES = 20_000;
const MOST_BYTES = 1024 * 1024;

export interface Importers {
  readonly paths: readonly string[];
  readonly isComplete: boolean;
}

/** Lists source files below `root` whose text holds one of the words. */
export function filesThatMention(root: string, words: readonly string[]): Importers {
  const paths: string[] = [];
  const folders = [root];
  let read = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !PASSED_OVER.has(entry.name)) folders.push(path);
      } else if (entry.isFile() && SOURCE.test(entry.name)) {
        read += 1;
        if (read > MOST_FILES) return { paths, isComplete: false };
        if (statSync(path).size <= MOST_BYTES && mentions(readFileSync(path, 'utf8'), words)) paths.push(path);
      }
    }
  }
  return { paths: paths.sort(), isComplete: true };
}

function mentions(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word));
}
