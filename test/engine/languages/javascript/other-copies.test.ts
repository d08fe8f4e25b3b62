import { expect, it } from 'vitest';
import { copiesOf } from '../../../../src/engine/languages/javascript/other-copies.ts';

it.each([
  ['a build of it', 'src/tide.ts', '/r/dist/tide.js', true],
  ['a build of it in a package of the root', 'packages/sea/src/tide.ts', '/r/packages/sea/lib/esm/tide.js', true],
  ['a file of the same name in another folder', 'src/index.ts', '/r/src/harbour/index.ts', false],
  ['the same file of another package of the root', 'packages/sea/src/index.ts', '/r/packages/lake/src/index.ts', false],
  ['the package where a link leads to', 'packages/sea/src/tide.ts', '/elsewhere/sea/src/tide.ts', true],
  ['another package elsewhere', 'packages/sea/src/tide.ts', '/elsewhere/lake/src/tide.ts', false],
  ['the original, seen from a copy of the root', 'src/tide.ts', '/original/src/tide.ts', true],
])('%s: a copy or not', (_what, path, loaded, isCopy) => {
  expect(copiesOf(path, '/r', [loaded])).toEqual(isCopy ? [loaded] : []);
});
