/** One file of 50 MB, 100 and 10,000 hunks: time and peak memory of every contender, interleaved. */
import { NAMES, type Contender, type Trial } from './contenders.ts';
import type { Corpus } from './corpus.ts';
import type { Section } from './section.ts';
import { interleaved, median } from './statistics.ts';
import { showMemory, showMs, showRatio, table } from './table.ts';

const BOUND_MS = 60_000;

/** What a set of runs of one contender comes to. */
interface Summary {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakKiB: number;
  readonly isBound: boolean;
  readonly parts: string;
}

const NOTHING = { ms: Number.NaN, cpuMs: Number.NaN, peakKiB: Number.NaN, isBound: false };

/** Measures both hunk counts. */
export async function measureApplying(
  contenders: readonly Contender[],
  corpus: Corpus,
  rounds: number,
): Promise<Section> {
  const few = await measure(contenders, corpus.file, corpus.patches.few, rounds);
  // Minutes of a whole core: once, to its bound, and not between the others.
  const quick = contenders.filter(({ name }) => name !== NAMES.git);
  const many = await measure(quick, corpus.file, corpus.patches.many, rounds);
  const slow = contenders.filter(({ name }) => name === NAMES.git);
  for (const [name, summary] of await measure(slow, corpus.file, corpus.patches.many, 1)) many.set(name, summary);

  const engine = [few.get(NAMES.engine), many.get(NAMES.engine)];
  const cli = [few.get(NAMES.cli), many.get(NAMES.cli)];
  const git = [few.get(NAMES.git), many.get(NAMES.git)];
  const copy = [few.get(NAMES.copy), many.get(NAMES.copy)];
  return {
    title: 'Applying to a file of 1,000,000 lines, 50 MB',
    body: [
      ...[
        { hunks: '100 hunks', summaries: few },
        { hunks: '10,000 hunks', summaries: many },
      ].map(({ hunks, summaries }) => show(hunks, contenders, summaries)),
      `Parts of the engine, medians: 100 hunks: ${few.get(NAMES.engine)?.parts ?? ''}; 10,000 hunks: ${many.get(NAMES.engine)?.parts ?? ''}.`,
    ],
    targets: [
      ...['100', '10,000'].flatMap((hunks, n) => [
        target(`engine in process, ${hunks} hunks`, engine[n]?.ms, 120, showMs),
        target(`engine in process, ${hunks} hunks, peak memory`, engine[n]?.peakKiB, 110 * 1024, showMemory),
        target(`engine in process, ${hunks} hunks, over reading and writing`, ratio(engine[n], copy[n]), 3, times),
        target(`write-fix over git apply as a process, ${hunks} hunks`, ratio(cli[n], git[n]), 1, times),
      ]),
      target('write-fix (plain folder), 100 hunks, peak memory', few.get(NAMES.cli)?.peakKiB, 150 * 1024, showMemory),
    ],
  };
}

async function measure(
  contenders: readonly Contender[],
  file: string,
  patch: string,
  rounds: number,
): Promise<Map<string, Summary>> {
  const runs = await interleaved(
    rounds,
    contenders.map((contender) => async () => {
      const trial = await contender.apply(file, patch, BOUND_MS);
      if (trial.outcome === 'refused') throw new Error(`${contender.name} refused a patch that fits`);
      return trial;
    }),
  );
  return new Map(contenders.map(({ name }, index) => [name, summaryOf(runs[index] ?? [])]));
}

function summaryOf(trials: readonly Trial[]): Summary {
  const names = Object.keys(trials[0]?.parts ?? {});
  return {
    ms: median(trials.map(({ ms }) => ms)),
    cpuMs: median(trials.map(({ cpuMs }) => cpuMs ?? Number.NaN)),
    peakKiB: median(trials.map(({ peakKiB }) => peakKiB ?? Number.NaN)),
    isBound: trials.some(({ outcome }) => outcome === 'bound reached'),
    parts: names.map((part) => `${part} ${showMs(median(trials.map(({ parts }) => parts[part] ?? 0)))}`).join(', '),
  };
}

function show(hunks: string, contenders: readonly Contender[], summaries: ReadonlyMap<string, Summary>): string {
  const copy = summaries.get(NAMES.copy)?.ms ?? Number.NaN;
  const git = summaries.get(NAMES.git)?.ms ?? Number.NaN;
  const rows = contenders.map(({ name }) => {
    const { ms, cpuMs, peakKiB, isBound } = summaries.get(name) ?? NOTHING;
    const more = isBound ? '>' : '';
    const lessOf = summaries.get(NAMES.git)?.isBound === true && name !== NAMES.git ? '<' : '';
    return [
      name,
      `${more}${showMs(ms)}`,
      showMs(cpuMs),
      showMemory(peakKiB),
      `${more}${showRatio(ms, copy)}`,
      `${lessOf}${showRatio(ms, git)}`,
    ];
  });
  return table([hunks, 'wall', 'CPU', 'peak memory', 'of read + write', 'of git apply'], rows);
}

function ratio(one: Summary | undefined, other: Summary | undefined): number {
  return (one?.ms ?? Number.NaN) / (other?.ms ?? Number.NaN);
}

function times(value: number): string {
  return showRatio(value, 1);
}

function target(what: string, value: number | undefined, most: number, show: (value: number) => string) {
  return { what, value: value ?? Number.NaN, most, show };
}
