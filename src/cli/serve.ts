/** surepatch serve: the MCP server over stdio, after settling what an earlier one left unfinished. */
import type { ServerInfo } from '../server.ts';
import { keepConsoleOffStdout } from '../stdio/quiet-console.ts';
import { serveOverStdio } from '../stdio/serve.ts';
import { readOutput } from '../usecases/read-output.ts';
import { recoverRoots } from '../usecases/recover-roots.ts';
import { watchRoots } from '../usecases/watch-roots.ts';
import { open, type OperatorOptions } from './open.ts';
import type { Surroundings } from './surroundings.ts';

export interface ServeOptions extends OperatorOptions {
  readonly root: readonly string[];
  readonly lockAllowlist?: boolean;
  /** Notice what other programs change. */
  readonly watch?: boolean;
  /** The server is gone before anybody could come back with a revision. */
  readonly oneShot?: boolean;
}

/** Serves until the client goes away or the process is told to stop. */
export async function serve(surroundings: Surroundings, info: ServerInfo, options: ServeOptions): Promise<number> {
  keepConsoleOffStdout(surroundings.stderr);
  const log = (line: string): void => void surroundings.stderr.write(`surepatch: ${line}\n`);
  const product = open(surroundings, {
    ...options,
    roots: options.root,
    lockAllowlist: options.lockAllowlist ?? false,
    takesReceipts: options.oneShot !== true,
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
  let watching: ReturnType<typeof watchRoots> | null = null;
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
        const { verifyInEitherForm } = await import('../usecases/verify-form.ts');
        return verifyInEitherForm(product.value, request, call);
      },
      recordChangedPaths: async (request) => {
        const { recordChangedPaths } = await import('../usecases/record-changed-paths.ts');
        return recordChangedPaths(product.value, request);
      },
      repoOverview: async (request, call) => {
        const { repoOverview } = await import('../usecases/repo-overview.ts');
        return repoOverview(product.value, request, call);
      },
      gitCommit: async (request, call) => {
        const { commitFiles } = await import('../usecases/commit-files.ts');
        return commitFiles(product.value, request, call);
      },
      undoFix: async (request, call) => {
        const { undoFix } = await import('../usecases/undo-fix.ts');
        return undoFix(product.value, request, call);
      },
      history: {
        all: async () => {
          const { readHistories } = await import('../usecases/history.ts');
          return readHistories(product.value);
        },
        one: async (id) => {
          const { readChange } = await import('../usecases/history.ts');
          const found = readChange(product.value, id);
          return found.ok ? found.value : undefined;
        },
      },
      readOutput: (id, offset) => Promise.resolve(readOutput(product.value, id, offset)),
    },
    onOpened: () => {
      if (options.watch === true) watching = watchRoots(product.value);
    },
    onShutdown: async () => {
      stop.abort();
      await watching?.close();
      // A run for somebody who left may still have trees to put away.
      await product.value.savedRuns.stop();
      await Promise.all([recovering, sweeping, product.value.host.runner.stopAll()]);
    },
  });
  // A call that would not end must not keep the process: the next start settles what its journal holds.
  if (exitCode !== 0) surroundings.exit(exitCode);
  return exitCode;
}
