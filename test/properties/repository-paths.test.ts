/** What holds for every text that is taken for a repository path, on both kinds of host. */
import { posix, win32 } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizePath, type PathHost } from '../../src/engine/repository-path.ts';

/** Made of what matters to a rule, so that most texts come near one. */
const telling = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('/', '\\', '.', '..', ':', ' ', 'a', 'C:', 'nul', '\0', '\u0085', '\ufeff'),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));
const text = fc.oneof(telling, fc.string({ unit: 'binary', maxLength: 40 }));
const RUNS = { numRuns: 5000 };

test.each<PathHost>(['posix', 'windows'])('on %s what comes out comes out again unchanged', (host) => {
  fc.assert(
    fc.property(text, (given) => {
      const once = normalizePath(given, host);
      if (once.ok) expect(normalizePath(once.path, host)).toEqual(once);
    }),
    RUNS,
  );
});

test.each<PathHost>(['posix', 'windows'])(
  'on %s what comes out has no component .., no backslash and no NUL',
  (host) => {
    fc.assert(
      fc.property(text, (given) => {
        const once = normalizePath(given, host);
        if (!once.ok) return;
        expect(once.path).not.toMatch(/\\|\0|^\/|\/$|\/\/|(?:^|\/)\.\.(?:\/|$)|(?:^|\/)\.\//u);
      }),
      RUNS,
    );
  },
);

test('what comes out stays inside the root, as POSIX and as Windows put paths together', () => {
  fc.assert(
    fc.property(text, (given) => {
      const [onPosix, onWindows] = [normalizePath(given, 'posix'), normalizePath(given, 'windows')];
      if (onPosix.ok) expect(`${posix.resolve('/srv/app', onPosix.path)}/`).toMatch(/^\/srv\/app\//u);
      if (onWindows.ok) expect(`${win32.resolve('D:\\srv\\app', onWindows.path)}\\`).toMatch(/^D:\\srv\\app\\/u);
    }),
    RUNS,
  );
});

test('what Windows takes, POSIX takes and brings to the same spelling', () => {
  fc.assert(
    fc.property(text, (given) => {
      const onWindows = normalizePath(given, 'windows');
      if (onWindows.ok) expect(normalizePath(given, 'posix')).toEqual(onWindows);
    }),
    RUNS,
  );
});
