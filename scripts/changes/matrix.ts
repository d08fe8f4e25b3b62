/** Counts how often the verdict on a construct is wrong: SAFE where nothing ran it, UNPROVEN where a test did. */
import type { Verdict } from '../../src/model/verdict.ts';
import type { ChangeCase } from './case.ts';

export interface Judged {
  readonly change: Pick<ChangeCase, 'arguments' | 'tier'>;
  /** Null where the verification was refused. */
  readonly verdict: Verdict | null;
}

/** One line for each language and tier, and one for all; empty where no case belongs to the matrix. */
export function matrixFigures(judged: readonly Judged[]): readonly string[] {
  const cells = judged.flatMap(({ change, verdict }) => {
    const { matrix } = change.arguments;
    return matrix === undefined ? [] : [{ ...matrix, group: `${matrix.language}, ${change.tier}`, verdict }];
  });
  if (cells.length === 0) return [];
  const groups = [...new Set(cells.map(({ group }) => group))].sort();
  const line = (name: string, some: typeof cells): string => {
    const [ran, idle] = [some.filter(({ exercised }) => exercised), some.filter(({ exercised }) => !exercised)];
    const falseSafe = idle.filter(({ verdict }) => verdict === 'SAFE').length;
    const falseUnproven = ran.filter(({ verdict }) => verdict !== 'SAFE').length;
    const share = ran.length === 0 ? 0 : (100 * falseUnproven) / ran.length;
    const unproven = `${falseUnproven} of ${ran.length} (${share.toFixed(1)} %)`;
    return `matrix ${name}: false SAFE ${falseSafe} of ${idle.length}, false UNPROVEN ${unproven}`;
  };
  const lines = groups.map((name) =>
    line(
      name,
      cells.filter(({ group }) => group === name),
    ),
  );
  return [...lines, line('all', cells)];
}
