/** The bytes that have a meaning of their own in a patch or in the file that it changes. */

export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const AT = 0x40;
export const BACKSLASH = 0x5c;

/** The UTF-8 byte order mark. */
export const BOM = Buffer.from('\ufeff');

/** Tells whether bytes begin with a byte order mark. */
export function beginsWithBom(bytes: Buffer): boolean {
  return bytes[0] === BOM[0] && bytes[1] === BOM[1] && bytes[2] === BOM[2];
}
