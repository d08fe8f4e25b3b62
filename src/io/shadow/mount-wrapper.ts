/**
 * Builds what goes in front of a command that runs in a shadow tree: a mount and PID namespace in which the tree is
 * mounted, and from which every capability is taken before the command starts, so that nothing can be unmounted.
 */
import { lstatSync } from 'node:fs';
import type { RunWrapper } from '../../model/run.ts';
import { FIRST_PROCESS, NAMESPACES, serverGuard } from '../run-isolation.ts';
import { findSystemProgram } from '../system-program.ts';

/** The programs of the system that make a tree, and whether they need a user namespace to be allowed to. */
export interface MountTools {
  readonly shell: string;
  readonly unshare: string;
  readonly mount: string;
  readonly setpriv: string;
  readonly asUser: boolean;
}

/**
 * One step, in words of the script: `overlay` a layer at a place, `readonly` a place over itself or over another, `move`
 * a mount, `remove` a file of an overlay by a program, so that the kernel itself notes that it is gone. A layer is a folder below the base with `lower` (a link), `upper` and `work`.
 */
export type MountStep = readonly [verb: 'overlay' | 'readonly' | 'move' | 'remove', from: string, at: string];

/** What the script says on stderr of a layer that could only be made read-only. */
export const FELL_BACK = 'surepatch: read-only instead: ';

/**
 * Layers are named relative to the base, so that no path has to be fit for a list of mount options. `-i` and `-n` keep
 * mount from helpers and from tables that outlive the namespace.
 */
const SCRIPT = `
here=$(pwd -P) && cd -- "$1" || exit 1
mount=$2 setpriv=$3 shell=$4 options=$5 first=$6 kept=$7
shift 7
readonly_at() {
  "$mount" -i -n --bind "$1" "$2" || return 1
  "$mount" -i -n -o remount,bind,ro "$2" || "$mount" -i -n -o remount,bind,ro,nosuid,nodev "$2"
}
while [ "$1" != -- ]; do
  case $1 in
  overlay)
    "$mount" -i -n -t overlay overlay -o "lowerdir=$2/lower,upperdir=$2/upper,workdir=$2/work$options" "$3" ||
      { [ "$2" != layers/0 ] && readonly_at "$2/lower" "$3" && echo "${FELL_BACK}$2" >&2; } || exit 1
    ;;
  readonly) readonly_at "$2" "$3" || exit 1 ;;
  move) "$mount" -i -n --move "$2" "$3" || exit 1 ;;
  remove) "$2" -f -- "$3" || exit 1 ;;
  esac
  shift 3
done
shift
cd -- "$here" || exit 1
exec "$setpriv" --inh-caps=-all --ambient-caps=-all --bounding-set="$kept" --no-new-privs -- "$shell" -c "$first" sh "$@"
`;

/** The tools that this machine has for one kind of namespace; null where one is missing. */
export function findMountTools(asUser: boolean): MountTools | null {
  const [shell, unshare, mount, setpriv] = ['sh', 'unshare', 'mount', 'setpriv'].map(findSystemProgram);
  if (shell == null || unshare == null || mount == null || setpriv == null) return null;
  return { shell, unshare, mount, setpriv, asUser };
}

export interface MountOrder {
  /** The folder that the commands work in stead of. */
  readonly root: string;
  /** The folder that the layers of the steps are in. */
  readonly base: string;
  readonly steps: readonly MountStep[];
  /** What the steps make, in words. */
  readonly what: string;
}

/**
 * Root without any capability is an ordinary user, who could not write a file in somebody else's repository, as root does
 * (a checkout mounted into a container). What is kept then gives power over files, and none over mounts or processes.
 */
function keptCapabilities(root: string): string {
  const isElses = process.geteuid?.() === 0 && lstatSync(root).uid !== 0;
  return isElses ? '-all,+chown,+dac_override,+fowner,+fsetid' : '-all';
}

/** Puts the prefix together. */
export function mountWrapper(
  { shell, unshare, mount, setpriv, asUser }: MountTools,
  { root, base, steps, what }: MountOrder,
): RunWrapper {
  const user = asUser ? ['--user', '--map-current-user', '--keep-caps'] : [];
  const [flag = '-c', first = ''] = FIRST_PROCESS;
  const given = [base, mount, setpriv, shell, asUser ? ',userxattr' : '', first, keptCapabilities(root)];
  const script = [shell, flag, SCRIPT, 'sh', ...given];
  return {
    kind: 'pid_namespace',
    prefix: [
      ...serverGuard(),
      ...[unshare, ...user, '--mount', ...NAMESPACES, '--'],
      ...[...script, ...steps.flat(), '--'],
    ],
    probe: `a PID namespace${asUser ? ' in a user namespace' : ''} with ${what}; ends with the server`,
  };
}
