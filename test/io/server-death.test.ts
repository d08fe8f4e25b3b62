import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeContainment } from '../../src/io/run-isolation.ts';
import { runDriver, type RunDriver } from '../support/run-driver.ts';
import { countAlive, uniqueSleep, waitForAlive } from '../support/run-rig.ts';

const NOBODY = 65_534;
const probed = await probeContainment();
const isRoot = process.geteuid?.() === 0;
/** A checkout below a private folder cannot be read by an ordinary user, who then cannot run anything of it. */
const canBeReached =
  isRoot && spawnSync('/usr/bin/test', ['-r', import.meta.filename], { uid: NOBODY, gid: NOBODY }).status === 0;
const users: (readonly [string, number | undefined])[] = [
  ['this user', undefined],
  ['an ordinary user', NOBODY],
];
let driver: RunDriver;
let folder: string;

beforeAll(() => {
  driver = runDriver();
  folder = mkdtempSync(path.join(tmpdir(), 'surepatch-death-'));
  chmodSync(folder, 0o777);
});
afterAll(() => {
  driver.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A server that runs a tree of four: two that ignore SIGTERM, one in a new session, one of these without any mark. */
function startServer(mark: string, uid: number | undefined, rest: string): ChildProcess {
  const line = `trap "" TERM; (setsid ${mark} &); (env -i /usr/bin/setsid ${mark} >/dev/null 2>&1 &); ${mark} & ${mark}`;
  const request = {
    command: ['/bin/sh', '-c', line],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    outputPath: path.join(folder, `output-${mark.slice(6)}`),
  };
  const script = `import { createRunner } from './io/runner.js';
    const runner = createRunner();
    const run = runner.run(${JSON.stringify({ ...request, timeoutMs: 60_000 })});
    ${rest}`;
  return driver.start(script, uid);
}

describe.skipIf(probed.kind !== 'pid_namespace' || !probed.probe.includes('ends with the server'))('a server', () => {
  describe.each(users)('of %s', (_user, uid) => {
    describe.skipIf(uid !== undefined && !canBeReached)('', () => {
      it('that is killed by SIGKILL leaves nothing of a run behind', async () => {
        const mark = uniqueSleep();
        const server = startServer(mark, uid, '');
        await waitForAlive(mark, 4);
        server.kill('SIGKILL');
        await once(server, 'exit');
        await waitForAlive(mark, 0);
      });

      it('that cancels a run has its outcome only when nothing of it is left', async () => {
        const mark = uniqueSleep();
        const report = `process.on('SIGUSR2', async () => {
          void runner.stopAll();
          const { ending, signal, survivors, isolation } = await run;
          console.log(JSON.stringify({ ending, signal, survivors, processes: isolation.processes }));
        });`;
        const server = startServer(mark, uid, report);
        await waitForAlive(mark, 4);
        server.kill('SIGUSR2');
        const answer = server.stdout === null ? '' : await text(server.stdout);
        expect({ alive: countAlive(mark), answer: JSON.parse(answer) as unknown }).toEqual({
          alive: 0,
          answer: { ending: 'cancelled', signal: 'SIGKILL', survivors: [], processes: 'pid_namespace' },
        });
      });
    });
  });
});
