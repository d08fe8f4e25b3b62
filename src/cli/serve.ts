/** surepatch serve: the MCP server over stdio, after settling what an earlier one left unfinished. */
import type { ServerInfo } from '../server.ts';
import { keepConsoleOffStdout } from '../stdio/quiet-console.ts';
import { serveOverStdio } from '../stdio/serve.ts';
import { readOutput } from '../usecases/read-output.ts';
import { recoverRoots } from '../usecases/recover-roots.ts';
import { open, type OperatorOptions } from './open.ts';
import type { Surroundings } from './surroundings.ts';

export interface ServeOptions extends OperatorOptions {
  readonly root: readonly string[];
  readonly lockAllowlist?: boolean;
}

/** Serves until the client goes away or the process is told to stop. */
export async function serve(surroundings: Surroundings, info: ServerInfo, options: ServeOptions): Promise<number> {
  keepConsoleOffStdout(surroundings.stderr);
  const log = (line: string): void => void surroundings.stderr.write(`surepatch: ${line}\n`);
  const product = open(surroundings, {
    ...options,
    roots: options.root,
    lockAllowlist: options.lockAllowlist ?? false,
  });
  if (!product.ok) {
    log(`${product.failure.message} ${product.failure.hint}`);
    return 2;
  }
  const stop = new AbortController();
  const recovering = recoverRoots(product.value, { signal: stop.signal, progress: log }).then((sentences) => {
    sentences.forEach(log);
  }, log);
  const sweeping = product.value.host.shadows.sweep().then((left) => {
    for (const path of left) log(`removed ${path}, the shadow tree of a server that died`);
  }, log);
  const exitCode = await serveOverStdio({
    info,
    log,
    stdin: surroundings.stdin,
    stdout: surroundings.stdout,
    process: surroundings.process,
    usecases: {
      writeFix: async (request, call) => {
        // Loaded by the first call, so that the client's opening is answered without it.
        const { writeFix } = await import('../usecases/write-fix.ts');
        return writeFix(product.value, request, call);
      },
      verifyChange: async (request, call) => {
        const { verifyChange } = await import('../usecases/verify-change.ts');
        return verifyChange(product.value, request, call);
      },
      readOutput: (id, offset) => Promise.resolve(readOutput(product.value, id, offset)),
    },
    onShutdown: async () => {
      stop.abort();
      await Promise.all([recovering, sweeping, product.value.host.runner.stopAll()]);
    },
  });
  // A call that would not end must not keep the process: the next start settles what its journal holds.
  if (exitCode !== 0) surroundings.exit(exitCode);
  return exitCode;
}
