import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLocks, lockDigest, type AcquireOptions, type Lease, type Locks } from '../../src/io/lock.ts';
import { thisOwner } from '../../src/io/lock-owner.ts';
import { temporaryFolder } from '../support/git-repo.ts';
import { runDriver, type RunDriver } from '../support/run-driver.ts';

const onLinux = process.platform === 'linux';
let driver: RunDriver;
let folder: ReturnType<typeof temporaryFolder>;
let locks: Locks;
let key: string;
let count = 0;

beforeAll(() => {
  driver = runDriver();
});
afterAll(() => {
  driver.remove();
});
beforeEach(() => {
  folder = temporaryFolder();
  locks = createLocks({ stateFolder: folder.path });
  key = `test ${process.pid} ${(count += 1)}`;
});
afterEach(() => {
  folder.dispose();
});

async function take(from: Locks = locks, options: AcquireOptions = {}): Promise<Lease> {
  const lease = await from.acquire(key, options);
  if (!lease.ok) throw new Error(lease.failure.message);
  return lease.value;
}

/** Starts a process with `locks` and `key` defined, and resolves when it prints its first line. */
async function other(script: string): Promise<ChildProcess> {
  const child = otherSoon(script);
  if (child.stdout === null) throw new Error('no output');
  await once(createInterface(child.stdout), 'line');
  return child;
}

function otherSoon(script: string): ChildProcess {
  return driver.start(`
    import { createLocks } from './io/lock.js';
    import { spawn } from 'node:child_process';
    import { readFileSync, writeFileSync } from 'node:fs';
    const locks = createLocks({ stateFolder: ${JSON.stringify(folder.path)} });
    const key = ${JSON.stringify(key)};
    ${script}`);
}

const HOLD = `const lease = await locks.acquire(key); console.log('held'); setInterval(() => {}, 1000);`;
const ownerFile = (): string => join(folder.path, 'locks', `${lockDigest(key)}.json`);
const addressInUse = (): boolean => readFileSync('/proc/net/unix', 'latin1').includes(lockDigest(key));
const leftOver = (): string[] => readdirSync(join(folder.path, 'locks'));

describe('between processes', () => {
  it('eight processes count to 400 in one file without a lost update', async () => {
    const counter = join(folder.path, 'counter');
    writeFileSync(counter, '0');
    const script = `
      const file = ${JSON.stringify(counter)};
      for (let turn = 0; turn < 50; turn += 1) {
        const lease = await locks.acquire(key);
        if (!lease.ok) throw new Error(lease.failure.message);
        const value = Number(readFileSync(file, 'utf8'));
        await new Promise((resolve) => setImmediate(resolve));
        writeFileSync(file, String(value + 1));
        await lease.value.release();
      }`;
    const exits = await Promise.all(Array.from({ length: 8 }, async () => once(otherSoon(script), 'exit')));
    expect({ exits, counter: readFileSync(counter, 'utf8'), leftOver: leftOver(), inUse: addressInUse() }).toEqual({
      exits: Array.from({ length: 8 }, () => [0, null]),
      counter: '400',
      leftOver: [],
      inUse: false,
    });
  }, 90_000);

  it('SIGKILL of the holder wakes a waiter at once, and the dead holder is no cause for a note', async () => {
    const holder = await other(HOLD);
    const owners: (number | undefined)[] = [];
    const waiting = take(locks, { onWait: (owner) => owners.push(owner?.pid) });
    await expect.poll(() => owners).toEqual([holder.pid]);
    const since = performance.now();
    holder.kill('SIGKILL');
    const lease = await waiting;
    expect(performance.now() - since).toBeLessThan(1000);
    expect(lease.note).toBeUndefined();
    await lease.release();
    expect(leftOver()).toEqual([]);
  });

  it('a child that outlives the holder does not keep the lock', async () => {
    const holder = await other(`
      const lease = await locks.acquire(key);
      const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
      child.once('spawn', () => writeFileSync(${JSON.stringify(join(folder.path, 'child'))}, String(child.pid)));
      child.once('spawn', () => console.log('spawned'));
      setInterval(() => {}, 1000);`);
    const child = Number(readFileSync(join(folder.path, 'child'), 'utf8'));
    holder.kill('SIGKILL');
    try {
      const since = performance.now();
      const lease = await take();
      expect(performance.now() - since).toBeLessThan(1000);
      process.kill(child, 0);
      await lease.release();
    } finally {
      process.kill(child, 'SIGKILL');
    }
  });

  it('a held lock does not keep its process alive', async () => {
    const child = otherSoon(`const lease = await locks.acquire(key); console.log(lease.ok);`);
    const output = child.stdout === null ? '' : text(child.stdout);
    expect([await once(child, 'exit'), await output]).toEqual([[0, null], 'true\n']);
  });

  it('a holder that never lets go is named after the wait', async () => {
    const holder = await other(HOLD);
    const found = await locks.acquire(key, { waitMs: 200 });
    holder.kill('SIGKILL');
    expect(found).toEqual({
      ok: false,
      failure: {
        code: 'REPOSITORY_LOCKED',
        message: `The repository is still held by process ${holder.pid ?? 0} on ${hostname()} after 200 ms; nothing was touched.`,
        hint: 'Wait for the other write to end and call again.',
        details: {},
      },
    });
  });
});

describe('inside one process', () => {
  it('callers are served in the order of their arrival', async () => {
    const served: number[] = [];
    const turns = Array.from({ length: 20 }, async (_, index) => {
      const lease = await take();
      served.push(index);
      await new Promise((resolve) => setImmediate(resolve));
      await lease.release();
    });
    await Promise.all(turns);
    expect(served).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(leftOver()).toEqual([]);
  });

  it('two createLocks exclude each other, and other keys are free', async () => {
    const lease = await take();
    const second = createLocks({ stateFolder: folder.path });
    expect(await second.acquire(key, { waitMs: 50 })).toMatchObject({
      ok: false,
      failure: { code: 'REPOSITORY_LOCKED' },
    });
    expect(await second.acquire(`${key} other`)).toMatchObject({ ok: true });
    await lease.release();
    await (await take(second)).release();
  });

  it('releasing twice frees only the own lease', async () => {
    const first = await take();
    await first.release();
    const second = await take();
    await first.release();
    expect(await locks.acquire(key, { waitMs: 50 })).toMatchObject({
      ok: false,
      failure: { code: 'REPOSITORY_LOCKED' },
    });
    await second.release();
  });
});

describe('giving up', () => {
  const cancelled = { ok: false, failure: { code: 'CANCELLED' } };

  it('a signal that is aborted already is answered without touching the disk', async () => {
    expect(await locks.acquire(key, { signal: AbortSignal.abort() })).toMatchObject(cancelled);
  });

  it('an abort in the line inside the process lets those behind go on', async () => {
    const first = await take();
    const stop = new AbortController();
    const second = locks.acquire(key, { signal: stop.signal });
    const third = take();
    stop.abort();
    expect(await second).toMatchObject(cancelled);
    await first.release();
    await (await third).release();
    expect(addressInUse()).toBe(false);
  });

  it('an abort while another process holds the lock answers at once and leaves nothing', async () => {
    const holder = await other(HOLD);
    const stop = new AbortController();
    const waiting = locks.acquire(key, {
      signal: stop.signal,
      onWait: () => {
        setTimeout(() => {
          stop.abort();
        }, 20);
      },
    });
    const since = performance.now();
    expect(await waiting).toMatchObject(cancelled);
    expect(performance.now() - since).toBeLessThan(1000);
    holder.kill('SIGKILL');
    await (await take()).release();
    expect({ leftOver: leftOver(), inUse: addressInUse() }).toEqual({ leftOver: [], inUse: false });
  });
});

describe.skipIf(!onLinux)('strangers on this machine', () => {
  /** Somebody else who takes the name first. */
  async function squat(onPeer: (socket: Socket) => void): Promise<() => Promise<void>> {
    const server = createServer(onPeer);
    server.listen(`\0surepatch-${lockDigest(key)}`.padEnd(108, '.'));
    await once(server, 'listening');
    return async () => {
      server.close();
      await once(server, 'close');
    };
  }

  const manners: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['turns every caller away', (socket) => socket.destroy()],
    ['talks', (socket) => socket.on('error', () => undefined).write('x'.repeat(1000))],
  ];
  it.each(manners)(
    'a stranger who holds the name and %s costs a bounded wait and little time',
    async (_name, onPeer) => {
      const leave = await squat(onPeer);
      const before = process.cpuUsage();
      expect(await locks.acquire(key, { waitMs: 400 })).toMatchObject({
        ok: false,
        failure: {
          code: 'REPOSITORY_LOCKED',
          message: 'The repository is still held by a process that is not known after 400 ms; nothing was touched.',
        },
      });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(200);
      await leave();
    },
  );

  it('connections and bytes from strangers do not disturb a holder', async () => {
    const lease = await take();
    const name = `\0surepatch-${lockDigest(key)}`.padEnd(108, '.');
    const strangers = Array.from({ length: 100 }, () => connect(name).on('error', () => undefined));
    strangers[0]?.write('hello');
    await expect.poll(() => strangers.filter((socket) => socket.destroyed).length).toBeGreaterThan(35);
    const closed = Promise.all(strangers.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
    await lease.release();
    await closed;
    await (await take()).release();
  });
});

describe('what the kernel cannot see', () => {
  const leave = (owner: object | string): void => {
    mkdirSync(join(folder.path, 'locks'));
    writeFileSync(ownerFile(), typeof owner === 'string' ? owner : JSON.stringify(owner));
  };
  const mine = thisOwner();
  const found: readonly (readonly [string, object | string, boolean])[] = [
    ['a holder in another network namespace', { ...mine, pid: 7, network: 'net:[1]' }, true],
    ['a holder on another machine', { ...mine, pid: 7, host: 'elsewhere', boot: 'other' }, true],
    ['a holder that died', { ...mine, pid: 7 }, false],
    ['a holder of an earlier boot', { ...mine, pid: 7, boot: 'earlier' }, false],
    ['a damaged owner file', '{"pid": 7', false],
    ['an owner file of another shape', { pid: 'seven' }, false],
  ];
  it.each(found)('%s is told of where it may still be at work', async (_name, owner, isTold) => {
    leave(owner);
    const lease = await take();
    expect(lease.note?.startsWith('Process 7 on ') ?? false).toBe(isTold);
    expect(JSON.parse(readFileSync(ownerFile(), 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await lease.release();
    expect(leftOver()).toEqual([]);
  });

  it('an owner file that somebody else has written since is left to them', async () => {
    const lease = await take();
    writeFileSync(ownerFile(), JSON.stringify({ ...mine, pid: 7 }));
    await lease.release();
    expect(leftOver()).toEqual([`${lockDigest(key)}.json`]);
  });

  it('a state folder that cannot be used is STATE_UNAVAILABLE, and the next caller is not blocked', async () => {
    writeFileSync(join(folder.path, 'locks'), 'a file');
    const refused = { ok: false, failure: { code: 'STATE_UNAVAILABLE' } };
    expect([await locks.acquire(key), await locks.acquire(key)]).toMatchObject([refused, refused]);
  });
});

describe.skipIf(!onLinux)('systems that do not keep their word', () => {
  it('a system that ignores O_EXLOCK, as Linux does, is refused instead of trusted', async () => {
    const unlocked = createLocks({ stateFolder: folder.path, platform: 'darwin' });
    expect(await unlocked.acquire(key)).toMatchObject({
      ok: false,
      failure: {
        code: 'STATE_UNAVAILABLE',
        message: 'The lock of this repository cannot be taken: locks on this machine or disk do not keep anybody out.',
      },
    });
  });
});
