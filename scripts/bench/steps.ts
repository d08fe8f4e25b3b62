/** The measurements in their order, each with its number of rounds. */
import { measureApplying } from './applying.ts';
import { measureBreakdown } from './breakdown.ts';
import { measureCalling } from './calling.ts';
import { makeContenders, type Contender } from './contenders.ts';
import { makeCorpus, type Corpus } from './corpus.ts';
import { measureOverview } from './overview.ts';
import { measureRefusing } from './refusing.ts';
import { measureMemory } from './remembering.ts';
import type { Rig } from './rig.ts';
import type { Section } from './section.ts';
import { measureShadows } from './shadow.ts';
import { measureStarting } from './starting.ts';
import { measureVerifying } from './verifying.ts';

export interface Step {
  readonly name: string;
  readonly measure: () => Promise<Section>;
}

/** Lists the measurements; the large files are made when the first of them is needed. */
export function stepsOf(rig: Rig, quick: boolean): readonly Step[] {
  let made: { corpus: Corpus; contenders: readonly Contender[] } | undefined;
  const large = () => {
    if (made === undefined) {
      const corpus = makeCorpus(rig.folder('corpus'));
      made = { corpus, contenders: makeContenders(rig, corpus.file) };
    }
    return made;
  };
  const rounds = quick ? 1 : 5;
  const calls = quick ? 20 : 200;
  return [
    { name: 'applying', measure: () => measureApplying(large().contenders, large().corpus, rounds) },
    { name: 'refusing', measure: () => measureRefusing(large().contenders, large().corpus, rounds) },
    { name: 'calling', measure: () => measureCalling(rig, calls) },
    { name: 'breakdown', measure: () => measureBreakdown(rig, calls / 2) },
    { name: 'starting', measure: () => measureStarting(rig, quick ? 3 : 20) },
    { name: 'shadow', measure: () => measureShadows(rig, quick ? 3 : 10) },
    { name: 'verifying', measure: () => measureVerifying(rig, quick ? 1 : 5) },
    { name: 'overview', measure: () => measureOverview(rig, quick ? 5 : 50) },
    { name: 'memory', measure: () => measureMemory(rig, large().corpus) },
  ];
}
