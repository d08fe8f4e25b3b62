/** From the start of the process to the first answer, for both ways in which a client may open. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { NODE, type Rig } from './rig.ts';
import type { Section } from './section.ts';
import { interleaved, median, percentile } from './statistics.ts';
import { showMs, showRatio, table } from './table.ts';

const CLIENT = { name: 'bench', version: '1.0.0' };
const OPENINGS = {
  initialize: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT },
  'server/discover': {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
} as const;

/** Starts each server over and over, interleaved. */
export async function measureStarting(rig: Rig, rounds: number): Promise<Section> {
  const root = rig.folder('start');
  const servers = [
    { name: 'surepatch serve', argv: [rig.main, 'serve', '--root', root] },
    { name: 'a server of the same SDK with one tool', argv: rig.smallServer },
  ];
  const starts = servers.flatMap(({ name, argv }) =>
    Object.entries(OPENINGS).map(([method, params]) => ({
      name: `${name}, ${method}`,
      start: () => firstAnswer(rig, argv, { jsonrpc: '2.0', id: 1, method, params }),
    })),
  );
  const all = [{ name: 'node -e 0', start: () => wholeRun(rig) }, ...starts];
  await interleaved(
    1,
    all.map(({ start }) => start),
  );
  const times = await interleaved(
    rounds,
    all.map(({ start }) => start),
  );
  const smallest = median(times[3] ?? []);
  const rows = all.map(({ name }, index) => {
    const ms = times[index] ?? [];
    return [
      name,
      showMs(median(ms)),
      showMs(percentile(ms, 95)),
      showMs(Math.min(...ms)),
      showRatio(median(ms), smallest),
    ];
  });
  return {
    title: `Start to first answer, ${String(rounds)} starts each`,
    body: [table(['start', 'median', 'p95', 'fastest', 'of a small server'], rows)],
    targets: [1, 2].map((index) => ({
      what: `${all[index]?.name ?? ''}: first answer`,
      value: median(times[index] ?? []),
      most: 500,
      show: showMs,
    })),
  };
}

async function firstAnswer(rig: Rig, argv: readonly string[], opening: object): Promise<number> {
  const started = performance.now();
  const child = spawn(NODE, argv, { cwd: rig.scratch, env: rig.env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(opening)}\n`);
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.includes('\n')) resolve(text);
    });
    child.once('close', () => {
      resolve(text);
    });
  });
  const ms = performance.now() - started;
  const ended = child.exitCode === null ? once(child, 'close') : undefined;
  child.stdin.end();
  await ended;
  if (!answer.includes('"result"')) throw new Error(`no answer to the opening: ${answer.slice(0, 500)}`);
  return ms;
}

async function wholeRun(rig: Rig): Promise<number> {
  const started = performance.now();
  const child = spawn(NODE, ['-e', '0'], { cwd: rig.scratch, env: rig.env, stdio: 'ignore' });
  await once(child, 'close');
  return performance.now() - started;
}
