/**
 * Repository paths as callers write them → one spelling: relative to the root, `/` between components, `.` for the root
 * itself. Judged by the text alone, so that a path may name what does not exist. See docs/decisions/0013.
 */
import { failure, type Failure } from '../model/failure.ts';
import { MOST_PATH_BYTES, MOST_PATHS, type PathRule } from '../model/path-rule.ts';
import { fail, ok, type Result } from '../model/result.ts';

/** Whose rules for names hold on the file system of the root. */
export type PathHost = 'posix' | 'windows';

/** Blank for JavaScript or for Rust, which disagree on U+0085 and U+FEFF. */
const BLANK = /^[\s\u0085\ufeff]*$/u;
const DRIVE = /^[a-z]:/iu;
/** Names that Windows takes for a device in any folder and with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ .]*(?:[.:]|$)/iu;

const SENTENCES: Readonly<Record<PathRule, string>> = {
  blank: 'is blank; pass "." for the whole repository',
  nul: 'holds a NUL character',
  too_long: `has more than ${MOST_PATH_BYTES} bytes of UTF-8`,
  not_unicode: 'holds half of a surrogate pair',
  absolute: 'is absolute, and paths start at the root of the repository',
  drive_prefix: 'begins with a drive letter, and paths start at the root of the repository',
  parent_traversal: 'has ".." as a component',
  colon: 'holds a colon, which Windows takes for a drive or a stream',
  trailing_dot_or_blank: 'has a component that ends in a dot or a blank, which Windows leaves out',
  device_name: 'names a device of Windows',
};

type Normalized = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly rule: PathRule };

/** Normalises one path. What comes out is a fixed point, and names the root or something below it. */
export function normalizePath(given: string, host: PathHost): Normalized {
  const broken = textRule(given);
  if (broken !== null) return { ok: false, rule: broken };
  const portable = given.replaceAll('\\', '/');
  if (portable.startsWith('/')) return { ok: false, rule: 'absolute' };
  const components = portable.split('/').filter((component) => component !== '' && component !== '.');
  const path = components.length === 0 ? '.' : components.join('/');
  const rule = placeRule(path, components) ?? (host === 'windows' ? windowsRule(components) : null);
  return rule === null ? { ok: true, path } : { ok: false, rule };
}

function textRule(given: string): PathRule | null {
  if (BLANK.test(given)) return 'blank';
  if (given.includes('\0')) return 'nul';
  if (Buffer.byteLength(given) > MOST_PATH_BYTES) return 'too_long';
  return given.isWellFormed() ? null : 'not_unicode';
}

function placeRule(path: string, components: readonly string[]): PathRule | null {
  // `./ ` comes to a path that would be refused if it were passed again.
  if (BLANK.test(path)) return 'blank';
  // `./C:x` is no way around the rule: joined to a root on Windows it names the other drive all the same.
  if (DRIVE.test(path)) return 'drive_prefix';
  return components.includes('..') ? 'parent_traversal' : null;
}

function windowsRule(components: readonly string[]): PathRule | null {
  if (components.some((component) => component.includes(':'))) return 'colon';
  if (components.some((component) => DEVICE.test(component))) return 'device_name';
  return components.some((component) => /[. ]$/u.test(component)) ? 'trailing_dot_or_blank' : null;
}

/** Normalises one path of an argument; the failure (`BAD_PATH`) names the entry and the rule. */
export function repositoryPath(argument: string, given: string, index: number, host: PathHost): Result<string> {
  const normalized = normalizePath(given, host);
  return normalized.ok ? ok(normalized.path) : fail(badPath(argument, given, index, normalized.rule));
}

/**
 * Normalises a whole batch or refuses it: at most 128 entries as they were passed, each by the rules; equal ones become
 * one, in the order in which they first appeared.
 */
export function repositoryPaths(argument: string, given: readonly string[], host: PathHost): Result<readonly string[]> {
  if (given.length > MOST_PATHS) {
    const message = `${argument} has ${given.length} entries, and the limit is ${MOST_PATHS}.`;
    return fail(failure('TOO_MANY_PATHS', message));
  }
  const paths = new Set<string>();
  for (const [index, entry] of given.entries()) {
    const path = repositoryPath(argument, entry, index, host);
    if (!path.ok) return path;
    paths.add(path.value);
  }
  return ok([...paths]);
}

/** Says whether two normalised paths are the same place or one lies in the other, by components; `.` holds all, '' none. */
export function isRelated(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  return isWithin(one, other) || isWithin(other, one);
}

/** Says whether a normalised path is `folder` or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

function badPath(argument: string, given: string, index: number, rule: PathRule): Failure {
  const shown = JSON.stringify(given.length > 80 ? `${given.slice(0, 80)}…` : given);
  const message = `${argument}[${index}] (${shown.toWellFormed()}) ${SENTENCES[rule]}.`;
  return failure('BAD_PATH', message, { details: { bad_path: { argument, index, rule } } });
}
