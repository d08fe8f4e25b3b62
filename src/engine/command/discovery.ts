/**
 * Sees whether the folders that a command names hold every test that the runner would find by itself, by looking for
 * files outside them that could be tests. Whatever leaves a doubt counts as such a file.
 */
import type { TestDiscovery } from '../../model/allowlist.ts';
import type { ProjectFacts } from '../languages/language.ts';
import { wholeMatch } from './whole-match.ts';

export interface Discovery {
  readonly files: RegExp;
  readonly ignored: RegExp;
  readonly marker: string;
  readonly settings: readonly string[];
  readonly unless: RegExp;
}

/** A tree with more folders is not searched: the answer must cost little beside a run of the tests. */
const MOST_FOLDERS = 5000;

/** Compiles what an allowlist says of a runner's own search for tests. */
export function compileDiscovery({ files, ignored, marker, settings, unless }: TestDiscovery): Discovery {
  const expressions = { files: wholeMatch(files), ignored: wholeMatch(ignored), unless: new RegExp(unless, 'u') };
  return { ...expressions, marker, settings };
}

/** True when every operand is a folder and nothing outside them could be a test. */
export function holdEveryTest(project: ProjectFacts, discovery: Discovery, operands: readonly string[]): boolean {
  const folders = operands.map((word) => word.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, ''));
  if (folders.some((folder) => project.list(folder).length === 0)) return false;
  if (discovery.settings.some((name) => discovery.unless.test(project.read(name) ?? ''))) return false;
  const ahead = [''];
  let seen = 0;
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    seen += 1;
    const names = project.list(folder);
    if (folder !== '' && names.includes(discovery.marker)) continue;
    if (seen > MOST_FOLDERS || names.some((name) => discovery.files.test(name))) return false;
    for (const name of names.filter((entry) => entry.endsWith('/')).map((entry) => entry.slice(0, -1))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!discovery.ignored.test(name) && !folders.includes(path)) ahead.push(path);
    }
  }
  return true;
}
