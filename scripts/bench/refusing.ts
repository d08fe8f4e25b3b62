/** Patches that must be refused: what it costs to say so, beside what it costs to apply one. */
import { NAMES, type Contender, type Trial } from './contenders.ts';
import type { Corpus } from './corpus.ts';
import type { Section } from './section.ts';
import { interleaved, median } from './statistics.ts';
import { showMemory, showMs, table } from './table.ts';

const BOUND_MS = 60_000;
/** Beyond the target for applying, for any refusal. */
const MOST_MS = 120 + 60;

const CONTENDERS: readonly string[] = [NAMES.engine, NAMES.cli, NAMES.git, NAMES.patch, NAMES.jsdiff];
/** What may take a minute of a core is run once. */
const ONCE: readonly string[] = [NAMES.jsdiff, NAMES.git, NAMES.patch];

/** Measures the three refusals that are dear somewhere. */
export async function measureRefusing(
  contenders: readonly Contender[],
  corpus: Corpus,
  rounds: number,
): Promise<Section> {
  const { wrong, shifted, equal } = corpus.patches;
  const cases = [
    { what: 'one hunk that is nowhere', file: corpus.file, patch: wrong },
    { what: '10,000 hunks, each 3 lines off', file: corpus.file, patch: shifted },
    { what: '2000 equal context lines in 1,000,000 equal lines', file: corpus.equalFile, patch: equal },
  ];
  const asked = contenders.filter(({ name }) => CONTENDERS.includes(name));
  const columns: ReadonlyMap<string, readonly Trial[]>[] = [];
  for (const { file, patch } of cases) {
    const often = asked.filter(({ name }) => !ONCE.includes(name));
    const once = asked.filter(({ name }) => ONCE.includes(name));
    const runs = [
      ...(await interleaved(
        rounds,
        often.map(
          ({ apply }) =>
            () =>
              apply(file, patch, BOUND_MS),
        ),
      )),
      ...(await interleaved(
        1,
        once.map(
          ({ apply }) =>
            () =>
              apply(file, patch, BOUND_MS),
        ),
      )),
    ];
    columns.push(new Map([...often, ...once].map(({ name }, index) => [name, runs[index] ?? []])));
  }
  const rows = asked.map(({ name }) => [name, ...columns.map((column) => cell(column.get(name) ?? []))]);
  return {
    title: 'Refusing',
    body: [table(['refused', ...cases.map(({ what }) => what)], rows)],
    targets: cases.map(({ what }, index) => ({
      what: `engine in process, refusing: ${what}`,
      value: median((columns[index]?.get(NAMES.engine) ?? []).map(({ ms }) => ms)),
      most: MOST_MS,
      show: showMs,
    })),
  };
}

function cell(trials: readonly Trial[]): string {
  const [first] = trials;
  if (first === undefined) return '-';
  const ms = showMs(median(trials.map(({ ms }) => ms)));
  if (first.outcome === 'bound reached') return `>${ms}`;
  const memory = showMemory(median(trials.map(({ peakKiB }) => peakKiB ?? Number.NaN)));
  return first.outcome === 'applied' ? `${ms}, ${memory} (applied it)` : `${ms}, ${memory}`;
}
