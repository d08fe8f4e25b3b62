/**
 * The file that holds everything a run printed, and the excerpt shown of it. Created new and private, or not at all; its
 * content is never held in memory beyond the excerpt.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { characterStart, decodeText, nextCharacter } from './whole-characters.ts';

/** How much is shown of the beginning, and of the end, in bytes. */
const PART_BYTES = 65_536;

export interface OutputExcerpt {
  readonly output: string;
  readonly outputBytes: number;
  readonly outputTruncated: boolean;
}

/** Creates the file, private to this user; throws when the name exists already, as a link too. */
export async function createOutputFile(outputPath: string): Promise<FileHandle> {
  const { O_CREAT, O_EXCL, O_APPEND, O_RDWR } = constants;
  return open(outputPath, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0o600);
}

/** Reads the first and last 64 KiB, joined by a line that says how many bytes are left out between them. */
export async function readExcerpt(file: FileHandle, partBytes: number = PART_BYTES): Promise<OutputExcerpt> {
  const { size } = await file.stat();
  if (size <= 2 * partBytes) {
    const whole = await readPart(file, 0, size);
    return { output: decodeText(whole), outputBytes: size, outputTruncated: false };
  }
  // One byte more shows whether the cut falls into a character.
  const head = await readPart(file, 0, partBytes + 1);
  const tail = await readPart(file, size - partBytes, partBytes);
  const first = head.subarray(0, characterStart(head, partBytes));
  const last = tail.subarray(nextCharacter(tail, 0));
  const omitted = size - first.length - last.length;
  const line = `\n[... ${omitted} bytes left out; the whole output has ${size} bytes ...]\n`;
  return { output: decodeText(first) + line + decodeText(last), outputBytes: size, outputTruncated: true };
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const part = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(part, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return part.subarray(0, filled);
}
