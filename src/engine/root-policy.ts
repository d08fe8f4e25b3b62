/** Which folders may be a root. Decides on real paths that io has resolved; looks at nothing itself. */
import { relative, sep } from 'node:path';
import { failure } from '../model/failure.ts';
import { isInside } from '../model/inside.ts';
import { fail, ok, type Result } from '../model/result.ts';
import { isGitFolderName } from './path-rules.ts';

const SYSTEM_FOLDERS = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var/lib',
  '/var/run',
  '/var/log',
  '/System',
  '/Library',
  '/Applications',
  '/private/etc',
  'C:\\Windows',
  'C:\\Program Files',
  'C:\\Program Files (x86)',
] as const;

/** Folders inside those where repositories are kept: sources, container images, mounted media, build servers. */
const REPOSITORY_FOLDERS = ['/usr/src', '/usr/local/src', '/run/media', '/var/lib/jenkins', '/var/lib/buildkite-agent'];

/** Folders that hold others' repositories but are none themselves. */
const GATHERING_FOLDERS = ['/home', '/Users', '/root', '/var', '/opt', '/srv', '/mnt', '/media', '/private', '/tmp'];

export interface RootPolicy {
  /** Real paths given with `--root`; empty when the operator gave none. */
  readonly boundaries: readonly string[];
  /** Real path of the home folder, if there is one. */
  readonly home: string | null;
}

/**
 * Admits or refuses (`ROOT_REFUSED`) the real path of a folder as a root. With boundaries, it must be one of them or
 * inside one, and never in a folder of git. Without, it must be none of: the file system's root, a system folder, the home folder or a folder that
 * holds it, a dot-folder directly in the home folder. `argument` is what the caller calls it.
 */
export function judgeRoot(realPath: string, policy: RootPolicy, argument = 'repo_root'): Result<string> {
  if (realPath.split(sep).some(isGitFolderName)) {
    const hint = 'Name the worktree that belongs to it.';
    return fail(failure('ROOT_REFUSED', `${argument} lies in a folder of git.`, { hint }));
  }
  if (policy.boundaries.length > 0) {
    if (policy.boundaries.some((boundary) => isInside(boundary, realPath))) return ok(realPath);
    return refuse(`${argument} is not inside a folder that the server was started with.`, policy);
  }
  if (relative(realPath, '/') === '' || /^[A-Za-z]:\\?$/u.test(realPath)) {
    return refuse(`${argument} is the root of the file system.`, policy);
  }
  const mayHoldRepositories = REPOSITORY_FOLDERS.some((folder) => folder !== realPath && isInside(folder, realPath));
  const isSystem = SYSTEM_FOLDERS.some((folder) => isInside(folder, realPath)) && !mayHoldRepositories;
  if (isSystem || GATHERING_FOLDERS.includes(realPath)) {
    return refuse(`${argument} is a system folder.`, policy);
  }
  if (policy.home !== null && isInside(realPath, policy.home)) {
    return refuse(`${argument} is the home folder or holds it.`, policy);
  }
  if (policy.home !== null && isInside(policy.home, realPath)) {
    const [first = ''] = relative(policy.home, realPath).split(sep);
    if (first.startsWith('.')) return refuse(`${argument} is a dot-folder of the home folder.`, policy);
  }
  return ok(realPath);
}

function refuse(message: string, policy: RootPolicy): Result<never> {
  const hint =
    policy.boundaries.length > 0
      ? `Use one of these or a folder in it: ${policy.boundaries.join(', ')}.`
      : 'Name the repository itself, or allow this folder with --root DIR at start.';
  return fail(failure('ROOT_REFUSED', message, { hint }));
}
