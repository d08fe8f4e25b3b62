/** The real server, started as a client would start it, behind a real client of the protocol. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { WriteFixReport } from '../../src/model/write-report.ts';
import { writeFixOutput } from '../../src/tools/write-fix-output.ts';
import { repositoryFolder } from '../fixture-project.ts';

export interface Answer {
  readonly isError: boolean;
  /** The structured content, checked against the published schema. */
  readonly report: WriteFixReport;
  readonly text: string;
}

export interface DemoServer {
  readonly version: string;
  readonly tools: readonly string[];
  writeFix(args: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Everything the server wrote to stderr so far. */
  log(): string;
  close(): Promise<void>;
}

/** Starts `dist/main.js serve` for one root and connects to it over stdio. */
export async function startServer({ root, stateHome }: { root: string; stateHome: string }): Promise<DemoServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(repositoryFolder(), 'dist', 'main.js'), 'serve', '--root', root],
    env: { PATH: process.env['PATH'] ?? '', HOME: root, XDG_STATE_HOME: stateHome },
    cwd: root,
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (piece: Buffer) => (log += piece.toString()));
  const client = new Client({ name: 'surepatch-demo', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    version: client.getServerVersion()?.version ?? 'unknown',
    tools: tools.map(({ name }) => name),
    writeFix: async (args) => {
      const result = await client.callTool({ name: 'write_fix', arguments: args });
      const { content, structuredContent, isError } = CallToolResultSchema.parse(result);
      const [first] = content;
      return {
        isError: isError === true,
        report: writeFixOutput.parse(structuredContent),
        text: first?.type === 'text' ? first.text : '',
      };
    },
    log: () => log,
    close: () => client.close(),
  };
}
