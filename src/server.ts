/** Puts one protocol server together from the tools and resources; called once per connection, it keeps no state. */
import { McpServer } from '@modelcontextprotocol/server';
import type { Calls } from './tools/calls.ts';
import { allTools, type ToolUsecases } from './tools/index.ts';
import { registerHistory, type ReadHistory } from './tools/history-resource.ts';
import { registerOutput, type ReadOutput } from './tools/output-resource.ts';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** Everything a server stands on; the use-cases come bound to their host. */
export interface ServerParts {
  readonly info: ServerInfo;
  readonly usecases: ToolUsecases & { readonly readOutput: ReadOutput; readonly history: ReadHistory };
  readonly calls: Calls;
  /** Takes one line for the operator; never the protocol's stream. */
  readonly log: (line: string) => void;
}

const INSTRUCTIONS = [
  'Use write_fix to put a reviewed patch into one existing file of a repository: it checks the patch against the file',
  'byte for byte, runs a test command, and puts the file back exactly as it was when the tests fail, time out or are',
  'cancelled.',
  'How to work with it: read the file; make a unified diff from what it holds now; call write_fix with diff_str,',
  'file_path, repo_root (absolute) and, whenever there are tests, test_command. Pass expected_sha256 if somebody else may',
  'edit the file meanwhile. dry_run checks without writing.',
  'When the answer is not a success, the file is as it was unless disk_state says otherwise: read error_code and hint,',
  'which name the next step. A hunk that fits elsewhere comes with the header that fits; look at the place before you',
  'send it. Tests that fail are an answer, not an error: read test_output, mend the patch, call again.',
  'verify_change proves a change of one or more files in a shadow tree before anything is written: SAFE, UNSAFE or UNPROVEN,',
  'with what would change it; then pass its verification_id to write_fix, or let write_fix verify_first by itself.',
  'To prove a change before it is written, or one of several files, call verify_change: only SAFE is proof, and UNPROVEN',
  'says what is missing.',
  'undo_fix takes an earlier write out of its file again, by its write_id, and keeps what else the file holds.',
  'When a change is written and tested, git_commit commits exactly the files named and leaves everything else as it is.',
  'Success without test_command means written, not tested. A file outside the allowed roots, a command off the',
  'allowlist or one that needs a shell is refused; ask the operator instead of working around it.',
].join(' ');

const LISTS_NEVER_CHANGE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** Makes a server that is not connected yet. */
export function createServer({ info, usecases, calls, log }: ServerParts): McpServer {
  const server = new McpServer(
    { ...info, title: 'Surepatch' },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      cacheHints: {
        'tools/list': LISTS_NEVER_CHANGE,
        'resources/list': LISTS_NEVER_CHANGE,
        'resources/templates/list': LISTS_NEVER_CHANGE,
      },
    },
  );
  for (const tool of allTools(usecases)) tool.register(server, { calls, log });
  registerOutput(server, usecases.readOutput, log);
  registerHistory(server, usecases.history, log);
  return server;
}
