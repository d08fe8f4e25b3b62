/** The JSON Schema of an allowlist file, made from the zod schema that reads it, so that an editor can check one. */
import { format } from 'prettier';
import { toJSONSchema } from 'zod';
import { allowlistFile } from '../../src/io/allowlists.ts';

/** Returns the text of `allowlists/schema.json`, formatted as the repository is. */
export async function allowlistSchema(): Promise<string> {
  const schema = { title: 'Surepatch allowlist', ...toJSONSchema(allowlistFile) };
  return format(JSON.stringify(schema), { parser: 'json', printWidth: 120 });
}
