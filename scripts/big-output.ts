/**
 * Lets a test command print 3 GB (or the GB given) and shows what that costs the server: its peak memory, and whether all of the
 * output is in the file. Exits 1 over 200 MB of memory or on a missing byte. Needs that much free disk for a moment.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRunner } from '../src/io/runner.ts';

const MOST_MEMORY = 200 * 1024 ** 2;
const gigabytes = Number(process.argv[2] ?? '3');
const bytes = gigabytes * 1024 ** 3;
const folder = mkdtempSync(path.join(tmpdir(), 'surepatch-big-output-'));

try {
  const outcome = await createRunner().run({
    command: ['/bin/sh', '-c', `yes 'a line of a test that says too much' | head -c ${bytes - 5}; echo LAST`],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    outputPath: path.join(folder, 'output'),
  });
  const peak = process.resourceUsage().maxRSS * 1024;
  const complete = statSync(outcome.outputPath).size === bytes && outcome.output.endsWith('LAST\n');
  const facts = [
    `${outcome.ending} with ${outcome.exitCode ?? 'no exit code'} after ${outcome.durationMs} ms`,
    `${outcome.outputBytes} bytes in the file, ${outcome.output.length} characters shown`,
    `peak memory of this process ${Math.round(peak / 1024 ** 2)} MB, held together by ${outcome.isolation.probe}`,
  ];
  process.stdout.write(`${facts.join('\n')}\n`);
  process.exitCode = complete && peak < MOST_MEMORY ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
