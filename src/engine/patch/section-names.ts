/**
 * Which file a section of a diff is about. Git writes a prefix before both names, `a/` and `b/` by default; a file may as
 * well lie in a folder of that name, so a prefix is taken off only where both names carry theirs.
 */

export interface SectionHeader {
  /** Names of the `diff --git` line; none where it is missing or can be read in more than one way. */
  readonly gitNames: readonly string[];
  /** Names of the `---` and `+++` lines; none where they are missing. */
  readonly headerNames: readonly string[];
}

export interface SectionNames {
  /** Null where the section names no file. */
  readonly path: string | null;
  /** The old name, where git's prefixes say that it is another file's. */
  readonly renamedFrom: string | null;
  readonly isCreated: boolean;
  readonly isDeleted: boolean;
  /** What is wrong where the header lines name different files. */
  readonly disagreement: string | null;
}

const NOTHING = '/dev/null';
/** First letters of git's prefixes, old and new: default, then those of `diff.mnemonicPrefix`; each may be reversed. */
const PREFIXES: ReadonlySet<string> = new Set(['ab', 'iw', 'ci', 'cw', 'ow'].flatMap((pair) => [pair, reversed(pair)]));

/** True where a section shows that the diff was made without prefixes; it decides for names that stand alone. */
export function hasPlainNames(sections: readonly SectionHeader[]): boolean {
  return sections.some((section) => {
    const [old, next] = bothNames(section);
    return old !== undefined && next !== undefined && !arePrefixed(old, next);
  });
}

/** Reads the names of a section. */
export function namesOf(section: SectionHeader, isPlain: boolean): SectionNames {
  const [old, next = old] = section.headerNames.length > 0 ? section.headerNames : section.gitNames;
  const [oldPlain, newPlain] = plainNames(section, isPlain, old, next);
  const path = newPlain ?? oldPlain;
  const isMoved = oldPlain !== null && newPlain !== null && oldPlain !== newPlain;
  const isByGit = old !== undefined && next !== undefined && arePrefixed(old, next);
  const [, gitName] = plainNames(section, isPlain, section.gitNames[0], section.gitNames[1]);
  const isSame = gitName === null || path === null || gitName === path;
  return {
    path,
    renamedFrom: isMoved && isByGit ? oldPlain : null,
    isCreated: old === NOTHING,
    isDeleted: next === NOTHING,
    disagreement: isSame ? null : `One header line names ${gitName}, another ${path}.`,
  };
}

function plainNames(
  section: SectionHeader,
  isPlain: boolean,
  old: string | undefined,
  next: string | undefined,
): readonly [string | null, string | null] {
  const [first, second] = bothNames(section);
  const known = first === undefined || second === undefined ? !isPlain : arePrefixed(first, second);
  const plain = (name: string | undefined): string | null => {
    if (name === undefined || name === NOTHING) return null;
    return known ? name.replace(/^[abciow]\//u, '') : name;
  };
  return [plain(old), plain(next)];
}

/** Both names of the file, from whichever lines have two that are names. */
function bothNames({ headerNames, gitNames }: SectionHeader): readonly (string | undefined)[] {
  const pairs = [headerNames, gitNames].filter((names) => names.length === 2 && !names.includes(NOTHING));
  return pairs[0] ?? [];
}

function arePrefixed(old: string, next: string): boolean {
  return old.charAt(1) === '/' && next.charAt(1) === '/' && PREFIXES.has(old.charAt(0) + next.charAt(0));
}

function reversed(pair: string): string {
  return pair.charAt(1) + pair.charAt(0);
}
