/** npm run docs: brings the generated blocks of the README and of docs/design.md up to date with what was just built. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { repositoryFolder } from '../fixture-project.ts';
import { allowlistSchema } from './allowlist-schema.ts';
import { withGeneratedBlocks } from './readme.ts';
import { withSourceTree } from './source-tree.ts';

const repository = repositoryFolder();
const client = new Client({ name: 'surepatch-docs', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [join(repository, 'dist', 'main.js'), 'serve'] }),
);
const { tools } = await client.listTools();
await client.close();
rewrite('README.md', (page) => withGeneratedBlocks(page, { tools, allowlists: join(repository, 'allowlists') }));
rewrite('docs/design.md', (page) => withSourceTree(page, repository));

function rewrite(name: string, change: (page: string) => string): void {
  const path = join(repository, name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
writeFileSync(join(repository, 'allowlists', 'schema.json'), await allowlistSchema());
