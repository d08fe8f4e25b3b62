/** The child that makes write_fix calls in its own process, with the steps and the system calls inside them timed. */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';
import { recordSpans, type Spans } from './spans.ts';
import { makeSmallFile, resetSmallFile, SMALL_FILE } from './small-file.ts';

/** One call: self times in milliseconds and counts, by step. */
export type TimedCall = Readonly<Record<string, { readonly ms: number; readonly times: number }>>;

const WHOLE = 'the rest of the use-case';
const SYSTEM_CALLS = {
  'fsync, fdatasync': ['fsyncSync', 'fdatasyncSync'],
  'rename, link, remove, truncate': ['renameSync', 'linkSync', 'rmSync', 'ftruncateSync'],
  'open, close, read, write, stat': [
    'openSync',
    'closeSync',
    'readSync',
    'writeSync',
    'readFileSync',
    'fstatSync',
    'lstatSync',
    'statSync',
    'statfsSync',
    'existsSync',
    'mkdirSync',
    'fchmodSync',
    'fchownSync',
    'realpathSync',
    'readlinkSync',
  ],
} as const;

/** Makes the calls and prints the record of each. */
export async function runTimedCalls([folder = '', stateHome = '', count = '1']: readonly string[]): Promise<void> {
  const spans = recordSpans();
  timeSystemCalls(spans);
  const writeOnce = await prepare(spans, folder, stateHome);
  const file = join(folder, SMALL_FILE);
  const { before, diff } = makeSmallFile();
  const calls: TimedCall[] = [];
  for (let n = 0; n < Number(count); n += 1) {
    resetSmallFile(folder, before);
    spans.take();
    await spans.during(WHOLE, () => writeOnce(file, diff));
    calls.push(Object.fromEntries(spans.take()));
  }
  process.stdout.write(JSON.stringify(calls));
}

async function prepare(spans: Spans, folder: string, stateHome: string) {
  const [{ createHost }, { openProduct }, { writeFix }] = await Promise.all([
    import('../../src/io/host.ts'),
    import('../../src/usecases/open-product.ts'),
    import('../../src/usecases/write-fix.ts'),
  ]);
  const host = createHost({
    env: process.env,
    workingFolder: folder,
    stateHome,
    extraEnvironment: [],
    runtimeFolder: resolve('runtime'),
  });
  const timed = timeHost(spans, host);
  const product = openProduct(timed, {
    roots: [folder],
    home: null,
    allowlistFolder: resolve(import.meta.dirname, '../../../allowlists'),
    allowlistFiles: [],
    allowedPrefixes: [],
    isAllowlistLocked: false,
    testTimeoutMs: 1000,
    shadowTier: null,
  });
  if (!product.ok) throw new Error(product.failure.message);
  const call = { signal: new AbortController().signal, progress: () => undefined };
  return async (file: string, diff: string): Promise<void> => {
    const answer = await writeFix(product.value, { diff, filePath: file, repoRoot: folder }, call);
    if (!answer.ok) throw new Error(answer.failure.message);
  };
}

type Host = ReturnType<typeof import('../../src/io/host.ts').createHost>;

function timeHost(spans: Spans, host: Host): Host {
  return {
    ...host,
    state: () => {
      const state = host.state();
      if (!state.ok) return state;
      const { locks } = state.value;
      const timedLocks: typeof locks = {
        ...locks,
        acquire: async (key, options) => {
          const lease = await spans.during('lock: take', () => locks.acquire(key, options));
          if (!lease.ok) return lease;
          const { value } = lease;
          return { ...lease, value: { ...value, release: () => spans.during('lock: let go', () => value.release()) } };
        },
      };
      return { ...state, value: { ...state.value, locks: timedLocks } };
    },
    openRootFolder: (...given) => spans.during('state folder of the root', () => host.openRootFolder(...given)),
    recover: (...given) => spans.during('look for unfinished writes', () => host.recover(...given)),
    readTarget: (...given) => spans.during('read the file', () => host.readTarget(...given)),
    excludeBackups: (...given) => spans.during('exclude file', () => host.excludeBackups(...given)),
    beginWrite: (...given) => spans.during('write: everything else', () => host.beginWrite(...given)),
    git: (root) => {
      const git = spans.during('git: find the program', () => host.git(root));
      return { ...git, inspectFile: (question) => spans.during('git: process', () => git.inspectFile(question)) };
    },
  };
}

function timeSystemCalls(spans: Spans): void {
  for (const [name, functions] of Object.entries(SYSTEM_CALLS)) {
    for (const each of functions) time(spans, name, fs, each);
  }
  time(spans, 'attributes: cp process', childProcess, 'spawnSync');
  syncBuiltinESMExports();
}

function time(spans: Spans, name: string, module: object, key: string): void {
  const original: unknown = Reflect.get(module, key);
  if (typeof original !== 'function') return;
  const timed = (...given: unknown[]): unknown =>
    spans.during(name, () => Reflect.apply(original, module, given) as unknown);
  Reflect.set(module, key, Object.assign(timed, original));
}
