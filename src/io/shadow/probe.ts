/**
 * Decides which kind of shadow tree this machine allows, by really making one and attacking it: a write must stay in it,
 * an unmount must be refused, no capability may be left. Harmless, and the answer is always usable.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShadowTier } from '../../model/shadow.ts';
import { errnoOf } from '../disk-error.ts';
import { captureWrapped } from '../run-isolation.ts';
import { linksOut } from './links-out.ts';
import { findMountTools, mountWrapper, type MountTools } from './mount-wrapper.ts';
import { openOverlay } from './overlay.ts';
import { makeShadowFolder } from './shadow-folder.ts';

export interface ShadowProbe {
  readonly tier: ShadowTier;
  /** What was found, in words. */
  readonly found: string;
  /** Why there is no better tier, in words; null for the best. */
  readonly reason: string | null;
  /** How an overlay is made here; null where none can be. */
  readonly overlay: MountTools | null;
  /** What keeps a copy's runs from the real tree; null where mounts cannot be made. */
  readonly mountTools: MountTools | null;
}

/** Prints what a run in the tree sees and may do, a word a line. */
const ATTACK = `
cd "$1" && echo changed > kept && cat kept changed-file
umount "$1" 2>/dev/null && echo unmounted || echo refused
while read -r name value; do [ "$name" = CapEff: ] && echo "$value"; done < /proc/self/status
true
`;
const HOLDS = ['changed', 'proposed', 'refused', '0000000000000000', '0'];

/** Probes with the folders that a tree may be kept in, the preferred one first. */
export async function probeShadow(bases: readonly string[]): Promise<ShadowProbe> {
  const reasons: string[] = [];
  if (process.platform !== 'linux') return copyOnly(`there is no overlayfs on ${process.platform}`, null);
  for (const asUser of process.geteuid?.() === 0 ? [false, true] : [true]) {
    const tools = findMountTools(asUser);
    if (tools === null) return copyOnly('mount, unshare or setpriv was not found in the system folders', null);
    for (const base of bases) {
      const trouble = await attack(base, tools);
      if (trouble === null) {
        const found = `an overlay${asUser ? ' in a user namespace' : ''} over the repository's own path, kept in ${base}`;
        return { tier: 'overlay', found, reason: null, overlay: tools, mountTools: tools };
      }
      reasons.push(`${base}: ${trouble}`);
    }
  }
  return copyOnly(reasons.join('; '), await findClosing(bases));
}

function copyOnly(reason: string, mountTools: MountTools | null): ShadowProbe {
  return { tier: 'copy', found: 'a copy of the repository elsewhere', reason, overlay: null, mountTools };
}

/** What can at least close the real tree to a run of a copy, tried on a folder of our own; null where nothing can. */
async function findClosing(bases: readonly string[]): Promise<MountTools | null> {
  for (const asUser of process.geteuid?.() === 0 ? [false, true] : [true]) {
    const tools = findMountTools(asUser);
    for (const base of tools === null ? [] : bases) {
      if (tools !== null && (await holdsClosed(base, tools))) return tools;
    }
  }
  return null;
}

async function holdsClosed(base: string, tools: MountTools): Promise<boolean> {
  let folder;
  try {
    folder = await makeShadowFolder(base);
  } catch {
    return false;
  }
  try {
    const { prefix } = mountWrapper(tools, {
      root: base,
      base: folder.path,
      steps: [['readonly', 'run', 'run']],
      what: '',
    });
    const attempt = [tools.shell, '-c', 'true > "$1/run/x"; true', 'sh', folder.path];
    const { stdout, stderr } = await captureWrapped(prefix, attempt, tools.shell);
    return stdout.endsWith('0') && !existsSync(join(folder.runFolder, 'x')) && stderr === '';
  } finally {
    await folder.dispose();
  }
}

/** Returns null when a tree kept below `base` holds, else what is wrong with it. */
async function attack(base: string, tools: MountTools): Promise<string | null> {
  let folder;
  try {
    folder = await makeShadowFolder(base);
  } catch (error) {
    return `no folder can be made (${errnoOf(error) ?? 'unknown reason'})`;
  }
  try {
    const root = join(folder.path, 'root');
    mkdirSync(root);
    for (const name of ['kept', 'changed-file']) writeFileSync(join(root, name), 'original\n');
    const files = [{ path: 'changed-file', bytes: Buffer.from('proposed\n'), mode: null }];
    const opened = await openOverlay({ root, files, tools, base, kept: [], tried: new Map(), links: linksOut(root) });
    if (!opened.ok) return opened.failure.message;
    try {
      const command = [tools.shell, '-c', ATTACK, 'sh', root];
      const { stdout } = await captureWrapped(opened.value.examinerWrapper?.prefix ?? [], command, tools.shell);
      const isUntouched = ['kept', 'changed-file'].every(
        (name) => readFileSync(join(root, name), 'utf8') === 'original\n',
      );
      if (!isUntouched) return 'a write through the overlay reached the files below';
      return stdout.trimEnd() === HOLDS.join('\n') ? null : 'a run in the overlay did not find what it should';
    } finally {
      await opened.value.dispose();
    }
  } finally {
    await folder.dispose();
  }
}
