/** Memory of the server: after its start, and at its peak over a write of 50 MB. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './client.ts';
import { FILE, type Corpus } from './corpus.ts';
import type { Rig } from './rig.ts';
import type { Section } from './section.ts';
import { showMemory, showMs, table } from './table.ts';

const SETTLE_MS = 500;

/** Reads the kernel's own figures of the server's process; empty where there is no /proc. */
export async function measureMemory(rig: Rig, { file, patches }: Corpus): Promise<Section> {
  const rows = [];
  const targets = [];
  for (const [hunks, patch] of [
    ['100', patches.few],
    ['10,000', patches.many],
  ] as const) {
    const folder = rig.folder(`memory-${hunks}`);
    const target = join(folder, FILE);
    copyFileSync(file, target);
    const { client, pid, call } = await serve(rig, [rig.main, 'serve', '--root', folder]);
    await client.listTools();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const idle = memoryOf(pid);
    const ms = await call('write_fix', { diff_str: readFileSync(patch, 'utf8'), file_path: target, repo_root: folder });
    const after = memoryOf(pid);
    await client.close();
    rows.push([`${hunks} hunks`, showMemory(idle.now), showMemory(after.peak), showMemory(after.now), showMs(ms)]);
    targets.push({
      what: `server, 50 MB and ${hunks} hunks, peak memory`,
      value: after.peak,
      most: 150 * 1024,
      show: showMemory,
    });
    if (rows.length === 1)
      targets.unshift({ what: 'server, idle, memory', value: idle.now, most: 150 * 1024, show: showMemory });
  }
  return {
    title: 'Memory of the server over a write of 50 MB',
    body: [table(['server', 'idle', 'peak', 'after', 'the call took'], rows)],
    targets,
  };
}

/** Resident set and its peak, in KiB. */
function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readStatus(pid);
  const figure = (name: string): number =>
    Number.parseInt(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? '', 10);
  return { now: figure('VmRSS'), peak: figure('VmHWM') };
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  } catch {
    return '';
  }
}
