/** Opens shadow trees: of the best tier that works on this machine and for the repository at hand, or of the one asked for. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure } from '../../model/failure.ts';
import { isInside } from '../../model/inside.ts';
import { fail, type Result } from '../../model/result.ts';
import type { ShadowFile, ShadowTier, ShadowTree } from '../../model/shadow.ts';
import { realFolder } from '../worktree.ts';
import { openCopy } from './copy.ts';
import { linksOut, type LinksOut } from './links-out.ts';
import { openOverlay } from './overlay.ts';
import { probeShadow, type ShadowProbe } from './probe.ts';
import { sweepShadowFolders } from './shadow-folder.ts';

export interface ShadowRequest {
  /** Real path of the root. */
  readonly root: string;
  /** The files as they are to be in the tree; everything else is as it is in the root. */
  readonly files: readonly ShadowFile[];
  /** The only tier that is wanted; null for the best that works. */
  readonly forced: ShadowTier | null;
  readonly signal?: AbortSignal | undefined;
}

export interface Shadows {
  /** Says what this machine allows; really tried out once, at the first need. */
  probe(): Promise<ShadowProbe>;
  /** Opens a tree; the caller disposes of it. Fails with `SHADOW_UNAVAILABLE` where a forced tier does not work. */
  open(request: ShadowRequest): Promise<Result<ShadowTree>>;
  /** Removes the trees of servers that died; returns their paths. */
  sweep(): Promise<readonly string[]>;
}

/** Holds an upper layer where nothing else does (a container whose disk is itself an overlay); never a whole copy. */
const MEMORY = '/dev/shm';
const NO_PLACE = 'There is no folder outside the repository in which the tree could be kept.';

/** Binds the folder of Surepatch's state, or null where there is none; touches nothing until a function is called. */
export function createShadows(stateFolder: () => string | null): Shadows {
  let probed: Promise<ShadowProbe> | undefined;
  const tried = new Map<string, readonly number[]>();
  const looking = new Map<string, Promise<LinksOut>>();
  /** Two trees that are opened at the same time have the same links; a later one looks again. */
  const linksOf = (root: string): Promise<LinksOut> => {
    const under = looking.get(root) ?? linksOut(root).finally(() => looking.delete(root));
    // Whoever waits for the links is told what went wrong; a tree in which nothing is run has nobody who waits.
    under.catch(() => undefined);
    looking.set(root, under);
    return under;
  };
  const bases = (): readonly string[] => {
    const state = stateFolder();
    const temporary = [tmpdir(), MEMORY].flatMap((path) => realFolder(path)?.path ?? []);
    return [...(state === null ? [] : [join(state, 'shadows')]), ...temporary];
  };
  const probe = (): Promise<ShadowProbe> => (probed ??= probeShadow(bases()));
  return {
    probe,
    sweep: () => sweepShadowFolders(bases()),
    open: async (request) => {
      const { root, forced } = request;
      const { overlay, mountTools, reason } = await probe();
      const links = linksOf(root);
      const kept = bases();
      const outside = kept.filter((path) => !isInside(root, path));
      let why = forced === 'copy' ? 'A copy was asked for.' : (reason ?? NO_PLACE);
      if (overlay !== null && forced !== 'copy') {
        for (const base of outside) {
          const opened = await openOverlay({ ...request, tools: overlay, base, kept, tried, links });
          if (opened.ok || opened.failure.code !== 'SHADOW_UNAVAILABLE') return opened;
          why = opened.failure.message;
        }
      }
      if (forced === 'overlay') return unavailable(`No overlay can be mounted over this repository. ${why}`);
      const base = outside.find((path) => path !== MEMORY);
      if (base === undefined) return unavailable(NO_PLACE);
      return openCopy({ ...request, tools: mountTools, base, kept, links, reason: why });
    },
  };
}

function unavailable(message: string) {
  return fail(failure('SHADOW_UNAVAILABLE', message));
}
