import { describe, expect, it } from 'vitest';
import { javascript } from '../../../../src/engine/languages/javascript/javascript.ts';

describe('javascript', () => {
  it('owns sources of both languages, and JSON', () => {
    const owned = ['a.js', 'a.jsx', 'a.mjs', 'a.cjs', 'a.ts', 'a.tsx', 'a.mts', 'a.cts', 'a.d.ts', 'a.json', 'a.jsonc'];
    const foreign = ['a.py', 'a.css', 'js', 'a.vue', 'a.json5'];
    expect([...owned, ...foreign].filter((path) => javascript.owns(path))).toEqual(owned);
  });

  it('knows tests by their names and folders', () => {
    const tests = [
      'a.test.ts',
      'b/a.spec.js',
      'a.test.mjs',
      '__tests__/a.js',
      'test/a.ts',
      'tests/deep/a.tsx',
      'test.js',
    ];
    const others = ['src/a.ts', 'src/testing.ts', 'latest.js', 'test/data.json', 'contest/a.js'];
    expect([...tests, ...others].filter((path) => javascript.isTestFile(path))).toEqual(tests);
  });

  it('names its examiner beside the runtime folder', () => {
    expect(javascript.examiner('/s/runtime')).toEqual({
      interpreter: null,
      words: ['/s/dist/examiners/javascript/main.js'],
    });
  });
});
