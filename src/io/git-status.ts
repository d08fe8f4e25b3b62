/** Reads what `git status --porcelain=v2 -z` printed; every byte of a name is a character. */

export interface StatusEntry {
  /** Relative to the root. */
  readonly latin1: string;
  /** Two letters, index and worktree; `.` for no change, `??` for untracked. */
  readonly status: string;
  readonly isUnmerged: boolean;
}

/** How many words stand before the name, by the kind of line. */
const WORDS_BEFORE: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

/**
 * Reads the entries below `prefix`, which is where the root lies in its worktree, with a `/` at the end. Throws on a line
 * of a kind that was not asked for.
 */
export function readStatus(output: string, prefix: string): readonly StatusEntry[] {
  return output
    .split('\0')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const kind = line[0] ?? '';
      const before = WORDS_BEFORE[kind];
      if (before === undefined) throw new SyntaxError('git gave an answer that is not understood');
      const words = line.split(' ');
      const name = words.slice(before).join(' ');
      if (!name.startsWith(prefix)) return [];
      const status = kind === '?' ? '??' : (words[1] ?? '');
      return [{ latin1: name.slice(prefix.length), status, isUnmerged: kind === 'u' }];
    });
}
