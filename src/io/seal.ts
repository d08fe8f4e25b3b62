/** Text with a message authentication code, so that what Surepatch kept is told from what somebody else put there. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** One line, without its end: the code, a blank, the value as JSON. */
export function seal(value: unknown, key: Buffer): string {
  const text = JSON.stringify(value);
  return `${macOf(text, key).toString('hex')} ${text}`;
}

/** The value of a sealed line, or undefined where the line is not ours. */
export function unseal(line: string, key: Buffer): unknown {
  const at = line.indexOf(' ');
  const text = line.slice(at + 1);
  const given = Buffer.from(line.slice(0, Math.max(at, 0)), 'hex');
  const own = macOf(text, key);
  if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
  return JSON.parse(text);
}

function macOf(text: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
