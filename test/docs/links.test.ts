/** Follows every relative link of every page: the file is there, and so is the heading that a fragment names. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFolder } from '../../scripts/fixture-project.ts';

const repository = repositoryFolder();
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '' && !name.startsWith('fixtures/') && existsSync(join(repository, name)));

test.each(pages)('the links of %s lead somewhere', (name) => {
  const broken = linksOf(name).filter((link) => !leadsSomewhere(name, link));
  expect(broken).toEqual([]);
});

test('a link to a missing file or heading is found broken', () => {
  expect(leadsSomewhere('README.md', 'docs/missing.md')).toBe(false);
  expect(leadsSomewhere('README.md', '#no-such-heading')).toBe(false);
  expect(leadsSomewhere('README.md', 'docs/glossary.md')).toBe(true);
  expect(leadsSomewhere('README.md', '#security-model')).toBe(true);
});

function linksOf(name: string): string[] {
  return [...proseOf(name).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', fragment] = link.split('#');
  const target = path === '' ? from : relative(repository, join(repository, dirname(from), path));
  if (target.startsWith('..') || !existsSync(join(repository, target))) return false;
  return fragment === undefined || anchorsOf(target).includes(fragment);
}

function anchorsOf(name: string): string[] {
  return [...proseOf(name).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) =>
    (heading ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The page without its code, in which brackets and number signs mean something else. */
function proseOf(name: string): string {
  return readFileSync(join(repository, name), 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}
