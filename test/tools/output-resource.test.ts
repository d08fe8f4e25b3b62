import { expect, test } from 'vitest';
import { joinServer } from '../support/in-memory-server.ts';

const kept = 'abcdefgh';

async function join() {
  return joinServer({
    readOutput: (id, offset) => {
      if (id === 'broken') return Promise.reject(new Error('/secret/place'));
      if (id !== 'run-1') return Promise.resolve(undefined);
      const end = Math.min(offset + 5, kept.length);
      return Promise.resolve({
        text: kept.slice(offset, end),
        offset,
        nextOffset: end === kept.length ? null : end,
        totalBytes: kept.length,
      });
    },
  });
}

test('the first page is exactly its bytes, and names the next one beside them', async () => {
  const { client } = await join();
  const { contents } = await client.readResource({ uri: 'surepatch://output/run-1' });
  expect(contents).toEqual([
    { uri: 'surepatch://output/run-1', mimeType: 'text/plain', text: 'abcde', _meta: { offset: 0, totalBytes: 8 } },
    {
      uri: 'surepatch://output/run-1?offset=5',
      mimeType: 'text/plain',
      text: '[3 of 8 bytes follow; read surepatch://output/run-1?offset=5]',
    },
  ]);
});

test('the last page names none', async () => {
  const { client } = await join();
  const { contents } = await client.readResource({ uri: 'surepatch://output/run-1?offset=5' });
  expect(contents).toEqual([
    {
      uri: 'surepatch://output/run-1?offset=5',
      mimeType: 'text/plain',
      text: 'fgh',
      _meta: { offset: 5, totalBytes: 8 },
    },
  ]);
});

test.each([
  'surepatch://output/other',
  'surepatch://output/RUN_1',
  `surepatch://output/${'a'.repeat(65)}`,
  'surepatch://output/..%2f..%2fetc',
  'surepatch://output/run-1?offset=-1',
  'surepatch://output/run-1?offset=05',
  'surepatch://output/run-1?offset=1e3',
  'surepatch://output/run-1?offset=99999999999999999',
  'surepatch://output/run-1?offset=1&offset=2',
  'surepatch://output/run-1?other=1',
  'file:///etc/passwd',
])('%s is not found', async (uri) => {
  const { client } = await join();
  await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
});

test('a broken read tells the log why and the caller nothing', async () => {
  const { client, logged } = await join();
  await expect(client.readResource({ uri: 'surepatch://output/broken' })).rejects.toThrow(
    'The output could not be read',
  );
  expect(logged).toEqual([expect.stringContaining('/secret/place')]);
});

test('both forms of the address are listed as templates, that of one record too, and no single output as a resource', async () => {
  const { client } = await join();
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'surepatch://output/{id}',
    'surepatch://output/{id}{?offset}',
    'surepatch://history/{id}',
  ]);
  expect(await client.listResources()).toMatchObject({ resources: [{ uri: 'surepatch://history' }] });
});
