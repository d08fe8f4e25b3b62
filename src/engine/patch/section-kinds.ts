/** The kinds of change that cannot be verified, refused for the whole diff. The sentences are those of `contracts/verify_change.md`. */
import { failure } from '../../model/failure.ts';
import { fail, type Result } from '../../model/result.ts';
import { headerName } from './names.ts';
import { namesOf, type SectionHeader } from './section-names.ts';

interface SectionKind extends SectionHeader {
  /** Its lines that are no hunk. */
  readonly header: readonly string[];
  readonly hunks: number;
}

/** The refusal of a diff that holds nothing but binary content. */
export function onlyBinary(): Result<never> {
  return unsupported('diff contains only binary changes; nothing verifiable');
}

/** Refuses the first thing that cannot be verified; null where there is none. */
export function refuseKinds(sections: readonly SectionKind[], isPlain: boolean): Result<never> | null {
  const isBinary = ({ header }: SectionKind): boolean =>
    header.some((line) => /^(?:GIT binary patch|Binary files .* differ)$/u.test(line));
  if (sections.every((section) => isBinary(section) && section.hunks === 0)) return onlyBinary();
  if (sections.some(isBinary)) {
    return unsupported('diff contains binary changes alongside text edits; binary changes cannot be verified');
  }
  for (const section of sections) {
    const { path, renamedFrom, isDeleted } = namesOf(section, isPlain);
    const name = path ?? 'a file';
    const said = (start: string): string | undefined => {
      const line = section.header.find((one) => one.startsWith(start));
      return line === undefined ? undefined : (headerName(line.slice(start.length)) ?? '');
    };
    if (isDeleted || said('deleted file mode ') !== undefined) {
      return unsupported(
        `diff deletes ${name}; file deletions are not supported yet, verify that change manually`,
        'Delete the file another way, and verify the rest of the change.',
      );
    }
    for (const [word, plural] of [
      ['copy', 'copies'],
      ['rename', 'renames'],
    ] as const) {
      const [from, to] = [said(`${word} from `), said(`${word} to `)];
      const isMoved = word === 'rename' && renamedFrom !== null;
      if (from === undefined && to === undefined && !isMoved) continue;
      return unsupported(
        `diff ${plural} ${from ?? renamedFrom ?? name} to ${to ?? name}; ${plural} are not supported yet`,
      );
    }
    if (said('old mode ') !== undefined || said('new mode ') !== undefined) {
      return unsupported(`diff changes the mode of ${name}; mode changes are not supported yet`);
    }
  }
  return null;
}

/** Refuses a new file that is not a regular one, by the mode that git gives it. */
export function refuseNewKind(path: string, newMode: string | undefined): Result<never> | null {
  if (newMode === undefined || /^100[0-7]{3}$/u.test(newMode)) return null;
  return unsupported(`diff creates ${path} with mode ${newMode}; only regular files are supported`);
}

function unsupported(message: string, hint?: string): Result<never> {
  return fail(
    failure('PATCH_UNSUPPORTED', message, {
      hint: hint ?? 'Send the text edits alone; make that part of the change another way.',
    }),
  );
}
