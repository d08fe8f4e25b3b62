/** Lets a test run the runner in a Node process of its own, which it may then kill or start as another user. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');

export interface RunDriver {
  /** Starts a script that may import from `./io/` and `./model/`, as the given user when there is one. */
  start(script: string, uid?: number): ChildProcess;
  remove(): void;
}

/** Translates `src/io` and `src/model` as they are now, so that no test depends on an earlier build. */
export function runDriver(): RunDriver {
  // Below the repository, where the packages are found.
  const build = path.join(REPOSITORY, 'build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(path.join(build, 'run-driver-'));
  for (const layer of ['io', 'io/shadow', 'model']) {
    mkdirSync(path.join(folder, layer));
    for (const name of readdirSync(path.join(REPOSITORY, 'src', layer)).filter((file) => file.endsWith('.ts'))) {
      const { outputText } = ts.transpileModule(readFileSync(path.join(REPOSITORY, 'src', layer, name), 'utf8'), {
        fileName: name,
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2023,
          verbatimModuleSyntax: true,
          rewriteRelativeImportExtensions: true,
        },
      });
      writeFileSync(path.join(folder, layer, name.replace(/\.ts$/, '.js')), outputText);
    }
  }
  let count = 0;
  return {
    start: (script, uid) => {
      const file = path.join(folder, `script-${count++}.js`);
      writeFileSync(file, script);
      chmodSync(folder, 0o755);
      const identity = uid === undefined ? {} : { uid, gid: uid };
      return spawn(process.execPath, [file], { ...identity, stdio: ['ignore', 'pipe', 'inherit'] });
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
