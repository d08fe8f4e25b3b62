/**
 * The whole product under the same faults: `surepatch write-fix` as a process of its own, with git, the lock and a real
 * test command. Only its main thread is traced and injected into; recovery is what the next call would do first.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer } from './job.ts';
import { historyHolds, judge, settle } from './judge.ts';
import { makePlace, type Place } from './place.ts';
import { failAt, killAt, wordsOf as faultWords, type Fault, type PlaygroundOptions } from './playground.ts';
import type { Scenario } from './scenario.ts';
import { stepsIn, tookStep, TRACED_CALLS, type Step } from './trace.ts';
import type { Suite, Trial, Verdict } from './trial.ts';

const IMAGES = { preimage: Buffer.from('one\r\ntwo\nthree'), postimage: Buffer.from('one\r\n2\nthree') };
const DIFF = '--- a/src/app.txt\n+++ b/src/app.txt\n@@ -2 +2 @@\n-two\n+2\n';
const LIMIT_MS = 60_000;
const ERRORS = ['EIO', 'ENOSPC'];
const READ_ERRORS = ['EIO', 'EMFILE'];

interface Ground {
  readonly place: Place;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

interface CliRun {
  readonly answer: Answer | null;
  readonly steps: readonly Step[];
  readonly wasStruck: boolean;
}

/** The suite of a scenario; `clean` and `keep` are told by git itself: the file is committed, or there is no repository. */
export function cliSuite(scenario: Scenario, options: PlaygroundOptions): Suite {
  const name = `cli/${scenario.name}`;
  return {
    name,
    isControl: false,
    plan: async () => {
      const ground = makeGround(scenario, options);
      const { answer, steps } = await run(ground, null);
      const wanted = scenario.passes ? 'kept' : 'put_back';
      const odd = answer?.outcome === wanted ? [] : [`the clean run answered ${JSON.stringify(answer)}`];
      const verdict: Verdict = { violations: [...odd, ...judgeAll(ground.place, answer)] };
      const clean: Trial = { id: `${name}/clean`, fault: 'none', run: () => Promise.resolve(verdict) };
      const changes = steps.filter((step, index) => step.isChange || steps[index - 1]?.isChange === true);
      const kills = changes.map((step) =>
        trialOf(ground, `${name}/kill@${step.index}-${step.call}`, 'kill', killAt(step)),
      );
      const refusals = steps
        .filter(({ call, isChange }) => isChange || call === 'openat' || call === 'pread64')
        .flatMap((step) =>
          (step.isChange ? ERRORS : READ_ERRORS).map((errno) =>
            trialOf(ground, `${name}/${errno}@${step.index}-${step.call}`, 'error', failAt(step, errno, false)),
          ),
        );
      return [clean, ...kills, ...refusals];
    },
    close: () => Promise.resolve(),
  };
}

function trialOf(ground: Ground, id: string, fault: string, injected: Fault): Trial {
  return {
    id,
    fault,
    run: async () => {
      const { answer, wasStruck } = await run(ground, injected);
      if (!wasStruck) return { violations: [], isMissed: true };
      return { violations: judgeAll(ground.place, answer) };
    },
  };
}

/** Only the whole product keeps a history. */
function judgeAll(place: Place, answer: Answer | null): readonly string[] {
  const outcome = settle(place, answer);
  return [...judge(place, outcome), ...historyHolds(place, outcome)];
}

function makeGround(scenario: Scenario, { base, env }: PlaygroundOptions): Ground {
  mkdirSync(join(base, 'cli', scenario.name), { recursive: true });
  const home = realpathSync(join(base, 'cli', scenario.name));
  writeFileSync(join(home, 'diff'), DIFF);
  const place = makePlace(scenario, join(home, 'play'), IMAGES, (root) => {
    const expected = scenario.passes ? '2' : 'two';
    const test = `require('node:test')('holds', () => { require('node:assert').match(require('node:fs').readFileSync('src/app.txt', 'utf8'), /^${expected}$/m); });\n`;
    writeFileSync(join(root, 'app.test.js'), test);
    if (!scenario.keepBackup) commitAll(root, env);
  });
  return { place, home, env };
}

function commitAll(root: string, env: Readonly<Record<string, string>>): void {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid', '-c', 'safe.directory=*'];
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'start'],
  ]) {
    execFileSync('git', [...identity, ...words], { cwd: root, env: { ...env, HOME: '/nonexistent' } });
  }
}

function wordsOf(place: Place, home: string): readonly string[] {
  const tests = place.scenario.tested ? ['--test-command', 'node --test'] : [];
  const words = ['write-fix', '--json', '--root', place.root, '--file', 'src/app.txt', '--diff', join(home, 'diff')];
  return ['--single-threaded', productMain(), ...words, ...tests];
}

/** The built product, found from the built harness upwards. */
function productMain(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'dist', 'main.js');
}

function environmentOf(place: Place, env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...env, HOME: dirname(place.folder), XDG_STATE_HOME: place.stateHome };
}

async function run({ place, home, env }: Ground, fault: Fault | null): Promise<CliRun> {
  place.putUp(place.start);
  const log = join(home, 'trace');
  rmSync(log, { force: true });
  const inject = fault === null ? [] : ['-e', `inject=${faultWords(fault)}`];
  const traced = ['-y', '-s', '200', '-o', log, '-e', `trace=${TRACED_CALLS}`, ...inject, process.execPath];
  const stdout = await outputOf('strace', [...traced, ...wordsOf(place, home)], environmentOf(place, env));
  const steps = stepsIn(readFileSync(log, 'utf8'), place.folder, true);
  return { answer: answerOf(stdout), steps, wasStruck: fault === null || tookStep(steps, fault.step) };
}

function outputOf(program: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    // A fault can meet the runtime's own pipes and stop it for good; what strace leaves behind would hold the output open.
    const limit = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, LIMIT_MS);
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(limit);
      resolve(Buffer.concat(pieces).toString('utf8'));
    });
  });
}

const OUTCOMES: Readonly<Record<string, Answer['outcome']>> = {
  patched: 'failed',
  unknown: 'failed',
  rolled_back: 'put_back',
  unchanged: 'refused',
  conflict: 'conflict',
};

function answerOf(stdout: string): Answer | null {
  if (stdout === '') return null;
  const { success, disk_state } = JSON.parse(stdout) as { success: boolean; disk_state: string };
  return { outcome: success ? 'kept' : (OUTCOMES[disk_state] ?? 'failed'), words: stdout };
}
