/** Reads what the package says of itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const schema = z.object({ name: z.string(), version: z.string() });

/** Name and version from the package's own package.json. */
export function readPackageInfo(packageFolder: string): z.infer<typeof schema> {
  return schema.parse(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')));
}
