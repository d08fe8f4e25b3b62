/** Holds the README to the product: its example is run, its demo is played, its tables and options are compared. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { play } from '../../scripts/demo/play.ts';
import { startServer } from '../../scripts/demo/server.ts';
import { withGeneratedBlocks } from '../../scripts/docs/readme.ts';
import { repositoryFolder } from '../../scripts/fixture-project.ts';
import { joinServer } from '../support/in-memory-server.ts';
import { fixtureRepo } from '../support/repo.ts';

const repository = repositoryFolder();
const page = readFileSync(join(repository, 'README.md'), 'utf8');

test('the first JSON example of the README is a call, and the second is its answer', async () => {
  const [call, answer] = blocks('json').map((text): unknown => JSON.parse(text));
  const repo = fixtureRepo('node-tide-tables');
  const server = await startServer({ root: repo.path, stateHome: join(repo.beside, 'state') });
  try {
    const args: unknown = JSON.parse(JSON.stringify(call).replaceAll('/srv/tide-tables', repo.path));
    const { report, isError } = await server.writeFix(Object.fromEntries(Object.entries(args ?? {})));
    expect(isError).toBe(false);
    expect(report).toEqual(filledIn(answer, report));
    expect(repo.git('status', '--porcelain')).toBe(' M src/passage.js\n');
  } finally {
    await server.close();
    repo.dispose();
  }
});

test('the demo prints what the README shows, but for how long the tests took', async () => {
  const lines: string[] = [];
  await play((line) => lines.push(line));
  const withoutTimes = (text: string) => text.replaceAll(/after \d+\.\d s/g, 'after N s');
  expect(blocks('text')[0]).toBeDefined();
  expect(withoutTimes(`${lines.join('\n')}\n`)).toBe(withoutTimes(blocks('text')[0] ?? ''));
});

test('the tables of tools, allowlists and codes are those of the server (`npm run docs` writes them)', async () => {
  const { client } = await joinServer({});
  const { tools } = await client.listTools();
  await client.close();
  expect(page).toBe(withGeneratedBlocks(page, { tools, allowlists: join(repository, 'allowlists') }));
});

test('every option of the command line is named in the README, and no other', () => {
  const help = ['serve', 'write-fix', 'verify-diff', 'commit', 'undo', 'history', 'doctor', 'output'].map((command) =>
    execFileSync(process.execPath, [join(repository, 'dist', 'main.js'), command, '--help'], { encoding: 'utf8' }),
  );
  const known = optionsIn(help.join('\n').replaceAll('--help', ''));
  const section = page.slice(page.indexOf('\n## Command line'), page.indexOf('\n## Security model'));
  expect(optionsIn(section)).toEqual(known);
});

test('every JSON block of the README can be read as JSON', () => {
  for (const text of blocks('json')) expect(() => void JSON.parse(text)).not.toThrow();
});

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text ?? '');
}

function optionsIn(text: string): string[] {
  return [...new Set(text.match(/--[a-z][a-z0-9-]+/g))].sort();
}

/** What differs from run to run and machine to machine, where the README shows one example of it. */
const MEASURED = ['duration_ms', 'output_bytes', 'processes'];

/** The answer as shown, with what cannot be known beforehand taken from the real one: `…` in strings, and measures. */
function filledIn(shown: unknown, real: unknown, key = ''): unknown {
  if (MEASURED.includes(key) && typeof shown === typeof real) return real;
  if (typeof shown === 'string' && typeof real === 'string') {
    const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return new RegExp(`^${parts.join('.*')}$`, 's').test(real) ? real : shown;
  }
  if (Array.isArray(shown)) {
    const others: readonly unknown[] = Array.isArray(real) ? real : [];
    return shown.map((value, index) => filledIn(value, others[index]));
  }
  if (typeof shown !== 'object' || shown === null) return shown;
  const others = new Map(Object.entries(real ?? {}));
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, filledIn(value, others.get(name), name)]),
  );
}
