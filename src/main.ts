#!/usr/bin/env node
/** The executable: gathers what only the process knows and hands it to the command line. */
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './cli/command-line.ts';

process.exitCode = await runCommandLine({
  argv: process.argv,
  env: process.env,
  workingFolder: process.cwd(),
  packageFolder: fileURLToPath(new URL('..', import.meta.url)),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  process,
  exit: (code) => {
    process.exit(code);
  },
});
