/**
 * What is remembered of the changes in the roots of this server, as resources: `surepatch://history` and, for one change,
 * `surepatch://history/{id}`. No other root can be named.
 */
import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { History, HistoryRecord } from '../model/history.ts';

/** The use-cases, bound to their host; undefined where nothing is known under an id. */
export interface ReadHistory {
  readonly all: () => Promise<readonly (History & { readonly root: string; readonly error?: string })[]>;
  readonly one: (id: string) => Promise<readonly HistoryRecord[] | undefined>;
}

const ADDRESS = /^surepatch:\/\/history\/([0-9a-z-]{1,64})$/;
const JSON_TYPE = 'application/json';
/** The newest ones of a root; the command line prints them all. */
const MOST_RECORDS = 200;

/** Registers both with a server. */
export function registerHistory(server: McpServer, history: ReadHistory, log: (line: string) => void): void {
  server.registerResource(
    'history',
    'surepatch://history',
    {
      title: 'History of changes',
      description: `Every write, rollback, undo, commit and verification in the roots of this server, newest first, ${MOST_RECORDS} a root.`,
      mimeType: JSON_TYPE,
    },
    async (uri) => {
      const roots = await attempt(history.all, log);
      const shown = roots.map(({ root, records, problems, error }) => ({
        root,
        ...(error === undefined ? {} : { error }),
        total: records.length,
        problems,
        records: records.slice(0, MOST_RECORDS),
      }));
      return contentsOf(uri.href, { roots: shown });
    },
  );
  server.registerResource(
    'history-record',
    new ResourceTemplate('surepatch://history/{id}', { list: undefined }),
    {
      title: 'History of one change',
      description: 'What is remembered under the id of a write, commit or verification: how it ended, what undid it.',
      mimeType: JSON_TYPE,
    },
    async (uri) => {
      const id = ADDRESS.exec(uri.href)?.[1];
      const records = id === undefined ? undefined : await attempt(() => history.one(id), log);
      if (records === undefined) throw new ResourceNotFoundError(uri.href);
      return contentsOf(uri.href, { records });
    },
  );
}

function contentsOf(uri: string, value: unknown): ReadResourceResult {
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) }] };
}

async function attempt<Value>(read: () => Promise<Value>, log: (line: string) => void): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    log(`history: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    // The message goes to the caller, so it must not be the system's, which names paths.
    throw new Error('The history could not be read; the details are in the log on stderr.');
  }
}
