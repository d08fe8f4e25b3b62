import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseArguments } from '../../src/tools/arguments.ts';

const schema = z.strictObject({
  diff_str: z.string(),
  file_path: z.string().min(1),
  allowed: z.array(z.string()).optional(),
  edits: z.array(z.strictObject({ path: z.string() })).optional(),
  dry_run: z.boolean().optional(),
});

test('null counts as absent', () => {
  const given = { diff_str: 'd', file_path: 'f', allowed: null, dry_run: null };
  expect(parseArguments(schema, given)).toEqual({ ok: true, value: { diff_str: 'd', file_path: 'f' } });
});

test.each([
  ['nothing', {}, 'diff_str is required; file_path is required'],
  ['null for a required one', { diff_str: null, file_path: 'f' }, 'diff_str is required'],
  [
    'a wrong type deep inside',
    { diff_str: 'd', file_path: 'f', allowed: ['a', 1] },
    'allowed[1]: expected string, received number',
  ],
  [
    'several faults',
    { diff_str: 1, file_path: '', zz: 1 },
    'diff_str: expected string, received number; file_path: Too small: expected string to have >=1 characters; unknown argument "zz"',
  ],
  [
    'another name of ours',
    { diff: 'd', path: 'f' },
    'diff_str is required; file_path is required; unknown argument "diff" (did you mean diff_str?); unknown argument "path" (did you mean file_path?)',
  ],
  [
    'a name of another tool of ours',
    { diff_str: 'd', file_path: 'f', testCmd: 'npm test' },
    'unknown argument "testCmd"',
  ],
  [
    'an unknown name deep inside',
    { diff_str: 'd', file_path: 'f', edits: [{ path: 'p', diff: 'x' }] },
    'unknown argument "edits[0][diff]"',
  ],
  ['a key of every object', { diff_str: 'd', file_path: 'f', constructor: 1 }, 'unknown argument "constructor"'],
  [
    'a prototype key',
    JSON.parse('{"diff_str":"d","file_path":"f","__proto__":{"x":1}}'),
    'unknown argument "__proto__"',
  ],
  ['an array', [], 'arguments: expected object, received array'],
])('%s is refused with every fault by its path', (_name, given: unknown, faults) => {
  expect(parseArguments(schema, given)).toEqual({
    ok: false,
    failure: {
      code: 'INPUT_INVALID',
      message: `The arguments are not valid: ${faults}.`,
      hint: 'Correct the named argument and call again.',
      details: {},
    },
  });
});

test('of many faults ten are told and the rest counted, and a long key is cut', () => {
  const keys = Array.from({ length: 30 }, (_, index) => [`${index}${'k'.repeat(5000)}`, 1]);
  const refused = parseArguments(schema, { diff_str: 'd', file_path: 'f', ...Object.fromEntries(keys) });
  if (refused.ok) throw new Error('it was taken');
  expect(refused.failure.message).toMatch(/; and 20 more\.$/);
  expect(refused.failure.message.length).toBeLessThan(1200);
});
