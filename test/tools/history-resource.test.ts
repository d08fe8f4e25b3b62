import { expect, test } from 'vitest';
import { joinServer } from '../support/in-memory-server.ts';

test('the history is one document of all roots, cut to its newest records', async () => {
  const records = Array.from({ length: 201 }, (_, n) => ({ sequence: 201 - n }));
  const { client } = await joinServer({
    history: {
      all: () => Promise.resolve([{ root: '/srv/app', records: records as never, problems: [] }]),
      one: () => Promise.resolve(undefined),
    },
  });
  const { contents } = await client.readResource({ uri: 'surepatch://history' });
  const [content] = contents;
  const text = content !== undefined && 'text' in content ? content.text : '';
  expect(JSON.parse(text)).toEqual({
    roots: [{ root: '/srv/app', total: 201, problems: [], records: records.slice(0, 200) }],
  });
});

test('one change is read by its id, and an unknown or malformed one is not found', async () => {
  const { client } = await joinServer({
    history: {
      all: () => Promise.resolve([]),
      one: (id) => Promise.resolve(id === 'ab' ? [] : undefined),
    },
  });
  const { contents } = await client.readResource({ uri: 'surepatch://history/ab' });
  expect(contents).toEqual([
    { uri: 'surepatch://history/ab', mimeType: 'application/json', text: '{\n  "records": []\n}' },
  ]);
  for (const uri of ['surepatch://history/cd', 'surepatch://history/a/b', 'surepatch://history/AB']) {
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/iu);
  }
});

test('a history that cannot be read says so without a path, and logs why', async () => {
  const { client, logged } = await joinServer({
    history: { all: () => Promise.reject(new Error('EIO /srv/state')), one: () => Promise.resolve(undefined) },
  });
  await expect(client.readResource({ uri: 'surepatch://history' })).rejects.toThrow('could not be read');
  expect(logged).toEqual([expect.stringContaining('EIO /srv/state')]);
});
