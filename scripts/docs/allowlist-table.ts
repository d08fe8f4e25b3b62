/** The built-in allowlists as a table for the README, from the files themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowlistFile } from '../../src/io/allowlists.ts';
import { table } from './blocks.ts';

/** One row per runner with rules: the prefixes it allows. */
export function allowlistTable(folder: string): string {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .sort()
    .map((name) => allowlistFile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
  const rows = files
    .filter(({ rules }) => rules.length > 0)
    .map(({ runner, rules }) => [`\`${runner}.json\``, rules.map(({ prefix }) => `\`${wordsOf(prefix)}\``).join(', ')]);
  return table([['file', 'commands that begin with'], ...rows]);
}

/** Alternatives are joined by a bar; programs named by a path and the tail of a long list are left to the file. */
function wordsOf(prefix: readonly (string | readonly string[])[]): string {
  return prefix.map((word) => (typeof word === 'string' ? word : alternatives(word))).join(' ');
}

const SHOWN = 4;

function alternatives(words: readonly string[]): string {
  const [first = ''] = words;
  const bare = words.filter((word) => word === first || !/\/|\d\./.test(word));
  return [...bare.slice(0, SHOWN), ...(bare.length > SHOWN ? ['…'] : [])].join('|');
}
