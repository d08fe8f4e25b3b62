/**
 * The commands and their options. Each command is one file, loaded when it is the one that runs; this one only names
 * them and routes.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readPackageInfo } from '../io/package-info.ts';
import type { CommitOptions } from './commit.ts';
import type { DoctorOptions } from './doctor.ts';
import type { HistoryOptions } from './history.ts';
import type { OverviewOptions } from './overview.ts';
import type { ServeOptions } from './serve.ts';
import type { Surroundings } from './surroundings.ts';
import type { UndoOptions } from './undo.ts';
import type { VerifyDiffOptions } from './verify-diff.ts';
import type { WriteFixOptions } from './write-fix.ts';

/** Exit code of a command line that asks for something which does not exist. */
const BAD_USAGE = 2;

/** Runs the command that the arguments name, and resolves with the exit code of the process. */
export async function runCommandLine(surroundings: Surroundings): Promise<number> {
  let exitCode = 0;
  const ends = (code: number): void => {
    exitCode = code;
  };
  // Whoever reads the output may go away before its end; the exit code still says where the file stands.
  for (const stream of [surroundings.stdout, surroundings.stderr]) stream.on('error', () => undefined);
  const info = readPackageInfo(surroundings.packageFolder);
  const program = new Command('surepatch')
    .description(
      'Puts a reviewed patch into a repository: checked byte for byte, tested, put back when the tests fail.',
    )
    .version(info.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    });

  withOperatorOptions(program.command('serve'))
    .description('serve MCP over stdin and stdout')
    .addOption(repeated('--root <dir>', 'a folder that callers may work in').default([], 'any but system folders'))
    .option('--lock-allowlist', 'let callers narrow the list of test commands, never replace it')
    .option('--watch', 'notice what other programs change, and count it')
    .addOption(new Option('--one-shot', 'the server is gone after a call; refuse receipts').conflicts('watch'))
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./serve.ts');
      ends(await serve(surroundings, info, options));
    });

  withOperatorOptions(program.command('write-fix'))
    .description('apply a patch to one file, test it, put it back when the tests fail')
    .requiredOption('--file <path>', 'the file to patch; a relative path starts at --root')
    .requiredOption('--diff <path>', 'the unified diff, or - for standard input')
    .option('--root <dir>', 'the repository; the current folder when absent')
    .option('--test-command <command>', 'run this, and keep the patch only if it exits with 0')
    .option('--expected-sha256 <digest>', 'refuse unless the file has this SHA-256')
    .option('--dry-run', 'check everything and show the change, write nothing')
    .addOption(
      new Option('--verify-first <verdict>', 'verify in a shadow tree first, and write on this verdict').choices([
        'safe',
        'not_unsafe',
      ]),
    )
    .option('--verified <id>', 'write exactly what verify-diff verified under this id; runs nothing')
    .option('--json', 'print the report of the write_fix tool')
    .addHelpText('after', EXIT_CODES)
    .action(async (options: WriteFixOptions) => {
      const { writeFixCommand } = await import('./write-fix.ts');
      ends(await writeFixCommand(surroundings, options));
    });

  withOperatorOptions(program.command('verify-diff'))
    .description('prove a change in a shadow tree; the repository is not touched')
    .argument('[repository]', 'its folder; the current one when absent')
    .requiredOption('--diff <path>', 'the git diff of one or more files, or - for standard input')
    .option('--test-cmd <command>', 'what runs the whole suite; else what the project’s own files say')
    .option('--fresh', 'verify anew even if this very content was verified before')
    .addOption(new Option('--fail-on <verdict>', 'exit with 3 on UNPROVEN as well').choices(['unsafe', 'unproven']))
    .option('--json', 'print the report of the verify_change tool')
    .addHelpText('after', VERDICT_EXIT_CODES)
    .action(async (repository: string | undefined, options: VerifyDiffOptions) => {
      const { verifyDiffCommand } = await import('./verify-diff.ts');
      ends(await verifyDiffCommand(surroundings, repository, options));
    });

  program
    .command('commit')
    .description('commit exactly the named files; everything else stays as it is')
    .argument('[files...]', 'relative to --root; what write-fix wrote and is not committed when absent')
    .requiredOption('-m, --message <text>', 'the message of the commit')
    .option('--root <dir>', 'the repository, or a folder in it; the current folder when absent')
    .addOption(repeated('--expect <path=sha256>', 'refuse unless the file has this digest (none: is gone)'))
    .option('--allow-detached', 'commit on a detached HEAD, too')
    .option('--allow-hook-changes', 'commit what hooks make of the files')
    .option('--json', 'print the report of the git_commit tool')
    .addHelpText('after', COMMIT_EXIT_CODES)
    .action(async (files: readonly string[], options: CommitOptions) => {
      const { commitCommand } = await import('./commit.ts');
      ends(await commitCommand(surroundings, files, options));
    });

  program
    .command('undo')
    .description('take an earlier write out of its file, and keep what else the file holds')
    .argument('<id>', 'the write_id of the write, or of an undo')
    .option('--root <dir>', 'the repository; the current folder when absent')
    .option('--json', 'print the report of the undo_fix tool')
    .addHelpText('after', UNDO_EXIT_CODES)
    .action(async (id: string, options: UndoOptions) => {
      const { undoCommand } = await import('./undo.ts');
      ends(await undoCommand(surroundings, id, options));
    });

  withOperatorOptions(program.command('overview'))
    .description('say what state a repository is in and what may be done in it')
    .argument('[repository]', 'its folder; the current one when absent')
    .option('--json', 'print the report of the repo_overview tool')
    .action(async (repository: string | undefined, options: OverviewOptions) => {
      const { overviewCommand } = await import('./overview.ts');
      ends(await overviewCommand(surroundings, repository, options));
    });

  const history = program
    .command('history')
    .description('list what was written, put back, undone, committed and verified in a repository')
    .option('--root <dir>', 'the repository; the current folder when absent')
    .option('--file <path>', 'only what concerns this file; a relative path starts at the root')
    .option('--json', 'print the records as JSON')
    .action(async (options: HistoryOptions) => {
      const { historyCommand } = await import('./history.ts');
      ends(historyCommand(surroundings, options, false));
    });
  history
    .command('verify')
    .description('say whether somebody altered, removed or moved a record; exits with 1 if so')
    .action(async () => {
      const { historyCommand } = await import('./history.ts');
      ends(historyCommand(surroundings, history.opts<HistoryOptions>(), true));
    });

  program
    .command('output')
    .description('print the whole output of a test run')
    .argument('<id>', 'output_uri, or its last part')
    .action(async (id: string) => {
      const { showOutput } = await import('./output.ts');
      ends(await showOutput(surroundings, id));
    });

  program
    .command('doctor')
    .description('say what is missing on this machine and what to do about it')
    .option('--json', 'print the findings as JSON')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts');
      ends(await doctor(surroundings, options));
    });

  try {
    await program.parseAsync([...surroundings.argv]);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_USAGE;
    throw error;
  }
}

const EXIT_CODES = `
Exit codes: 0 written (or a dry run that fits), 1 refused by the tests and put back, 2 refused before anything was
written, 3 somebody has to look at the file.`;

const UNDO_EXIT_CODES = `
Exit codes: 0 undone, 2 refused and nothing changed, 3 somebody has to look at the file.`;

const VERDICT_EXIT_CODES = `
Exit codes: 0 SAFE or UNPROVEN, 1 UNSAFE, 2 bad input, 3 UNPROVEN with --fail-on unproven.`;

const COMMIT_EXIT_CODES = `
Exit codes: 0 committed, 2 nothing committed, 3 somebody has to look at the commit.`;

function withOperatorOptions(command: Command) {
  return command
    .addOption(repeated('--allow-test-command <prefix>', 'allow commands that begin with these words'))
    .addOption(repeated('--allowlist <file>', 'read more rules from a file outside the repository'))
    .addOption(repeated('--pass-env <name>', 'let this variable through to test commands'))
    .addOption(
      new Option('--shadow <tier>', 'the kind of shadow tree, instead of the best that works').choices([
        'overlay',
        'copy',
      ]),
    )
    .option('--test-timeout <seconds>', 'how long a test command may run', seconds, 120);
}

function repeated(flags: string, description: string) {
  return new Option(flags, `${description}; may be repeated`).argParser(append);
}

function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function seconds(value: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0 && number <= 86_400) return number;
  throw new InvalidArgumentError('It is a number of seconds, at most a day.');
}
