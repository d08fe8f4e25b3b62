/** write_fix without tests over stdio: 200 calls in each place, beside a tool that does nothing and a bare durable write. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './client.ts';
import { commitAll } from './repository.ts';
import type { Rig } from './rig.ts';
import type { Section } from './section.ts';
import { makeSmallFile, replaceDurably, resetSmallFile, SMALL_FILE } from './small-file.ts';
import { interleaved, median, percentile } from './statistics.ts';
import { showMs, showRatio, table } from './table.ts';

const PLACES = [
  { name: 'write_fix, git repository, clean file', git: true, clean: true },
  { name: 'write_fix, git repository, modified file', git: true, clean: false },
  { name: 'write_fix, plain folder', git: false, clean: false },
] as const;

/** Measures the calls, round by round one in each place. */
export async function measureCalling(rig: Rig, calls: number): Promise<Section> {
  const floor = await serve(rig, rig.smallServer);
  const { before, diff } = makeSmallFile();
  const places = [];
  for (const { name, git, clean } of PLACES) {
    const folder = rig.folder(`calls-${String(places.length)}`);
    const file = join(folder, SMALL_FILE);
    writeFileSync(file, clean ? before : 'something else\n');
    if (git) commitAll(folder, rig.env);
    const served = await serve(rig, [rig.main, 'serve', '--root', folder]);
    const call = async (): Promise<number> => {
      resetSmallFile(folder, before);
      return served.call('write_fix', { diff_str: diff, file_path: file, repo_root: folder });
    };
    places.push({ name, close: () => served.client.close(), call });
  }
  const floorFolder = rig.folder('calls-floor');
  const floors = [
    { name: 'echo, the same SDK', close: () => floor.client.close(), call: () => floor.call('echo', { text: diff }) },
    {
      name: 'a bare durable replacement, no protocol',
      close: () => Promise.resolve(),
      call: () => Promise.resolve(replaceDurably(floorFolder, before)),
    },
  ];
  const everything = [...floors, ...places];
  // The first calls load modules and compile; they are part of the start.
  await interleaved(
    5,
    everything.map(({ call }) => call),
  );
  const times = await interleaved(
    calls,
    everything.map(({ call }) => call),
  );
  for (const { close } of everything) await close();

  const floorMs = median(times[0] ?? []) + median(times[1] ?? []);
  const rows = everything.map(({ name }, index) => {
    const ms = times[index] ?? [];
    const [p50, p95] = [percentile(ms, 50), percentile(ms, 95)];
    return [name, showMs(p50), showMs(p95), showMs(Math.min(...ms)), showRatio(p50, floorMs)];
  });
  return {
    title: `write_fix without tests over stdio, ${String(calls)} calls each`,
    body: [table(['call', 'p50', 'p95', 'fastest', 'p50 of both floors'], rows)],
    targets: places.map(({ name }, index) => ({
      what: `${name}, p50`,
      value: percentile(times[index + floors.length] ?? [], 50),
      most: 15,
      show: showMs,
    })),
  };
}
