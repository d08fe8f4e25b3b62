import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withCallerPrefixes } from '../../src/engine/command/allow.ts';
import { tokenize } from '../../src/engine/command/tokenize.ts';
import { ALLOWLISTS, builtInPolicy, decideText, ROOT, valueOf } from '../support/policy.ts';
import { decide } from '../../src/engine/command/decide.ts';
import { readAllowlists } from '../../src/io/allowlists.ts';

const policy = builtInPolicy();
const prefixes = policy.rules.map((rule) => rule.prefix.join(' '));
const prefix = fc.constantFrom(...prefixes);
const plain = fc.stringMatching(/^[A-Za-z0-9_./-]{0,12}$/u);
const word = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 20 }).filter((text) => {
  return !/[\p{Cc}\p{Cf}\p{Cs}]|(?! )\p{Z}/u.test(text);
});

test('no command with a shell operator outside quotes is ever allowed', () => {
  const operator = fc.constantFrom(
    ';',
    '&',
    '&&',
    '|',
    '||',
    '|&',
    '>',
    '>>',
    '<',
    '<<<',
    '$(',
    '`',
    '(',
    ')',
    '\n',
    '$X',
  );
  fc.assert(
    fc.property(prefix, plain, operator, plain, (start, before, mark, after) => {
      expect(decideText(policy, `${start} ${before}${mark}${after}`)).toMatchObject({
        ok: false,
        failure: { code: 'COMMAND_UNPARSABLE' },
      });
    }),
    { numRuns: 1000 },
  );
});

test('any text either splits or is refused with a reason, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const split = tokenize(text);
      if (split.ok) expect(split.value.length).toBeGreaterThan(0);
      else
        expect([split.failure.code, split.failure.message !== '', split.failure.hint !== '']).toEqual([
          'COMMAND_UNPARSABLE',
          true,
          true,
        ]);
    }),
    { numRuns: 3000 },
  );
});

test('words put into quotes come back from the splitter as they were', () => {
  const single = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`;
  const double = (text: string) => `"${text.replace(/["\\$]/gu, '\\$&')}"`;
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.boolean(), (words, isSingle) => {
      const quote = (text: string) => (isSingle || text.includes('`') ? single(text) : double(text));
      expect(tokenize(words.map(quote).join(' '))).toEqual({ ok: true, value: words });
    }),
    { numRuns: 2000 },
  );
});

test('no refused flag is allowed under any prefix of its runner, in any spelling', () => {
  const files = valueOf(readAllowlists(ALLOWLISTS)).filter(({ rules }) => rules.length > 0);
  const cases = files.flatMap((file) => {
    const flags = (file.flags?.refused ?? []).flatMap((entry) => entry.flags);
    const own = policy.rules.filter((rule) => file.rules.some((of) => matches(of.prefix, rule.prefix)));
    return own.flatMap((rule) => flags.map((flag) => ({ start: rule.prefix, flag })));
  });
  const spelling = fc.constantFrom(
    (flag: string) => [flag],
    (flag: string) => [flag, 'x'],
    (flag: string) => [`${flag}=x`],
    (flag: string) => (flag.startsWith('--') ? [flag.slice(0, -1)] : [`${flag}x`]),
    (flag: string) => (flag.startsWith('--') ? [flag.toUpperCase()] : [flag]),
  );
  // A shortened flag may be a known one (`--cov-config` and `--cov`), so only the flags that are unknown then are judged.
  const known = new Set(policy.rules.flatMap((rule) => [...(rule.table?.known.keys() ?? [])]));
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      spelling,
      fc.array(plain, { maxLength: 2 }),
      ({ start, flag }, spell, rest) => {
        const spelled = spell(flag);
        fc.pre(spelled[0] === flag || !known.has(spelled[0]?.split('=')[0] ?? ''));
        expect([flag, decide(policy, [...start, ...spelled, ...rest], { root: ROOT }).ok]).toEqual([flag, false]);
      },
    ),
    { numRuns: 3000 },
  );
});

test('no path that leaves the root is allowed as an argument', () => {
  const climb = fc
    .tuple(fc.array(fc.constantFrom('.', '..', 'a'), { maxLength: 3 }), fc.constantFrom('..', '/etc'))
    .map(([parts, last]) => (last === '/etc' ? last : ['..', ...parts, last].join('/')));
  const shape = fc.constantFrom('', '--ignore=', '--ignore ', 'tests:', 'a=', 'file://');
  fc.assert(
    fc.property(climb, shape, (path, before) => {
      expect(decideText(policy, `pytest ${before}${path}`)).toMatchObject({ ok: false });
    }),
  );
});

test('a caller’s list under a lock allows nothing that the policy refuses', () => {
  fc.assert(
    fc.property(prefix, fc.array(plain, { maxLength: 3 }), (start, rest) => {
      const narrowed = withCallerPrefixes(policy, [[start, ...rest].join(' ')], { locked: true });
      if (!narrowed.ok) return;
      const words = [...start.split(' '), ...rest.filter((text) => text !== '')];
      if (decide(narrowed.value, words, { root: ROOT }).ok) expect(decide(policy, words, { root: ROOT }).ok).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function matches(pattern: readonly (string | readonly string[])[], tokens: readonly string[]): boolean {
  return (
    pattern.length === tokens.length && pattern.every((token, index) => [token].flat().includes(tokens[index] ?? ''))
  );
}
