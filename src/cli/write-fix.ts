/** surepatch write-fix: the write_fix use-case for a person or a script. */
import { readInput } from '../io/read-input.ts';
import { fail, type Result } from '../model/result.ts';
import { reportOfFailure, type WriteFixReport } from '../model/write-report.ts';
import { writeFixText } from '../tools/write-fix-text.ts';
import type { Product } from '../usecases/product.ts';
import { writeFix } from '../usecases/write-fix.ts';
import { brokeDown } from './broke-down.ts';
import { open, type OperatorOptions } from './open.ts';
import { untilStopped } from './stop-signals.ts';
import type { Surroundings } from './surroundings.ts';

export interface WriteFixOptions extends OperatorOptions {
  readonly file: string;
  readonly diff: string;
  readonly root?: string;
  readonly testCommand?: string;
  readonly expectedSha256?: string;
  readonly dryRun?: boolean;
  readonly verifyFirst?: 'safe' | 'not_unsafe';
  /** Id of a verification to write. */
  readonly verified?: string;
  readonly json?: boolean;
}

const WRITTEN = 0;
const PUT_BACK = 1;
const REFUSED = 2;
const LOOK_AT_IT = 3;

/** Prints the report and resolves with the exit code that says where the file stands. */
export async function writeFixCommand(surroundings: Surroundings, options: WriteFixOptions): Promise<number> {
  const opened = open(surroundings, {
    ...options,
    roots: options.root === undefined ? [] : [options.root],
    lockAllowlist: false,
  });
  const answer = opened.ok ? await answerOf(opened.value, surroundings, options).catch(brokeDown) : opened;
  const report = answer.ok ? answer.value : reportOfFailure(answer.failure);
  surroundings.stdout.write(
    options.json === true ? `${JSON.stringify(report, null, 2)}\n` : `${writeFixText(report)}\n`,
  );
  return exitCodeOf(report);
}

async function answerOf(
  product: Product,
  surroundings: Surroundings,
  options: WriteFixOptions,
): Promise<Result<WriteFixReport>> {
  const diff = readInput(options.diff);
  if (!diff.ok) return fail(diff.failure);
  return untilStopped(surroundings, (call) =>
    writeFix(
      product,
      {
        diff: diff.value,
        filePath: options.file,
        testCommand: options.testCommand,
        expectedSha256: options.expectedSha256,
        dryRun: options.dryRun,
        verifyFirst: options.verifyFirst,
        verificationId: options.verified,
        argumentNames: { root: '--root', file: '--file' },
      },
      call,
    ),
  );
}

function exitCodeOf({ success, disk_state }: WriteFixReport): number {
  if (success) return WRITTEN;
  if (disk_state === 'unchanged') return REFUSED;
  return disk_state === 'rolled_back' ? PUT_BACK : LOOK_AT_IT;
}
