import { expect, test } from 'vitest';
import { countLanguages } from '../../src/engine/file-languages.ts';

test('files are counted by language, most first, names of one count in order, what is in none last', () => {
  const paths = ['a.md', 'src/b.PY', 'src/c.pyi', 'LICENSE', '.py', 'x/Makefile', 'd.tsx', 'e.tar.gz'];
  expect(countLanguages(paths)).toEqual([
    { language: 'Python', files: 2 },
    { language: 'Markdown', files: 1 },
    { language: 'TypeScript', files: 1 },
    { language: 'other', files: 4 },
  ]);
});

test('no file is no language', () => {
  expect(countLanguages([])).toEqual([]);
});
