/** What every measurement stands on: a scratch folder of its own, the built programs, and an environment of its own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Rig {
  readonly scratch: string;
  /** The built executable of the package. */
  readonly main: string;
  /** This benchmark's own entry, which also runs its children. */
  readonly bench: string;
  /** Arguments of Node for a server of the same SDK that does next to nothing. */
  readonly smallServer: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Makes an empty folder. */
  folder(name: string): string;
  dispose(): void;
}

/** Opens a rig; the scratch folder lies in the system's folder for temporary files. */
export function openRig(): Rig {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'surepatch-bench-')));
  const folder = (name: string): string => {
    const path = join(scratch, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const here = import.meta.dirname;
  return {
    scratch,
    main: resolve(here, '../../../dist/main.js'),
    bench: join(here, 'index.js'),
    smallServer: [join(here, 'index.js'), '--child', 'small-server'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder('home'),
      XDG_STATE_HOME: folder('state'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CEILING_DIRECTORIES: scratch,
      LC_ALL: 'C',
    },
    folder,
    dispose: () => {
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** The Node that runs this. */
export const NODE = process.execPath;
