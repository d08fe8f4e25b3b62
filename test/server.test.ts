import { expect, test } from 'vitest';
import { joinServer, KEPT } from './support/in-memory-server.ts';

test('the lists are announced as never changing', async () => {
  const { client } = await joinServer({});
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false }, resources: { listChanged: false } });
});

test('two servers of one process share nothing: each call reaches its own use-case', async () => {
  const joined = await Promise.all(
    ['one', 'two'].map((note) =>
      joinServer({ writeFix: () => Promise.resolve({ ok: true, value: { ...KEPT, notes: [note] } }) }),
    ),
  );
  const call = { name: 'write_fix', arguments: { diff_str: '@@', file_path: 'a' } };
  const answers = await Promise.all(joined.map(({ client }) => client.callTool(call)));
  expect(answers.map(({ structuredContent }) => structuredContent)).toMatchObject([
    { notes: ['one'] },
    { notes: ['two'] },
  ]);
});
