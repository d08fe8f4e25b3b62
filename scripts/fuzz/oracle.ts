/**
 * What a patch says, worked out a second time and in another way: whole arrays of lines, hunks cut at their headers and
 * counted afterwards, no offsets. Slow, simple, and sharing nothing with src/engine/patch. Bytes are latin1 text here.
 */

interface Line {
  readonly kind: string;
  readonly text: string;
  readonly marked: boolean;
}

interface OracleHunk {
  readonly start: number;
  readonly lines: readonly Line[];
}

/** The bytes that a patch makes of a file, or nothing when it does not say so plainly. */
export function whatItSays(patch: Buffer, file: Buffer): Buffer | undefined {
  const hunks = cutHunks(patch.toString('latin1'));
  if (hunks === undefined) return undefined;
  const bom = file.toString('latin1', 0, 3) === '\xef\xbb\xbf';
  const fileLines = file.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let taken = 0;
  for (const hunk of hunks) {
    const old = hunk.lines.filter(({ kind }) => kind !== '+');
    const next = hunk.lines.filter(({ kind }) => kind !== '-');
    if (old.length === 0 && (file.length > 0 || hunk.start !== 0)) return undefined;
    const from = old.length === 0 ? 0 : hunk.start - 1;
    if (from < taken || from + old.length > fileLines.length) return undefined;
    const there = fileLines.slice(from, from + old.length);
    const isAtEnd = from + old.length === fileLines.length;
    const made = writeHunk(old, next, there, isAtEnd, from === 0 && bom, fileLines[from - 1]);
    if (made === undefined) return undefined;
    out.push(...fileLines.slice(taken, from), made);
    taken = from + old.length;
  }
  return Buffer.from([...out, ...fileLines.slice(taken)].join(''), 'latin1');
}

function writeHunk(
  old: readonly Line[],
  next: readonly Line[],
  there: readonly string[],
  isAtEnd: boolean,
  hasBom: boolean,
  before: string | undefined,
): string | undefined {
  if ((old.at(-1)?.marked === true || next.at(-1)?.marked === true) && !isAtEnd) return undefined;
  const asSent = (line: Line): string => (line.marked ? line.text : `${line.text}\n`);
  if (old.every((line, index) => asSent(line) === there[index])) return next.map(asSent).join('');
  const hasCr = [...old, ...next].some(({ text }) => text.includes('\r'));
  const keepsBom = hasBom && !(old[0]?.text ?? '').startsWith('\xef\xbb\xbf');
  const bare = there.map((line, index) => (keepsBom && index === 0 ? line.slice(3) : line));
  const endings = bare.map((line) => (!hasCr && line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : ''));
  const same = bare.every(
    (line, index) => line.slice(0, line.length - (endings[index] ?? '').length) === old[index]?.text,
  );
  const markersHold = old.every((line, index) => !(line.marked && endings[index] !== ''));
  const kinds = new Set(endings.filter((ending) => ending !== ''));
  if (!same || !markersHold || kinds.size > 1) return undefined;
  const [ending = !hasCr && before?.endsWith('\r\n') === true ? '\r\n' : '\n'] = kinds;
  if (keepsBom && (next.length === 0 || next[0]?.text.startsWith('\xef\xbb\xbf') === true)) return undefined;
  const staysOpen = endings.at(-1) === '' && old.at(-1)?.marked === false;
  const written = next.map((line, index) => {
    const isOpen = index === next.length - 1 && (line.marked || staysOpen);
    return line.text + (isOpen ? '' : ending);
  });
  return (keepsBom ? '\xef\xbb\xbf' : '') + written.join('');
}

function cutHunks(patch: string): readonly OracleHunk[] | undefined {
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const starts = lines.flatMap((line, index) => (line.startsWith('@@') ? [index] : []));
  const hunks: OracleHunk[] = [];
  for (const [order, start] of starts.entries()) {
    const isLast = order === starts.length - 1;
    const hunk = readHunk(lines.slice(start, starts[order + 1]), isLast);
    if (hunk === undefined) return undefined;
    hunks.push(hunk);
  }
  return hunks.length === 0 ? undefined : hunks;
}

function readHunk([header = '', ...sent]: readonly string[], isLast: boolean): OracleHunk | undefined {
  const numbers = /^@@ -(\d{1,15})(,\d{1,15})? \+(\d{1,15})(,\d{1,15})? @@/.exec(header);
  if (numbers === null) return undefined;
  const [oldCount, newCount] = [numbers[2], numbers[4]].map((count) => Number(count?.slice(1) ?? '1'));
  const count = (kind: string): number => lines.filter((line) => line.kind !== kind).length;
  let body = [...sent];
  let lines = toLines(body);
  // Blank lines after the last hunk are none of its lines.
  while (isLast && (body.at(-1) === '' || body.at(-1) === '\r') && count('+') > (oldCount ?? 0)) {
    body = body.slice(0, -1);
    lines = toLines(body);
  }
  const isSound = body.every((line) => /^[ +\-\\]|^\r?$/.test(line)) && lines.every(isWhole);
  if (!isSound || count('+') !== oldCount || count('-') !== newCount) return undefined;
  const sides = ['+', '-'].map((left) => lines.filter(({ kind }) => kind !== left));
  const markedInside = sides.some((side) => side.slice(0, -1).some(({ marked }) => marked));
  return markedInside ? undefined : { start: Number(numbers[1]), lines };
}

function isWhole({ text, marked }: Line): boolean {
  return !(marked && text === '');
}

function toLines(body: readonly string[]): readonly Line[] {
  return body.flatMap((line, index) => {
    if (line.startsWith('\\')) return [];
    const marked = body[index + 1]?.startsWith('\\ ') ?? false;
    if (line === '' || line === '\r') return [{ kind: ' ', text: line, marked }];
    return [{ kind: line.slice(0, 1), text: line.slice(1), marked }];
  });
}
