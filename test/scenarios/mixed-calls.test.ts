import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testProduct, treeOf, writeProgram } from '../support/product.ts';

/** Everything in .git but the exclude file, which lists the backups once. */
function gitFolderOf(root: string): Record<string, string> {
  const git = join(root, '.git');
  return Object.fromEntries(
    readdirSync(git, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => path !== join(git, 'info/exclude'))
      .sort()
      .map((path) => [path.slice(git.length + 1), readFileSync(path, 'latin1')]),
  );
}

test('a hundred calls, kept, put back and refused, leave every other byte of the user’s work as it was', async () => {
  const { root, repo, write, dispose } = testProduct();
  try {
    repo.file('harbour.txt', 'quay\n');
    repo.file('tide.txt', 'low\n0\nhigh\n');
    writeProgram(repo, 'pytest', '#!/bin/sh\nexit 1\n');
    writeProgram(repo, 'tox', '#!/bin/sh\nexit 0\n');
    repo.commit();
    repo.file('harbour.txt', 'stashed\n');
    repo.git('stash');
    repo.file('harbour.txt', 'staged\n');
    repo.git('add', 'harbour.txt');
    repo.file('harbour.txt', 'and then changed\n');
    repo.file('notes/untracked.txt', 'mine\n');
    const tree = treeOf(root);
    const git = gitFolderOf(root);

    let tide = 0;
    const outcomes: Record<string, number> = {};
    for (let call = 0; call < 100; call += 1) {
      const diff = `@@ -1,3 +1,3 @@\n low\n-${tide}\n+${tide + 1}\n high\n`;
      const asked = [
        { diff },
        { diff, testCommand: 'pytest' },
        { diff: diff.replace(' low', ' ebb') },
        { diff, testCommand: 'tox' },
        { diff, testCommand: 'sh -c true' },
      ][call % 5];
      const report = await write({ filePath: 'tide.txt', ...asked });
      const outcome = report.success ? 'kept' : (report.error_code ?? 'none');
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (report.success) tide += 1;
    }

    expect(outcomes).toEqual({ kept: 40, TESTS_FAILED: 20, PATCH_CONFLICT: 20, COMMAND_NOT_ALLOWED: 20 });
    const { 'tide.txt': content, ...others } = treeOf(root);
    const backups = Object.keys(others).filter((name) => name.startsWith('tide.txt.reforge-bak'));
    expect(content).toBe('low\n40\nhigh\n');
    // The first write found the committed bytes in git; each later one had a modified file before it.
    expect(backups).toHaveLength(39);
    expect(Object.fromEntries(Object.entries(others).filter(([name]) => !backups.includes(name)))).toEqual(
      Object.fromEntries(Object.entries(tree).filter(([name]) => name !== 'tide.txt')),
    );
    expect(gitFolderOf(root)).toEqual(git);
  } finally {
    dispose();
  }
}, 120_000);
