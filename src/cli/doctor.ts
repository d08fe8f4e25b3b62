/** surepatch doctor: one line for each thing that the machine has or lacks. */
import { examineMachine } from '../usecases/examine-machine.ts';
import { NO_OPTIONS, open } from './open.ts';
import type { Surroundings } from './surroundings.ts';

const MARKS = { fine: 'ok      ', limited: 'limited ', missing: 'MISSING ' } as const;

export interface DoctorOptions {
  readonly json?: boolean;
}

/** Prints the findings; the exit code is 1 when something that Surepatch cannot do without is missing. */
export async function doctor(surroundings: Surroundings, { json }: DoctorOptions): Promise<number> {
  const product = open(surroundings, NO_OPTIONS);
  if (!product.ok) {
    surroundings.stderr.write(`${product.failure.message} ${product.failure.hint}\n`);
    return 1;
  }
  const findings = await examineMachine(product.value, process.versions.node);
  const lines = findings.map(({ subject, state, found, advice }) => {
    return `${MARKS[state]}${subject}: ${found}${advice === null ? '' : ` ${advice}`}`;
  });
  surroundings.stdout.write(`${json === true ? JSON.stringify(findings, null, 2) : lines.join('\n')}\n`);
  return findings.some(({ state }) => state === 'missing') ? 1 : 0;
}
