/** A reporter for Vitest that prints nothing, and lets those of the project print as they would without it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const events = require('./events.cjs');
const running = require('./running-test.cjs');

const OUTCOMES = { passed: 'passed', failed: 'failed' };

export default class SurepatchReporter {
  #isReported = false;
  #vitest = null;

  /** The option that names this reporter puts aside those of the configuration; here they come back. */
  async onInit(vitest) {
    const { enabled, reportsDirectory } = vitest.config.coverage ?? {};
    this.#vitest = vitest;
    require('./sources.cjs').keepSettings('vitest', enabled, reportsDirectory);
    require('./sources.cjs').keepSources();
    if (vitest.reporters.length > 1) return;
    for (const reporter of await projectReporters(vitest)) {
      vitest.reporters.push(reporter);
      await reporter.onInit?.(vitest);
    }
  }

  onTestRunEnd(modules, errors) {
    this.#isReported = true;
    events.session('vitest');
    require('./other-copies.cjs').note(loadedFiles(this.#vitest));
    for (const module of modules) reportModule(module);
    for (const { stack, message } of errors)
      events.error('vitest', stack ?? message ?? 'an error outside of all tests');
  }

  /** Of versions before 3, which hand over their own tasks. */
  onFinished(files = [], errors = []) {
    if (this.#isReported) return;
    events.session('vitest');
    for (const file of files) reportTasks(running.fileId(file.filepath), file, []);
    for (const { stack, message } of errors)
      events.error('vitest', stack ?? message ?? 'an error outside of all tests');
  }
}

/** What Vitest has transformed for its tests, by its own bookkeeping, whose place differs between versions. */
function loadedFiles(vitest) {
  const servers = [
    vitest?.vite ?? vitest?.server,
    ...(vitest?.projects ?? []).map(({ vite, server }) => vite ?? server),
  ];
  const graphs = servers.flatMap((server) => [
    ...Object.values(server?.environments ?? {}).map(({ moduleGraph }) => moduleGraph),
    server?.moduleGraph,
  ]);
  return graphs.flatMap((graph) => [...(graph?.fileToModulesMap?.keys() ?? [])]);
}

async function projectReporters(vitest) {
  const wanted = (vitest.vite ?? vitest.server)?.config?.test?.reporters ?? [];
  const builtIn = await builtInReporters(vitest);
  const given = Array.isArray(wanted) ? wanted : [wanted];
  const list = given.length === 0 ? ['default'] : given;
  return Promise.all(
    list.map(async (entry) => {
      const [reporter, options = {}] = Array.isArray(entry) ? entry : [entry];
      if (typeof reporter !== 'string') return reporter;
      if (builtIn[reporter] !== undefined) return new builtIn[reporter](options);
      const resolved = createRequire(join(vitest.config.root, 'package.json')).resolve(reporter);
      const { default: Reporter } = await import(pathToFileURL(resolved).href);
      return new Reporter(options);
    }),
  );
}

/** Vitest's own, from the installation that is running; where they are exported has changed. */
async function builtInReporters(vitest) {
  const manifest = createRequire(join(vitest.config.root, 'package.json')).resolve('vitest/package.json');
  const { exports } = require(manifest);
  for (const entry of ['./node', './reporters']) {
    const at = exports[entry]?.default ?? exports[entry]?.import ?? exports[entry];
    if (typeof at !== 'string') continue;
    const { ReportersMap } = await import(pathToFileURL(join(manifest, '..', at)).href);
    if (ReportersMap !== undefined) return ReportersMap;
  }
  return {};
}

/** A test that is marked to fail passes by failing: what it ran has shown nothing to work. */
function outcomeOf(state, isToFail) {
  if (state === 'passed' && isToFail) return 'expected_failure';
  return OUTCOMES[state] ?? 'skipped';
}

function reportModule(module) {
  const file = running.fileId(module.moduleId);
  for (const { stack, message } of module.errors()) events.error(file, stack ?? message);
  for (const suite of module.children.allSuites()) {
    for (const { stack, message } of suite.errors())
      events.error(running.testId(file, [suite.fullName]), stack ?? message);
  }
  for (const test of module.children.allTests()) {
    const { state, errors, note } = test.result();
    const message = errors?.map(({ stack, message: said }) => stack ?? said).join('\n') ?? note ?? null;
    const durationMs = test.diagnostic()?.duration ?? null;
    const id = running.testId(file, [test.fullName]);
    events.test({ id, outcome: outcomeOf(state, test.options?.fails), message, file, durationMs });
  }
}

function reportTasks(file, task, names) {
  for (const { stack, message } of task.type === 'suite' ? (task.result?.errors ?? []) : []) {
    events.error(running.testId(file, names), stack ?? message);
  }
  for (const child of task.tasks ?? []) {
    const path = [...names, child.name];
    if (child.type === 'suite') reportTasks(file, child, path);
    else {
      const { state, errors, duration } = child.result ?? {};
      const message = errors?.map(({ stack, message: said }) => stack ?? said).join('\n') ?? null;
      const outcome = outcomeOf({ pass: 'passed', fail: 'failed' }[state], child.fails);
      events.test({ id: running.testId(file, path), outcome, message, file, durationMs: duration ?? null });
    }
  }
}
