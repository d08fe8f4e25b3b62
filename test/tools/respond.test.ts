import { expect, test } from 'vitest';
import { z } from 'zod';
import { failure, type Failure } from '../../src/model/failure.ts';
import { fail, ok } from '../../src/model/result.ts';
import { respond } from '../../src/tools/respond.ts';

interface Report {
  readonly success: boolean;
  readonly why: string | null;
}

const link = { uri: 'x://1', name: 'whole', description: 'd', mimeType: 'text/plain', size: 3 };
const show = {
  output: z.strictObject({ success: z.boolean(), why: z.string().nullable() }),
  reportOfFailure: ({ message }: Failure): Report => ({ success: false, why: message }),
  textOf: ({ why }: Report) => `text: ${why ?? 'fine'}`,
  linksOf: ({ success }: Report) => (success ? [link] : []),
};

test('a report becomes structure, text and links', () => {
  expect(respond(show, ok({ success: true, why: null }))).toEqual({
    content: [
      { type: 'text', text: 'text: fine' },
      { type: 'resource_link', ...link },
    ],
    structuredContent: { success: true, why: null },
    isError: false,
  });
});

test('a failure becomes an error of the same shape', () => {
  expect(respond(show, fail(failure('INTERNAL', 'broken')))).toEqual({
    content: [{ type: 'text', text: 'text: broken' }],
    structuredContent: { success: false, why: 'broken' },
    isError: true,
  });
});

test('a report that is not of the published shape never leaves', () => {
  const surplus = { success: true, why: null, secret: 1 };
  expect(() => respond(show, ok(surplus))).toThrow('secret');
});
