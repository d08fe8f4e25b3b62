/**
 * The kept output of test runs as a resource: `surepatch://output/{id}`, in pages that each name the next one. An
 * address of any other form is as unknown as an id that is not kept.
 */
import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { OutputPage } from '../model/output-page.ts';

/** Reads one page, by default from its start; undefined when nothing is kept under the id. Bound to its host. */
export type ReadOutput = (id: string, offset: number) => Promise<OutputPage | undefined>;

const ADDRESS = /^surepatch:\/\/output\/([0-9a-z-]{1,64})(?:\?offset=(0|[1-9][0-9]{0,15}))?$/;
const TEXT = 'text/plain';

/** Registers both forms of the address with a server. */
export function registerOutput(server: McpServer, readOutput: ReadOutput, log: (line: string) => void): void {
  const read = (uri: URL): Promise<ReadResourceResult> => readPage(uri.href, readOutput, log);
  server.registerResource(
    'test-output',
    new ResourceTemplate('surepatch://output/{id}', { list: undefined }),
    {
      title: 'Test output, first page',
      description: 'What a test run printed, whole, 1 MiB a page. Addresses come with write_fix results as output_uri.',
      mimeType: TEXT,
    },
    read,
  );
  server.registerResource(
    'test-output-page',
    new ResourceTemplate('surepatch://output/{id}{?offset}', { list: undefined }),
    {
      title: 'Test output, later page',
      description: 'The page that starts at a byte offset; every page but the last names the next one.',
      mimeType: TEXT,
    },
    read,
  );
}

async function readPage(
  address: string,
  readOutput: ReadOutput,
  log: (line: string) => void,
): Promise<ReadResourceResult> {
  const [, id, offset = '0'] = ADDRESS.exec(address) ?? [];
  const page = id === undefined ? undefined : await attempt(() => readOutput(id, Number(offset)), log);
  if (id === undefined || page === undefined) throw new ResourceNotFoundError(address);
  const { text, nextOffset, totalBytes } = page;
  const here = { uri: address, mimeType: TEXT, text, _meta: { offset: page.offset, totalBytes } };
  if (nextOffset === null) return { contents: [here] };
  const next = `surepatch://output/${id}?offset=${nextOffset}`;
  const pointer = `[${totalBytes - nextOffset} of ${totalBytes} bytes follow; read ${next}]`;
  return { contents: [here, { uri: next, mimeType: TEXT, text: pointer }] };
}

async function attempt<Value>(read: () => Promise<Value>, log: (line: string) => void): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    log(`test-output: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    // The message goes to the caller, so it must not be the system's, which names paths.
    throw new Error('The output could not be read; the details are in the log on stderr.');
  }
}
