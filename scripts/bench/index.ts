/**
 * npm run bench: measures Surepatch beside what else can do its parts of the work, everything in one run.
 *
 *   --write           put the report between the markers of docs/benchmarks.md
 *   --quick           fewer rounds, to try a change
 *   --only a,b        of: applying, refusing, calling, breakdown, starting, shadow, verifying, overview, memory
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Section } from './section.ts';

const PAGE = resolve(import.meta.dirname, '../../../docs/benchmarks.md');

async function main(argv: readonly string[]): Promise<void> {
  if (argv[0] === '--child') {
    await runChild(argv.slice(1));
    return;
  }
  const { values } = parseArgs({
    args: [...argv],
    options: { write: { type: 'boolean' }, quick: { type: 'boolean' }, only: { type: 'string' } },
  });
  await measureAll({
    quick: values.quick ?? false,
    write: values.write ?? false,
    wanted: (name) => values.only?.split(',').includes(name) ?? true,
  });
}

/** Children load nothing of the rig, so that their memory is their own. */
async function runChild([name, ...given]: readonly string[]): Promise<void> {
  if (name === 'apply') await (await import('./in-process.ts')).runInProcess(given);
  if (name === 'small-server') (await import('./small-server.ts')).runSmallServer();
  if (name === 'calls') await (await import('./timed-calls.ts')).runTimedCalls(given);
}

interface Choice {
  readonly quick: boolean;
  readonly write: boolean;
  readonly wanted: (section: string) => boolean;
}

async function measureAll({ quick, write, wanted }: Choice): Promise<void> {
  const { openRig } = await import('./rig.ts');
  const { describeMachine } = await import('./machine.ts');
  const { composeReport, writeReport } = await import('./report.ts');
  const { stepsOf } = await import('./steps.ts');
  const rig = openRig();
  try {
    const machine = describeMachine(rig.scratch);
    const sections: Section[] = [];
    for (const { name, measure } of stepsOf(rig, quick).filter((step) => wanted(step.name))) {
      process.stderr.write(`${name} ...\n`);
      sections.push(await measure());
    }
    const report = composeReport(machine, sections);
    process.stdout.write(`${report}\n`);
    if (write) writeReport(PAGE, report);
  } finally {
    rig.dispose();
  }
}

await main(process.argv.slice(2));
