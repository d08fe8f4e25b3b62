/** Says in words how a hunk misses the file at its stated place when all its lines are there but for something unseen. */
import type { HunkConflict, HunkConflictCode } from '../../model/hunk-conflict.ts';
import type { Hunk } from '../../model/patch.ts';
import { CR } from './bytes.ts';
import type { Comparison, LineDifference, LinePair } from './compare-lines.ts';
import { firstDifference } from './show.ts';

export interface NearMiss {
  readonly code: HunkConflictCode;
  /** What follows "Hunk 2, patch line 14:". */
  readonly says: string;
  readonly hint: NonNullable<HunkConflict['hint']>;
}

type Namer = (hunk: Hunk, comparison: Comparison, fileLine: number) => NearMiss;

/** The near miss a comparison shows; undefined when the lines are equal or differ in their text. */
export function nameNearMiss(hunk: Hunk, comparison: Comparison, fileLine: number): NearMiss | undefined {
  return NAMERS[comparison.worst.difference]?.(hunk, comparison, fileLine);
}

const NAMERS: Readonly<Partial<Record<LineDifference, Namer>>> = {
  ending: (hunk, comparison, fileLine) => {
    const { lf, crlf } = comparison.endings;
    if (lf > 0 && crlf > 0 && !hunk.hasCarriageReturn) {
      return {
        code: 'MIXED_EOL',
        says: `the patch ends its lines in LF, but of the file's ${lf + crlf} lines here ${crlf} end in CRLF and ${lf} in LF.`,
        hint: 'Show each carriage return in the patch, or make the endings of the file alike first.',
      };
    }
    const [file, patch] = comparison.worst.actual.at(-1) === CR ? ['CRLF', 'LF'] : ['LF', 'CRLF'];
    const differing = comparison.compared - (hunk.hasCarriageReturn ? comparison.matching : 0);
    const scope = differing === comparison.compared ? `all ${differing}` : `${differing} of ${comparison.compared}`;
    return {
      code: 'EOL_MISMATCH',
      says: `file line ${fileLine} ends in ${file}, the patch line in ${patch}; ${scope} old lines differ only in that.`,
      hint: `Send the hunk without any carriage return; its lines then take the file's endings.`,
    };
  },
  bom: (_hunk, _comparison, fileLine) => ({
    code: 'BOM',
    says: `the patch line begins with a byte order mark, file line ${fileLine} does not.`,
    hint: 'Leave the byte order mark out of the patch.',
  }),
  final_newline: (_hunk, _comparison, fileLine) => ({
    code: 'EOF_NEWLINE',
    says: `the patch says that this line has no newline, but file line ${fileLine} has one.`,
    hint: 'Take out the `\\ No newline at end of file` after this line.',
  }),
  trailing: (_hunk, { worst }, fileLine) => {
    const file = tail(worst.actual);
    const patch = tail(worst.expected);
    const says =
      file === ''
        ? `the patch line has ${countBlanks(patch)} at its end that file line ${fileLine} lacks.`
        : patch === ''
          ? `file line ${fileLine} has ${countBlanks(file)} at its end that the patch lacks.`
          : `file line ${fileLine} has ${countBlanks(file)} at its end, the patch ${countBlanks(patch)}.`;
    return { code: 'TRAILING_WS', says, hint: 'Copy the line from the file with everything at its end.' };
  },
  whitespace: (_hunk, { worst }, fileLine) => {
    const file = head(worst.actual);
    const patch = head(worst.expected);
    const says =
      file === patch
        ? `file line ${fileLine} and the patch differ in blanks and tabs inside the line.`
        : `file line ${fileLine} starts with ${countBlanks(file)}, the patch with ${countBlanks(patch)}.`;
    return { code: 'WHITESPACE', says, hint: 'Copy blanks and tabs from the file as they are.' };
  },
  unicode: (_hunk, { worst }, fileLine) => ({
    code: 'UNICODE_FORM',
    says: `file line ${fileLine} reads like the patch but holds other characters: ${differingCharacters(worst)}.`,
    hint: 'Copy the characters from the file as they are.',
  }),
  encoding: (_hunk, _comparison, fileLine) => ({
    code: 'ENCODING',
    says: `file line ${fileLine} is not UTF-8, so no patch can show it; only its ASCII part is the same.`,
    hint: 'Patch around this line, or convert the file to UTF-8 first.',
  }),
  line_number: () => ({
    code: 'LINE_NUMBERS',
    says: 'the line begins with a line number from a listing, which the file does not hold.',
    hint: 'Take the line numbers out of every line of the patch.',
  }),
};

function head(line: Buffer): string {
  return /^[ \t]*/.exec(line.toString('latin1', 0, 1000))?.[0] ?? '';
}

function tail(line: Buffer): string {
  return /[ \t\r]*$/.exec(line.toString('latin1', Math.max(0, line.length - 1000)))?.[0] ?? '';
}

function countBlanks(text: string): string {
  const kinds: readonly (readonly [string, string])[] = [
    [' ', 'blank'],
    ['\t', 'tab'],
    ['\r', 'carriage return'],
  ];
  const counts = kinds.flatMap(([character, name]) => {
    const count = text.split(character).length - 1;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? 'none' : counts.join(' and ');
}

function differingCharacters({ expected, actual }: LinePair): string {
  const at = firstDifference(expected, actual);
  const [patch, file] = [expected, actual].map((line) => characterAt(line, at));
  return `${file ?? ''} in the file, ${patch ?? ''} in the patch`;
}

function characterAt(line: Buffer, at: number): string {
  let start = at;
  while (start > 0 && ((line[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const point = line.toString('utf8', start, start + 4).codePointAt(0);
  return point === undefined ? 'the end of the line' : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
