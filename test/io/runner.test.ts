import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupContainment, probeContainment, type Containment } from '../../src/io/run-isolation.ts';
import { createRunner, type Runner } from '../../src/io/runner.ts';
import { countAlive, runRig, uniqueSleep, waitForAlive, type RunRig } from '../support/run-rig.ts';

const probed = await probeContainment();
const namespace = probed.kind === 'pid_namespace' ? probed : null;
const kinds: (readonly [string, Containment | null])[] = [
  ['a PID namespace', namespace],
  ['a process group', groupContainment('forced by the test')],
];

describe.each(kinds)('a run in %s', (_kind, containment) => {
  describe.skipIf(containment === null || process.platform !== 'linux')('', () => {
    const contained = containment ?? groupContainment('');
    let runner: Runner;
    let rig: RunRig;
    const leftovers: string[] = [];
    const sleepMark = (): string => {
      const mark = uniqueSleep();
      leftovers.push(mark);
      return mark;
    };

    beforeEach(() => {
      runner = createRunner(() => Promise.resolve(contained));
      rig = runRig(runner);
    });
    afterEach(async () => {
      await runner.stopAll(0);
      rig.remove();
    });
    afterAll(() => {
      expect(leftovers.map(countAlive)).toEqual(leftovers.map(() => 0));
    });

    it('answers with the exit code and with stdout and stderr in the order they were written', async () => {
      const outcome = await rig.shell('echo one; echo two >&2; echo three; exit 3');
      expect(outcome).toEqual({
        ending: 'exited',
        exitCode: 3,
        signal: null,
        durationMs: expect.any(Number) as number,
        startError: null,
        output: 'one\ntwo\nthree\n',
        outputBytes: 14,
        outputTruncated: false,
        outputPath: path.join(rig.folder, 'output-0'),
        isolation: { level: 'none', processes: contained.kind, network: 'host', probe: contained.probe },
        survivors: [],
      });
    });

    it.each([0, 1, 126, 127, 255])('passes exit code %i on', async (code) => {
      expect(await rig.shell(`exit ${code}`)).toMatchObject({ ending: 'exited', exitCode: code, signal: null });
    });

    it.each(['SIGKILL', 'SIGSEGV', 'SIGTERM'])(
      'names %s when it ended the command, and adds no words of its own',
      async (signal) => {
        const outcome = await rig.shell(`kill -${signal.slice(3)} $$`);
        expect(outcome).toMatchObject({ ending: 'exited', exitCode: null, signal, output: '' });
      },
    );

    it('gives the command an empty stdin, no terminal, no descriptor of ours and no inherited signal handling', async () => {
      const outcome = await rig.shell(
        [
          'cat; for fd in 0 1 2; do test -t $fd && echo terminal; done; grep -E "Sig(Ign|Blk)" /proc/self/status',
          'for fd in 0 1 2 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$fd; done',
        ].join('\n'),
      );
      const handling = ['SigBlk:\t0000000000000000', 'SigIgn:\t0000000000000000'];
      expect(outcome.output.trimEnd().split('\n')).toEqual([
        ...handling,
        '/dev/null',
        outcome.outputPath,
        outcome.outputPath,
      ]);
    });

    it('gives the command the environment it was handed and the id of the run, and nothing else', async () => {
      const outcome = await rig.shell('', { command: ['/usr/bin/env'], env: { PATH: '/usr/bin', CI: '1' } });
      const names = outcome.output.split('\n').map((line) => line.split('=')[0]);
      expect(names.filter((name) => name !== 'PWD' && name !== '_' && name !== 'SHLVL').sort()).toEqual([
        '',
        'CI',
        'PATH',
        'SUREPATCH_RUN_ID',
      ]);
    });

    it('passes arguments that a shell would interpret exactly as they are', async () => {
      const words = ['$HOME', '`id`', '; exit 9', '', 'a  b', '*', '"', "'", '-c'];
      const outcome = await rig.shell('', { command: ['/usr/bin/printf', '[%s]\n', ...words] });
      expect(outcome.output).toBe(words.map((word) => `[${word}]\n`).join(''));
    });

    it('ends a double-forked child that ignores SIGTERM and holds stdout open, within 2 s of the timeout', async () => {
      const mark = sleepMark();
      const started = performance.now();
      const outcome = await rig.shell(`trap "" TERM; (setsid sh -c 'trap "" TERM; ${mark}; :' &); ${mark}`, {
        timeoutMs: 1_000,
      });
      const elapsed = performance.now() - started;
      expect({ alive: countAlive(mark), outcome }).toMatchObject({
        alive: 0,
        outcome: { ending: 'timed_out', exitCode: null, survivors: [] },
      });
      expect(elapsed).toBeLessThan(3_000);
    });

    it('ends what a command leaves in the background when it exits by itself', async () => {
      const mark = sleepMark();
      const outcome = await rig.shell(`${mark} & (setsid ${mark} >/dev/null 2>&1 &); echo done`);
      expect({ alive: countAlive(mark), output: outcome.output, exitCode: outcome.exitCode }).toEqual({
        alive: 0,
        output: 'done\n',
        exitCode: 0,
      });
    });

    it('ends a grandchild with an emptied environment that holds stdout', async () => {
      const mark = sleepMark();
      await rig.shell(`(env -i /usr/bin/setsid ${mark} &); exit 0`);
      expect(countAlive(mark)).toBe(0);
    });

    it.skipIf(contained.kind === 'process_group')('ends a grandchild that bears no mark at all', async () => {
      const mark = sleepMark();
      await rig.shell(`(env -i /usr/bin/setsid ${mark} >/dev/null 2>&1 &); sleep 0.1`);
      expect(countAlive(mark)).toBe(0);
    });

    it.skipIf(contained.kind === 'process_group')('reaps orphans while the command runs', async () => {
      const outcome = await rig.shell(
        'for i in 1 2 3 4 5 6 7 8; do (setsid sh -c "sleep 0.05 &" &); done; sleep 0.4; grep -l "^State:.Z" /proc/[0-9]*/status',
      );
      expect(outcome.output).toBe('');
    });

    it('lets a command tidy up on SIGTERM before the time is over', async () => {
      const outcome = await rig.shell('trap "echo tidied; exit 4" TERM; while :; do sleep 0.02; done', {
        timeoutMs: 2_000,
      });
      expect(outcome).toMatchObject({ ending: 'timed_out', exitCode: 4 });
      expect(outcome.output).toContain('tidied\n');
      expect(outcome.durationMs).toBeLessThan(2_200);
    });

    it('sends SIGTERM once to each process, in the group or out of it', async () => {
      const count = (name: string): string => `trap "echo ${name}" TERM; while :; do sleep 0.02; done`;
      const outcome = await rig.shell(`setsid sh -c '${count('outside')}' & ${count('inside')}`, { timeoutMs: 2_000 });
      const said = outcome.output.split('\n').filter((line) => line === 'inside' || line === 'outside');
      expect(said.sort()).toEqual(contained.kind === 'process_group' ? ['inside', 'outside'] : ['inside']);
    });

    it('starts nothing when the call was cancelled before', async () => {
      const outcome = await rig.shell('touch started', { signal: AbortSignal.abort() });
      expect({ outcome, started: existsSync(path.join(rig.folder, 'started')) }).toMatchObject({
        outcome: { ending: 'cancelled', exitCode: null, signal: null, output: '' },
        started: false,
      });
    });

    it('kills the whole tree when the call is cancelled', async () => {
      const mark = sleepMark();
      const controller = new AbortController();
      const running = rig.shell(`trap "" TERM; (setsid ${mark} &); ${mark}`, {
        signal: controller.signal,
        graceMs: 200,
      });
      await waitForAlive(mark, 2);
      controller.abort();
      expect({ outcome: await running, alive: countAlive(mark) }).toMatchObject({
        outcome: { ending: 'cancelled', survivors: [] },
        alive: 0,
      });
    });

    it('is ended by stopAll within a second, and nothing can be started afterwards', async () => {
      const mark = sleepMark();
      const running = [rig.shell(`trap "" TERM; ${mark}`), rig.shell(`(setsid ${mark} &); ${mark}`)];
      await waitForAlive(mark, 3);
      const started = performance.now();
      await runner.stopAll();
      expect(performance.now() - started).toBeLessThan(1_000);
      expect(countAlive(mark)).toBe(0);
      const endings = (await Promise.all([...running, rig.shell('echo late')])).map(({ ending, output }) => ({
        ending,
        output,
      }));
      expect(endings[2]).toEqual({ ending: 'cancelled', output: '' });
      expect(endings.map(({ ending }) => ending)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    });

    it('keeps 64 MB of output in a private file and shows its two ends', async () => {
      const outcome = await rig.shell('echo FIRST; head -c 67108864 /dev/zero | tr "\\0" x; echo; echo LAST');
      const { size, mode } = statSync(outcome.outputPath);
      expect({ size, mode: mode & 0o777 }).toEqual({ size: 67_108_864 + 12, mode: 0o600 });
      expect(outcome).toMatchObject({ ending: 'exited', exitCode: 0, outputBytes: size, outputTruncated: true });
      expect(outcome.output.slice(0, 8)).toBe('FIRST\nxx');
      expect(outcome.output).toContain(
        `\n[... ${size - 131_072} bytes left out; the whole output has ${size} bytes ...]\n`,
      );
      expect(outcome.output.slice(-8)).toBe('xx\nLAST\n');
    });

    it('is ended when its output grows over the limit', async () => {
      const outcome = await rig.shell('yes', { outputLimitBytes: 1_000_000 });
      expect(outcome).toMatchObject({
        ending: 'output_limit',
        signal: 'SIGKILL',
        outputTruncated: true,
        survivors: [],
      });
    });

    it('rejects rather than write to an output file that exists, be it a dangling link', async () => {
      const taken = path.join(rig.folder, 'taken');
      const link = path.join(rig.folder, 'link');
      writeFileSync(taken, 'mine');
      symlinkSync(path.join(rig.folder, 'elsewhere'), link);
      await expect(rig.shell('echo x', { outputPath: taken })).rejects.toThrow('EEXIST');
      await expect(rig.shell('echo x', { outputPath: link })).rejects.toThrow('EEXIST');
      expect(readFileSync(taken, 'utf8')).toBe('mine');
    });

    it('says why nothing started when the folder to run in is gone', async () => {
      const outcome = await rig.shell('echo x', { cwd: path.join(rig.folder, 'gone') });
      expect(outcome).toMatchObject({ ending: 'not_started', exitCode: null, output: '' });
      expect(outcome.startError).toContain('ENOENT');
    });

    it('runs in the folder it was given', async () => {
      mkdirSync(path.join(rig.folder, 'sub'));
      const outcome = await rig.shell('pwd -P', { cwd: path.join(rig.folder, 'sub') });
      expect(outcome.output).toBe(`${path.join(rig.folder, 'sub')}\n`);
    });
  });
});

describe.skipIf(process.platform !== 'linux')('createRunner', () => {
  it('calls a namespace that could not be made a failed start, not a failed test', async () => {
    const prefix = ['/bin/sh', '-c', 'echo unshare: no more namespaces >&2; exit 1', 'sh'];
    const runner = createRunner(() => Promise.resolve({ kind: 'pid_namespace', prefix, probe: 'worked once' }));
    const rig = runRig(runner);
    const outcome = await rig.shell('exit 0');
    rig.remove();
    expect(outcome).toMatchObject({
      ending: 'not_started',
      exitCode: null,
      startError: 'what holds the run could not be set up: unshare: no more namespaces',
    });
  });

  it('probes once for any number of runs', async () => {
    let probes = 0;
    const runner = createRunner(() => {
      probes += 1;
      return Promise.resolve(groupContainment('counted'));
    });
    const rig = runRig(runner);
    await Promise.all([rig.shell('exit 0'), rig.shell('exit 0'), runner.isolation()]);
    rig.remove();
    expect(probes).toBe(1);
  });
});
