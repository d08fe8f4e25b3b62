/**
 * Says whether an allowed command tests the whole suite, by the scope that the runner's table gives each argument. What
 * a project defines itself (`npm test`, `make test`, `tox`) is its whole suite; whatever no table knows is `unknown`. An
 * operand is a part of the suite unless the table says that it is not, or the project shows that it holds every test.
 */
import type { ProjectFacts } from '../languages/language.ts';
import { holdEveryTest } from './discovery.ts';
import type { AllowedCommand, Policy } from './policy.ts';
import { matchingRule } from './policy.ts';
import type { CompiledTable, KnownFlag } from './flag-table.ts';
import { belowRoot } from './paths.ts';
import { readFlag } from './read-flag.ts';
import type { FlagScope } from './scope-table.ts';
import { findTool } from './tool.ts';

export interface Scope {
  readonly scope: 'full' | 'narrowed' | 'unknown';
  /** The sentence that names the word at fault, without a full stop; null for the whole suite. */
  readonly why: string | null;
}

interface Place {
  readonly root: string;
  readonly project: ProjectFacts | null;
}

interface Waiting {
  readonly word: string;
  readonly flag: KnownFlag;
}

/**
 * Judges the words of an allowed command, without its assignments; `root` is the root as the caller spells it. Without
 * the facts of the project, a folder to test is a part of the suite.
 */
export function scopeOf(
  policy: Policy,
  argv: AllowedCommand['argv'],
  root: string,
  project: ProjectFacts | null = null,
): Scope {
  const findings = [...findingsOf(policy, argv, { root, project })];
  return findings.find(({ scope }) => scope === 'narrowed') ?? findings[0] ?? { scope: 'full', why: null };
}

function* findingsOf(policy: Policy, argv: AllowedCommand['argv'], place: Place): Generator<Scope> {
  const rule = matchingRule({ rules: policy.builtIn }, argv);
  if (rule !== null && rule.table !== null) {
    const { parts } = rule.table.scope;
    const part = rule.prefix.slice(1).find((word) => parts?.test(word) === true);
    if (part !== undefined) yield narrowed(part, 'names less than the whole suite');
    yield* findingsAfter(rule.table, argv.slice(rule.prefix.length), place);
    return;
  }
  const tool = findTool(policy.limits, argv, false);
  const table = tool.kind === 'tool' ? (policy.tools.get(tool.name) ?? null) : null;
  if (tool.kind === 'fault' || table === null) yield unknown(argv[0], 'runs something that Surepatch does not know');
  else yield* findingsAfter(table, argv.slice(tool.start), place);
}

function* findingsAfter(start: CompiledTable, words: readonly string[], place: Place): Generator<Scope> {
  let table = start;
  let waiting: Waiting | null = null;
  let operands: string[] = [];
  for (const word of words) {
    const isFlag = word.startsWith('-');
    if (waiting !== null) {
      yield* findingOf(waiting.word, waiting.flag.scope, isFlag ? '' : word);
      waiting = null;
      if (!isFlag) continue;
    }
    if (!isFlag) {
      operands.push(belowRoot(word, place.root) ?? word);
    } else if (word === '--') {
      yield* findingOfOperands(table, operands, place);
      operands = [];
      if (table.afterDashes === null) {
        yield unknown(word, 'hands the words after it to another program');
        return;
      }
      table = table.afterDashes;
    } else {
      const reading = readFlag(table, word);
      if (reading.kind !== 'known') {
        yield unknown(word, 'is no flag that Surepatch knows for this runner');
        continue;
      }
      for (const { scope } of reading.before) yield* findingOf(word, scope, '');
      const { flag, value } = reading;
      if (value === null && (flag.takes === 'value' || flag.scope?.takesNext === true)) waiting = { word, flag };
      else yield* findingOf(word, flag.scope, value ?? '');
    }
  }
  if (waiting !== null) yield* findingOf(waiting.word, waiting.flag.scope, '');
  yield* findingOfOperands(table, operands, place);
}

function* findingOf(word: string, scope: FlagScope | null, value: string): Generator<Scope> {
  if (scope?.neutral?.every((expression) => expression.test(value)) === true) return;
  switch (scope?.otherwise) {
    case 'selects':
      yield narrowed(word, 'selects some of the tests');
      return;
    case 'stops':
      // What it leaves out, it leaves out of a red run.
      return;
    case 'unknown':
    case undefined:
      yield unknown(word, 'may leave tests out');
  }
}

function* findingOfOperands(
  { scope: { whole, discovery } }: CompiledTable,
  operands: readonly string[],
  { project }: Place,
): Generator<Scope> {
  if (whole.test(operands.join(' '))) return;
  const [first] = operands;
  if (first !== undefined && project !== null && discovery !== null && holdEveryTest(project, discovery, operands)) {
    return;
  }
  if (first === undefined)
    yield {
      scope: 'narrowed',
      why: 'The command names nothing to test, and then this runner does not test everything',
    };
  else yield narrowed(operands.length === 1 ? first : operands.join(' '), 'is not known to be the whole suite');
}

function narrowed(word: string, what: string): Scope {
  return { scope: 'narrowed', why: `\`${word}\` ${what}` };
}

function unknown(word: string, what: string): Scope {
  return { scope: 'unknown', why: `\`${word}\` ${what}` };
}
