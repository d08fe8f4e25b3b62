/**
 * The file that holds everything a run printed, and the excerpt shown of it. Created new and private, or not at all; its
 * content is never held in memory beyond the excerpt.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

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
    return { output: decode(whole), outputBytes: size, outputTruncated: false };
  }
  const head = await readPart(file, 0, partBytes);
  const tail = await readPart(file, size - partBytes, partBytes);
  const first = head.subarray(0, endOfWholeCharacters(head));
  const last = tail.subarray(startOfWholeCharacters(tail));
  const omitted = size - first.length - last.length;
  const line = `\n[... ${omitted} bytes left out; the whole output has ${size} bytes ...]\n`;
  return { output: decode(first) + line + decode(last), outputBytes: size, outputTruncated: true };
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

/** Bytes that are not UTF-8 become U+FFFD; a byte order mark is kept, since it was printed. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Finds where a character starts that the end of the bytes cuts off; their length when none is cut. */
function endOfWholeCharacters(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? start : bytes.length;
}

/** Skips the rest of a character that the beginning of the bytes cuts off. */
function startOfWholeCharacters(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return start;
}
