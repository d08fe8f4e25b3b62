/** Random files, edits of them, and damage to the diffs between the two. */
import type { Random } from './random.ts';

const WORDS = [
  '',
  ' ',
  '\t',
  'a',
  'b',
  '}',
  '-- note',
  '++ more',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  '\\ No newline at end of file',
];
const ODD = ['naïve', '\u2028', '\u00a0', '\0', '\r', '\f', '日本', '😀', 'x\ry', '\ufeff', '…'];

export interface FilePair {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Makes a file and an edited copy that differs from it. */
export function filePair(random: Random): FilePair {
  const ending = random.pick(['\n', '\n', '\r\n', 'mixed'], '\n');
  const isSmallAlphabet = random.chance(0.4);
  const line = (): Buffer => {
    const end = ending === 'mixed' ? random.pick(['\n', '\r\n'], '\n') : ending;
    return Buffer.concat([content(random, isSmallAlphabet), Buffer.from(end)]);
  };
  const lines = Array.from({ length: random.below(random.chance(0.1) ? 200 : 24) }, line);
  const edited = edit(lines, random, line);
  return { before: join(lines, random), after: join(edited, random) };
}

function content(random: Random, isSmallAlphabet: boolean): Buffer {
  if (isSmallAlphabet) return Buffer.from(random.pick(['a', 'b', '', '}'], 'a'));
  if (random.chance(0.006)) return Buffer.from([0x80 + random.below(0x80), 0x41, 0xff]);
  const parts = Array.from({ length: 1 + random.below(4) }, () => random.pick(random.chance(0.2) ? ODD : WORDS, 'a'));
  return Buffer.from(parts.join(random.pick(['', ' '], '')));
}

function edit(lines: readonly Buffer[], random: Random, line: () => Buffer): readonly Buffer[] {
  const edited = [...lines];
  for (let left = 1 + random.below(5); left > 0; left -= 1) {
    const at = random.below(edited.length + 1);
    const removed = random.below(4);
    const added = Array.from({ length: random.below(4) }, () =>
      random.chance(0.2) ? random.pick(lines, line()) : line(),
    );
    edited.splice(at, removed, ...added);
  }
  return edited;
}

function join(lines: readonly Buffer[], random: Random): Buffer {
  const whole = Buffer.concat([Buffer.from(random.chance(0.05) ? '\ufeff' : ''), ...lines]);
  if (!random.chance(0.3) || whole.at(-1) !== 10) return whole;
  return whole.subarray(0, -1);
}

/** Damages a diff in one to three places, the way editors, mail, models and bad disks do. */
export function damage(diff: string, random: Random): string {
  let text = diff;
  for (let left = 1 + random.below(3); left > 0; left -= 1) text = damageOnce(text, random);
  return text;
}

function damageOnce(text: string, random: Random): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  switch (random.below(12)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, line);
      break;
    case 2:
      lines.splice(at, 1, lines[at + 1] ?? '', line);
      break;
    case 3:
      lines[at] = random.pick([' ', '+', '-', '', '\\ ', '@'], '') + line.slice(1);
      break;
    case 4:
      lines[at] = line.trimEnd();
      break;
    case 5:
      lines[at] = `${line}${random.pick([' ', '\r', 'x'], ' ')}`;
      break;
    case 6:
      lines[at] = line.replace(/\d+/, (digits) => String(Number(digits) + random.below(5) - 2));
      break;
    case 7:
      lines.splice(random.below(lines.length + 1));
      break;
    case 8:
      lines[at] = line.slice(0, random.below(line.length + 1));
      break;
    case 9:
      return lines.filter((kept) => !kept.startsWith('\\ ')).join('\n');
    case 10:
      return text.replaceAll('\r\n', '\n');
    default: {
      const place = random.below(text.length + 1);
      return (
        text.slice(0, place) +
        random.pick(['\n', ' ', '+', '-', '0', '\r', '@'], ' ') +
        text.slice(place + random.below(3))
      );
    }
  }
  return lines.join('\n');
}
