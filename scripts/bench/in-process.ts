/** The child that applies one patch in its own process and tells how long the work took, the start of Node left out. */
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import { writeAll, writeNewFile } from '../../src/io/write-file.ts';

export interface InProcessFigures {
  /** From before the reads to after the last fsync, in milliseconds. */
  readonly ms: number;
  /** Processor time of the same span, all threads, in milliseconds. */
  readonly cpuMs: number;
  readonly applied: boolean;
  /** The work in parts, in milliseconds. */
  readonly parts: Readonly<Record<string, number>>;
}

type Work = (file: string, patch: string, out: string, lap: (part: string) => void) => boolean;

/** Each loads what it stands on before the clock starts, and nothing of the others. */
const WORKS: Readonly<Record<string, () => Promise<Work>>> = {
  async engine() {
    const [{ applyPatch }, { parsePatch }] = await Promise.all([
      import('../../src/engine/patch/apply.ts'),
      import('../../src/engine/patch/parse.ts'),
    ]);
    return (file, patch, out, lap) => {
      const preimage = readFileSync(file);
      const diff = readFileSync(patch, 'utf8');
      lap('read');
      const parsed = parsePatch(diff);
      lap('parse');
      if (!parsed.ok) return false;
      const applied = applyPatch(parsed.value, preimage);
      lap('apply');
      if (!applied.ok) return false;
      writeNewFile(out, applied.value.pieces, null);
      lap('write');
      return true;
    };
  },
  async jsdiff() {
    const { applyPatch } = await import('diff');
    return (file, patch, out, lap) => {
      const preimage = readFileSync(file, 'utf8');
      const diff = readFileSync(patch, 'utf8');
      lap('read');
      const postimage = applyPatch(preimage, diff);
      lap('apply');
      if (postimage === false) return false;
      writeAndSync(out, Buffer.from(postimage));
      lap('write');
      return true;
    };
  },
  copy: () =>
    Promise.resolve((file, _patch, out, lap) => {
      const bytes = readFileSync(file);
      lap('read');
      writeAndSync(out, bytes);
      lap('write');
      return true;
    }),
};

/** Does one work on one file and prints its figures. */
export async function runInProcess([name = '', file = '', patch = '', out = '']: readonly string[]): Promise<void> {
  const work = await WORKS[name]?.();
  rmSync(out, { force: true });
  const parts: Record<string, number> = {};
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  let last = started;
  const applied = work?.(file, patch, out, (part) => {
    const now = performance.now();
    parts[part] = now - last;
    last = now;
  });
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  const figures = { ms, cpuMs: (user + system) / 1000, applied: applied ?? false, parts };
  process.stdout.write(JSON.stringify(figures satisfies InProcessFigures));
}

function writeAndSync(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'wx');
  writeAll(descriptor, bytes);
  fsyncSync(descriptor);
  closeSync(descriptor);
}
