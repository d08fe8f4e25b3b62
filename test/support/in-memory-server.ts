/** A server of ours and a client of the SDK, joined in memory; the use-cases are given by the test. */
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { WriteFixReport } from '../../src/model/write-report.ts';
import { createServer, type ServerParts } from '../../src/server.ts';
import { openCalls, type OpenCalls } from '../../src/tools/calls.ts';

export const KEPT: WriteFixReport = {
  success: true,
  test_output: null,
  error: null,
  rolled_back: false,
  disk_state: 'patched',
  notes: [],
};

export interface Joined {
  readonly client: Client;
  readonly calls: OpenCalls;
  readonly logged: readonly string[];
}

/** Connects a client to a server that stands on the given use-cases. */
export async function joinServer(usecases: Partial<ServerParts['usecases']>): Promise<Joined> {
  const logged: string[] = [];
  const calls = openCalls();
  const server = createServer({
    info: { name: 'surepatch', version: '1.2.3' },
    usecases: {
      writeFix: () => Promise.resolve({ ok: true, value: KEPT }),
      verifyChange: () => Promise.reject(new Error('not asked')),
      gitCommit: () => Promise.reject(new Error('not asked')),
      recordChangedPaths: () => Promise.reject(new Error('not asked')),
      repoOverview: () => Promise.reject(new Error('not asked')),
      undoFix: () => Promise.reject(new Error('not asked')),
      history: { all: () => Promise.resolve([]), one: () => Promise.resolve(undefined) },
      readOutput: () => Promise.resolve(undefined),
      ...usecases,
    },
    calls,
    log: (line) => logged.push(line),
  });
  const client = new Client({ name: 'test-client', version: '9.9.9' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return { client, calls, logged };
}
