/** The rules that a repository path must keep, as words of the interface, and the limits of a batch of paths. */

export const PATH_RULES = [
  'blank',
  'nul',
  'too_long',
  'not_unicode',
  'absolute',
  'drive_prefix',
  'parent_traversal',
  'colon',
  'trailing_dot_or_blank',
  'device_name',
] as const;

export type PathRule = (typeof PATH_RULES)[number];

/** The entry of a call that breaks a rule. */
export interface BadPath {
  readonly argument: string;
  /** Counts from 0. */
  readonly index: number;
  readonly rule: PathRule;
}

export const MOST_PATHS = 128;
export const MOST_PATH_BYTES = 4096;
