/** The failure codes as a table for the README: what went wrong is in the code, what to do is in the hint. */
import { FAILURES } from '../../src/model/failure.ts';
import { table } from './blocks.ts';

const WHO = { caller: 'caller', project: 'project', machine: 'machine', ours: 'Surepatch' } as const;

/** One row per code, in the order of `src/model/failure.ts`. */
export function failureTable(): string {
  const rows = Object.entries(FAILURES).map(([code, { who, hint }]) => [`\`${code}\``, WHO[who], hint]);
  return table([['error_code', 'who can mend it', 'hint, unless a better one is known'], ...rows]);
}
