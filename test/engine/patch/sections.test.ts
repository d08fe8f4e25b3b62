import { describe, expect, test } from 'vitest';
import { FILE_LIMIT, readSections } from '../../../src/engine/patch/sections.ts';
import { bytesOf } from '../../../src/model/patch.ts';

const HUNK = '@@ -1,2 +1,2 @@\n low\n-rising\n+falling\n';
const edit = (path: string, hunk = HUNK): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunk}`;

/** What is read of a diff, short enough to compare: each file with what its hunks add, or the refusal. */
function read(diff: string) {
  const sections = readSections(diff);
  if (!sections.ok) return `${sections.failure.code}: ${sections.failure.message}`;
  return sections.value.map(({ path, isNew, mode, patch }) => ({
    path,
    ...(isNew ? { isNew, mode: mode.toString(8) } : {}),
    hunks: patch?.hunks.map((hunk) => bytesOf(hunk.new).toString()) ?? null,
  }));
}

const edited = (path: string) => ({ path, hunks: ['low\nfalling\n'] });
const paths = (diff: string): unknown => {
  const found = read(diff);
  return typeof found === 'string' ? found : found.map(({ path }) => path);
};

describe('a diff of several files', () => {
  test('is cut into one patch a file', () => {
    expect(read(edit('a.py') + edit('src/b.py', HUNK + HUNK.replace('-1,2 +1,2', '-8,2 +8,2')))).toEqual([
      edited('a.py'),
      { path: 'src/b.py', hunks: ['low\nfalling\n', 'low\nfalling\n'] },
    ]);
  });

  test('may have text and a mail around it', () => {
    expect(
      read(`From: me\nSubject: two files\n\n - list\n---\n a.py | 2 +-\n\n${edit('a.py')}${edit('b.py')}-- \n2.39.5\n`),
    ).toEqual([edited('a.py'), edited('b.py')]);
  });

  test('may be made by another tool, with a line before each file or with none', () => {
    const plain = (path: string): string => `--- ${path}\n+++ ${path}\n${HUNK}`;
    expect(paths(plain('a.py') + plain('b.py'))).toEqual(['a.py', 'b.py']);
    expect(paths(`diff -u a.py a.py\n${plain('a.py')}diff -u b.py b.py\n${plain('b.py')}`)).toEqual(['a.py', 'b.py']);
    expect(
      paths(`Index: a.py\n${'='.repeat(67)}\n${plain('a.py')}Index: b.py\n${'='.repeat(67)}\n${plain('b.py')}`),
    ).toEqual(['a.py', 'b.py']);
  });

  test('keeps lines that look like file headers inside hunks', () => {
    const hunk = '@@ -1,3 +1,3 @@\n-- x\n--- y\n+++ z\n+-- x\n low\n';
    expect(read(edit('a.sql', hunk) + edit('b.py'))).toEqual([
      { path: 'a.sql', hunks: ['++ z\n-- x\nlow\n'] },
      edited('b.py'),
    ]);
  });

  test('has one section a file', () => {
    expect(read(edit('a.py') + edit('b.py') + edit('a.py'))).toBe(
      'DUPLICATE_PATH: The diff has two sections for a.py.',
    );
  });

  test('has a limit', () => {
    const many = Array.from({ length: FILE_LIMIT + 1 }, (_, at) => edit(`${at}.py`)).join('');
    expect(read(many)).toBe('PATCH_TOO_LARGE: The diff has more than 1000 files.');
  });
});

describe('a new file', () => {
  const created = (path: string, mode: string, rest: string): string =>
    `diff --git a/${path} b/${path}\nnew file mode ${mode}\nindex 0000000..e69de29\n${rest}`;
  const content = '--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+low\n';

  test.each([
    [
      'with content',
      created('new.py', '100644', content),
      { path: 'new.py', isNew: true, mode: '644', hunks: ['low\n'] },
    ],
    [
      'that may be run',
      created('new.py', '100755', content),
      { path: 'new.py', isNew: true, mode: '755', hunks: ['low\n'] },
    ],
    ['without a line', created('new.py', '100644', ''), { path: 'new.py', isNew: true, mode: '644', hunks: null }],
    [
      'without a line, that may be run',
      created('x/new', '100755', ''),
      { path: 'x/new', isNew: true, mode: '755', hunks: null },
    ],
    ['without git', content, { path: 'new.py', isNew: true, mode: '644', hunks: ['low\n'] }],
  ])('%s', (_what, diff, section) => {
    expect(read(diff)).toEqual([section]);
    expect(read(diff + edit('a.py'))).toEqual([section, edited('a.py')]);
  });

  test.each(['120000', '160000'])('of mode %s is refused', (mode) => {
    const message = `PATCH_UNSUPPORTED: diff creates new.py with mode ${mode}; only regular files are supported`;
    expect(read(created('new.py', mode, content))).toBe(message);
  });

  test('whose lines stand in no hunk is refused', () => {
    expect(read(created('new.py', '100644', '+low\n'))).toMatch(/^PATCH_EMPTY: /u);
  });
});

describe('what cannot be verified is refused in the sentences of the contract', () => {
  const binary = 'diff --git a/x.png b/x.png\nindex 1..2 100644\n';
  test.each([
    [
      'a deletion',
      'diff --git a/calc.py b/calc.py\ndeleted file mode 100644\n--- a/calc.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-low\n',
      'diff deletes calc.py; file deletions are not supported yet, verify that change manually',
    ],
    [
      'a deletion without git',
      '--- calc.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-low\n',
      'diff deletes calc.py; file deletions are not supported yet, verify that change manually',
    ],
    [
      'a deletion of an empty file',
      'diff --git a/calc.py b/calc.py\ndeleted file mode 100644\nindex e69de29..0000000\n',
      'diff deletes calc.py; file deletions are not supported yet, verify that change manually',
    ],
    [
      'a deletion behind an edit',
      `${edit('a.py')}diff --git a/calc.py b/calc.py\ndeleted file mode 100644\n--- a/calc.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-low\n`,
      'diff deletes calc.py; file deletions are not supported yet, verify that change manually',
    ],
    [
      'a rename',
      'diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n',
      'diff renames old.py to new.py; renames are not supported yet',
    ],
    [
      'a rename of quoted names',
      'diff --git "a/o\\tld.py" b/new.py\nsimilarity index 100%\nrename from "o\\tld.py"\nrename to new.py\n',
      'diff renames o\tld.py to new.py; renames are not supported yet',
    ],
    [
      'a rename that only the names show',
      `--- a/old.py\n+++ b/new.py\n${HUNK}`,
      'diff renames old.py to new.py; renames are not supported yet',
    ],
    [
      'a copy',
      `diff --git a/old.py b/new.py\nsimilarity index 90%\ncopy from old.py\ncopy to new.py\n--- a/old.py\n+++ b/new.py\n${HUNK}`,
      'diff copies old.py to new.py; copies are not supported yet',
    ],
    [
      'a change of mode',
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      'diff changes the mode of run.sh; mode changes are not supported yet',
    ],
    [
      'binary content',
      `${binary}Binary files a/x.png and b/x.png differ\n`,
      'diff contains only binary changes; nothing verifiable',
    ],
    [
      'a binary patch',
      `${binary}GIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n`,
      'diff contains only binary changes; nothing verifiable',
    ],
    [
      'binary content without git',
      'Binary files x.png and y.png differ\n',
      'diff contains only binary changes; nothing verifiable',
    ],
    [
      'binary content beside text',
      `${edit('a.py')}${binary}Binary files a/x.png and b/x.png differ\n`,
      'diff contains binary changes alongside text edits; binary changes cannot be verified',
    ],
    [
      'binary content beside text without git',
      `--- a.py\n+++ a.py\n${HUNK}Binary files x.png and y.png differ\n`,
      'diff contains binary changes alongside text edits; binary changes cannot be verified',
    ],
  ])('%s', (_what, diff, message) => {
    expect(read(diff)).toBe(`PATCH_UNSUPPORTED: ${message}`);
  });

  test.each([
    [
      'a combined diff',
      'diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n@@@ -1,2 -1,2 +1,2 @@@\n  low\n- rising\n++falling\n',
    ],
    ['a change of a link', `diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-x\n+y\n`],
  ])('%s is refused, alone or beside an edit', (_what, diff) => {
    expect(read(diff)).toMatch(/^PATCH_(?:UNSUPPORTED|MALFORMED): /u);
    expect(read(edit('b.py') + diff)).toMatch(/^PATCH_(?:UNSUPPORTED|MALFORMED): /u);
  });
});

describe('a corrupt diff is refused whole', () => {
  test.each([
    ['a hunk of the second file counts wrongly', edit('a.py') + edit('b.py', HUNK.replace('+1,2', '+1,3'))],
    ['a hunk of the first file counts wrongly', edit('a.py', HUNK.replace('-1,2', '-1,3')) + edit('b.py')],
    ['garbage stands between two files', `${edit('a.py')}garbage\n${edit('b.py')}`],
    ['garbage stands in a hunk', edit('a.py', '@@ -1,2 +1,2 @@\n low\ngarbage\n-rising\n+falling\n')],
    ['garbage stands at the end', `${edit('a.py')}${edit('b.py')}garbage\n`],
    ['half of a letter stands in it', edit('a.py', HUNK.replace('falling', '\ud800'))],
    ['a hunk stands before the first file', HUNK + edit('a.py') + edit('b.py')],
    ['no file is named', HUNK],
    ['the header lines name different files', `diff --git a/x.py b/x.py\n--- a/y.py\n+++ b/y.py\n${HUNK}`],
  ])('%s', (_what, diff) => {
    expect(read(diff)).toMatch(/^PATCH_MALFORMED: /u);
  });

  test.each([
    ['there is nothing in it', ''],
    ['there is no hunk in it', 'diff --git a/a.py b/a.py\nindex 1..2 100644\n'],
  ])('%s', (_what, diff) => {
    expect(read(diff)).toMatch(/^PATCH_EMPTY: /u);
  });

  test('what is wrong is placed in the section it is in', () => {
    expect(read(`${edit('a.py')}${edit('b.py')}garbage\n`)).toMatch(
      /^PATCH_MALFORMED: In the section of b\.py: Patch line 15 /u,
    );
  });

  test('more than 8 MiB are not read', () => {
    expect(read(edit('a.py') + 'x'.repeat(8 * 1024 * 1024))).toBe('PATCH_TOO_LARGE: The patch has more than 8 MiB.');
  });
});

describe('names', () => {
  const named = (old: string, next: string, git = ''): string => `${git}--- ${old}\n+++ ${next}\n${HUNK}`;
  test.each([
    ['with git’s prefixes', named('a/x.py', 'b/x.py'), ['x.py']],
    ['with mnemonic prefixes', named('i/x.py', 'w/x.py'), ['x.py']],
    ['with the prefixes reversed', named('b/x.py', 'a/x.py'), ['x.py']],
    ['without prefixes', named('x.py', 'x.py', 'diff --git x.py x.py\n'), ['x.py']],
    ['without prefixes, in a folder called a', named('a/x.py', 'a/x.py'), ['a/x.py']],
    ['without prefixes, in a folder called b', named('b/x.py', 'b/x.py', 'diff --git b/x.py b/x.py\n'), ['b/x.py']],
    ['with prefixes, in a folder called a', named('a/a/x.py', 'b/a/x.py'), ['a/x.py']],
    ['new, with prefixes', '--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+low\n', ['x.py']],
    [
      'new, without prefixes, in a folder called b',
      'diff --git b/x.py b/x.py\nnew file mode 100644\n--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+low\n',
      ['b/x.py'],
    ],
    [
      'new, beside a file that shows that there are no prefixes',
      `${named('y.py', 'y.py')}--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+low\n`,
      ['y.py', 'b/x.py'],
    ],
    ['quoted', named('"a/t\\303\\244 \\"x\\".py"', '"b/t\\303\\244 \\"x\\".py"'), ['tä "x".py']],
    ['with blanks and a time stamp', named('a/x y.py\t2026-01-01', 'b/x y.py\t2026-01-02'), ['x y.py']],
    ['of a copy that was kept aside', named('x.py.orig', 'x.py'), ['x.py']],
  ])('%s', (_what, diff, expected) => {
    expect(paths(diff)).toEqual(expected);
  });

  test('and lines in CRLF are read as they are', () => {
    expect(read((edit('a.py') + edit('b.py')).replaceAll('\n', '\r\n'))).toEqual([
      { path: 'a.py', hunks: ['low\r\nfalling\r\n'] },
      { path: 'b.py', hunks: ['low\r\nfalling\r\n'] },
    ]);
  });

  test('may stand in a code fence when there is one file', () => {
    expect(paths(`\`\`\`diff\n${edit('a.py')}\`\`\`\n`)).toEqual(['a.py']);
  });
});
