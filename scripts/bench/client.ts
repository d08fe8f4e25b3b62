/** A real client on a server that runs as a process of its own. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { NODE, type Rig } from './rig.ts';

export interface Served {
  readonly client: Client;
  readonly pid: number;
  /** Calls a tool and resolves with the milliseconds until its answer; throws what an error answer says. */
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<number>;
}

/** Starts `node ...argv` and connects to it. */
export async function serve(rig: Rig, argv: readonly string[]): Promise<Served> {
  const transport = new StdioClientTransport({
    command: NODE,
    args: [...argv],
    cwd: rig.scratch,
    env: { ...rig.env },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? Number.NaN,
    call: async (tool, input) => {
      const started = performance.now();
      const answer = await client.callTool({ name: tool, arguments: { ...input } }, { timeout: 600_000 });
      const ms = performance.now() - started;
      if (answer.isError === true) throw new Error(JSON.stringify(answer.content).slice(0, 2000));
      return ms;
    },
  };
}
