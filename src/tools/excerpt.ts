/**
 * Shortens what a test run printed to what is read first: the lines that report a failure, then the end. What is left
 * out is counted, never silently dropped. Pure; knows no test runner, only the words they share.
 */

/** A line that reports a failure in one of the usual runners, told by words at its start or in capitals. */
const FAILURE =
  /^\s*(?:not ok\b|FAIL|E {2,}|Error\b|AssertionError|\w*(?:Error|Exception):|panic|---+ FAIL|[✖✗×●] )|\b(?:FAILED|FAILURE|AssertionError|panicked at)\b/u;
const LINES_AFTER = 3;
const LINE_CHARACTERS = 300;
const SCANNED_LINES = 20_000;

/** Shortens to at most `budget` characters; text that fits is returned as it is. */
export function excerptOfOutput(output: string, budget: number): string {
  const text = output.trimEnd();
  if (text.length <= budget) return text;
  const lines = text.split('\n').map(shortened);
  const tail = takeFromEnd(lines, Math.floor(budget / 2));
  const failures = takeFailures(lines.slice(0, lines.length - tail.length), budget - sizeOf(tail) - 100);
  const left = lines.length - tail.length - failures.length;
  return [...failures, `[${left} of ${lines.length} lines left out]`, ...tail].join('\n').slice(0, budget);
}

/** The last lines of a text, as many as fit. */
export function endOfOutput(output: string, budget: number): string {
  return takeFromEnd(output.trimEnd().split('\n').map(shortened), budget).join('\n');
}

function takeFromEnd(lines: readonly string[], budget: number): string[] {
  const taken: string[] = [];
  let size = 0;
  for (const line of lines.toReversed()) {
    size += line.length + 1;
    if (size > budget) break;
    taken.push(line);
  }
  return taken.reverse();
}

function takeFailures(lines: readonly string[], budget: number): string[] {
  const taken: string[] = [];
  let size = 0;
  let until = -1;
  for (const [index, line] of lines.slice(0, SCANNED_LINES).entries()) {
    if (FAILURE.test(line)) until = index + LINES_AFTER;
    if (index > until) continue;
    size += line.length + 1;
    if (size > budget) break;
    taken.push(line);
  }
  return taken;
}

function shortened(line: string): string {
  return line.length <= LINE_CHARACTERS ? line : `${line.slice(0, LINE_CHARACTERS)}…`;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
