import { expect, test } from 'vitest';
import { failure } from '../../src/model/failure.ts';
import type { UndoReport } from '../../src/model/undo-report.ts';
import { joinServer } from '../support/in-memory-server.ts';

const ID = 'ab'.repeat(16);

const UNDONE: UndoReport = {
  success: true,
  error: null,
  disk_state: 'patched',
  notes: ['a note'],
  undoes: ID,
  file_path: 'tide.txt',
  write_id: 'cd'.repeat(16),
  git_state: 'modified',
  backup: 'tide.txt.reforge-bak',
  sha256_before: 'a'.repeat(64),
  sha256_after: 'b'.repeat(64),
  revision: { epoch: 'e', revision: 3 },
};

test('an undo is answered whole, structured and as text', async () => {
  const asked: unknown[] = [];
  const { client } = await joinServer({
    undoFix: (request) => {
      asked.push(request);
      return Promise.resolve({ ok: true, value: UNDONE });
    },
  });
  const answer = await client.callTool({ name: 'undo_fix', arguments: { write_id: ID } });
  expect(asked).toEqual([{ writeId: ID, repoRoot: undefined }]);
  expect(answer).toMatchObject({
    isError: false,
    structuredContent: UNDONE,
    content: [
      {
        type: 'text',
        text: [
          `Undone: the write ${ID} is taken out of tide.txt. No tests were run.`,
          `write_id of the undo: ${'cd'.repeat(16)}`,
          'Bytes before the undo: tide.txt.reforge-bak',
          'Note: a note',
        ].join('\n'),
      },
    ],
  });
});

test('a conflict is an error that shows both sides, structured and as text', async () => {
  const undo = { undoes: ID, file_path: 'tide.txt', undo_diff: '-slack\n+rising\n', since_diff: '-slack\n+neap\n' };
  const { client } = await joinServer({
    undoFix: () =>
      Promise.resolve({
        ok: false,
        failure: failure('CONFLICT', 'It changed.', { hint: 'Compare.', details: { undo } }),
      }),
  });
  expect(await client.callTool({ name: 'undo_fix', arguments: { write_id: ID } })).toMatchObject({
    isError: true,
    structuredContent: {
      success: false,
      error: 'It changed.',
      error_code: 'CONFLICT',
      hint: 'Compare.',
      disk_state: 'unchanged',
      notes: [],
      ...undo,
    },
    content: [
      {
        text: [
          'Not undone [CONFLICT]: It changed. The file is unchanged.',
          'Next: Compare.',
          'undo_diff, what the undo would change in the file as the write left it:',
          '-slack\n+rising',
          'since_diff, what changed in the file since the write:',
          '-slack\n+neap',
        ].join('\n'),
      },
    ],
  });
});
