import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allowlistSchema } from '../../../scripts/docs/allowlist-schema.ts';
import { ALLOWLISTS } from '../../support/policy.ts';

test('allowlists/schema.json is what `npm run docs` writes', async () => {
  expect(readFileSync(join(ALLOWLISTS, 'schema.json'), 'utf8')).toBe(await allowlistSchema());
});
