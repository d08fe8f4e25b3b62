import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutputFile, readExcerpt, type OutputExcerpt } from '../../src/io/output-file.ts';

let folder: string;
let count = 0;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'surepatch-output-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function excerptOf(content: string | Uint8Array, partBytes: number): Promise<OutputExcerpt> {
  const file = await createOutputFile(path.join(folder, `file-${count++}`));
  await file.write(Buffer.from(content));
  const excerpt = await readExcerpt(file, partBytes);
  await file.close();
  return excerpt;
}

describe('readExcerpt', () => {
  it('shows all of an output that fits into head and tail', async () => {
    expect(await excerptOf('12345678', 4)).toEqual({ output: '12345678', outputBytes: 8, outputTruncated: false });
  });

  it('says how many bytes are left out of one that does not', async () => {
    expect(await excerptOf('123456789', 4)).toEqual({
      output: '1234\n[... 1 bytes left out; the whole output has 9 bytes ...]\n6789',
      outputBytes: 9,
      outputTruncated: true,
    });
  });

  it.each(['é', '€', '😀'])('never cuts the character %s in two, wherever the ends fall', async (character) => {
    const content = character.repeat(40);
    for (let partBytes = 4; partBytes <= 12; partBytes += 1) {
      const { output, outputBytes } = await excerptOf(content, partBytes);
      const shown = output.replace(/\n.*\n/, '');
      expect(shown).toBe(character.repeat(Array.from(shown).length));
      const omitted = outputBytes - Buffer.byteLength(shown);
      expect(output).toContain(`\n[... ${omitted} bytes left out; the whole output has ${outputBytes} bytes ...]\n`);
    }
  });

  it('shows bytes that are no UTF-8 as replacement characters, and skips the rest of a cut character', async () => {
    const bytes = Buffer.concat([Buffer.from('ab'), Buffer.alloc(8, 0x80), Buffer.from('yz')]);
    const { output } = await excerptOf(bytes, 3);
    expect(output).toBe('ab\uFFFD\n[... 7 bytes left out; the whole output has 12 bytes ...]\nyz');
  });

  it('keeps a byte order mark that was printed', async () => {
    expect((await excerptOf('\uFEFFa', 4)).output).toBe('\uFEFFa');
  });
});
