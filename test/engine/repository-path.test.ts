/** Every vector of `fixtures/repository-paths.json` on both kinds of host, and what holds for a batch. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRelated, isWithin, normalizePath, repositoryPaths } from '../../src/engine/repository-path.ts';
import { PATH_RULES, type PathRule } from '../../src/model/path-rule.ts';
import { repositoryFolder } from '../../scripts/fixture-project.ts';

/** A text, or pieces of it with how often each is repeated. */
type Text = string | readonly (readonly [piece: string, count: number])[];
type Right = Text | { readonly rule: PathRule };

interface Vector {
  readonly given: Text;
  readonly posix: Right;
  /** The same as `posix` where left out. */
  readonly windows?: Right;
  readonly why?: string;
}

const vectors = JSON.parse(
  readFileSync(join(repositoryFolder(), 'fixtures', 'repository-paths.json'), 'utf8'),
) as readonly Vector[];

function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.map(([piece, count]) => piece.repeat(count)).join('');
}

function answerOf(right: Right): ReturnType<typeof normalizePath> {
  if (typeof right === 'object' && 'rule' in right) return { ok: false, rule: right.rule };
  return { ok: true, path: textOf(right) };
}

describe('a path', () => {
  test('has at least 120 vectors, and every rule is in one of them', () => {
    const rules = vectors.flatMap(({ posix, windows = posix }) => [posix, windows]).map(answerOf);
    const broken = new Set(rules.flatMap((answer) => (answer.ok ? [] : [answer.rule])));
    expect(vectors.length).toBeGreaterThanOrEqual(120);
    expect([...broken].sort()).toEqual([...PATH_RULES].sort());
  });

  test.each(vectors.map((vector) => [JSON.stringify(vector.given), vector] as const))(
    '%s comes to its right value on POSIX and on Windows',
    (_name, { given, posix, windows = posix }) => {
      const found = { posix: normalizePath(textOf(given), 'posix'), windows: normalizePath(textOf(given), 'windows') };
      expect(found).toEqual({ posix: answerOf(posix), windows: answerOf(windows) });
    },
  );
});

describe('a batch of paths', () => {
  test('becomes one path for each place, in the order of first appearance', () => {
    expect(repositoryPaths('paths', ['b', 'a', './a', 'a/', 'a\\', 'b/.'], 'posix')).toEqual({
      ok: true,
      value: ['b', 'a'],
    });
  });

  test('of one bad entry among good ones is refused whole, and the failure names entry and rule', () => {
    expect(repositoryPaths('paths', ['a', 'b', '../c', 'd'], 'posix')).toEqual({
      ok: false,
      failure: {
        code: 'BAD_PATH',
        message: 'paths[2] ("../c") has ".." as a component.',
        hint: 'Correct the entry named: a path relative to the root with "/" between folders, as git status prints it.',
        details: { bad_path: { argument: 'paths', index: 2, rule: 'parent_traversal' } },
      },
    });
  });

  test('shows a bad entry escaped and cut, so that the message is text of bounded length', () => {
    const refused = repositoryPaths('files', [`\ud800\u0000${'x'.repeat(5000)}`], 'posix');
    expect(refused).toMatchObject({
      failure: { message: `files[0] ("\\ud800\\u0000${'x'.repeat(78)}…") holds a NUL character.` },
    });
  });

  test('is counted as it was passed: 128 equal entries are one path, 129 are too many', () => {
    const limit = repositoryPaths('paths', Array<string>(128).fill('a'), 'posix');
    const over = repositoryPaths('paths', Array<string>(129).fill('a'), 'posix');
    expect([limit, over]).toMatchObject([{ ok: true, value: ['a'] }, { failure: { code: 'TOO_MANY_PATHS' } }]);
  });

  test('keeps the composed and the decomposed form of a letter, and both letter cases, as different names', () => {
    const names = ['\u00e9', 'e\u0301', 'A.ts', 'a.ts'];
    expect(repositoryPaths('paths', names, 'posix')).toEqual({ ok: true, value: names });
  });
});

describe('places', () => {
  test.each([
    ['src/main', 'src/main.rs', false],
    ['src', 'src/a', true],
    ['src/a/b', 'src/a', true],
    ['.', 'anything/at/all', true],
    ['src', 'source', false],
    ['', 'src', false],
    ['src', '', false],
    ['src', 'src', true],
  ])('%j and %j are related by whole components: %j', (one, other, related) => {
    expect([isRelated(one, other), isRelated(other, one)]).toEqual([related, related]);
  });

  test('a folder holds itself and what lies below it, and not what lies above', () => {
    const pairs: readonly (readonly [string, string])[] = [
      ['src', 'src'],
      ['src', 'src/a'],
      ['.', 'src'],
      ['src/a', 'src'],
      ['src', '.'],
    ];
    expect(pairs.map(([folder, path]) => isWithin(folder, path))).toEqual([true, true, true, false, false]);
  });
});
