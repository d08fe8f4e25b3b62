/** surepatch verify-diff: the verify_change use-case for a person or a pipeline. */
import { resolve } from 'node:path';
import { readInput } from '../io/read-input.ts';
import type { Result } from '../model/result.ts';
import type { VerifyReport } from '../model/verdict.ts';
import { refusalOf, type VerifyRefusal } from '../model/verify-refusal.ts';
import { misfitTexts } from '../tools/misfit-text.ts';
import { verifyReportText } from '../tools/verify-report-text.ts';
import type { Product } from '../usecases/product.ts';
import { verifyChange } from '../usecases/verify-change.ts';
import { brokeDown } from './broke-down.ts';
import { open, type OperatorOptions } from './open.ts';
import { untilStopped } from './stop-signals.ts';
import type { Surroundings } from './surroundings.ts';

export interface VerifyDiffOptions extends OperatorOptions {
  readonly diff: string;
  readonly testCmd?: string;
  readonly fresh?: boolean;
  readonly failOn?: 'unsafe' | 'unproven';
  readonly json?: boolean;
}

/** What the argument is called in messages. */
const ROOT = 'The repository';
const PROVEN_OR_OPEN = 0;
const UNSAFE = 1;
const BAD_INPUT = 2;
const UNPROVEN_REFUSED = 3;

/** Prints the report and resolves with the exit code of the contract: 0 SAFE or UNPROVEN, 1 UNSAFE, 2 bad input. */
export async function verifyDiffCommand(
  surroundings: Surroundings,
  repository: string | undefined,
  options: VerifyDiffOptions,
): Promise<number> {
  const root = resolve(surroundings.workingFolder, repository ?? '.');
  const opened = open(surroundings, { ...options, roots: [root], rootArgument: ROOT, lockAllowlist: false });
  const answer = opened.ok ? await answerOf(opened.value, surroundings, root, options).catch(brokeDown) : opened;
  const print = (text: string): void => void surroundings.stdout.write(`${text}\n`);
  if (!answer.ok) {
    const refusal = refusalOf(answer.failure);
    print(options.json === true ? JSON.stringify(refusal, null, 2) : refusalText(refusal));
    return BAD_INPUT;
  }
  print(options.json === true ? JSON.stringify(answer.value, null, 2) : verifyReportText(answer.value));
  const { verdict } = answer.value;
  if (verdict === 'UNSAFE') return UNSAFE;
  return verdict === 'UNPROVEN' && options.failOn === 'unproven' ? UNPROVEN_REFUSED : PROVEN_OR_OPEN;
}

async function answerOf(
  product: Product,
  surroundings: Surroundings,
  repoRoot: string,
  { diff, testCmd, fresh }: VerifyDiffOptions,
): Promise<Result<VerifyReport>> {
  const read = readInput(diff);
  if (!read.ok) return read;
  const answer = await untilStopped(surroundings, (call) =>
    verifyChange(product, { repoRoot, unifiedDiff: read.value, testCommand: testCmd, fresh, rootArgument: ROOT }, call),
  );
  // A pipeline may never start a server, which is what sweeps otherwise.
  await product.host.shadows.sweep();
  return answer;
}

function refusalText(refusal: VerifyRefusal): string {
  const { error, error_code: code, hint } = refusal;
  return [`Not judged [${code}]: ${error}`, `Next: ${hint}`, ...misfitTexts(refusal)].join('\n');
}
