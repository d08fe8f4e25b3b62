/** Holds the shape of the source: one table of layers, one of owners, one of tests that stand elsewhere. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceTree, withSourceTree } from '../scripts/docs/source-tree.ts';
import { REPOSITORY, readSourceFiles, type SourceFile } from './support/source-files.ts';

const files = readSourceFiles();

/** What a layer may import, from the top down; `type` marks a layer of which only types may be imported. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli'],
  cli: [
    'stdio',
    'server.ts type',
    'tools',
    'usecases',
    'model',
    'io/host.ts',
    'io/package-info.ts',
    'io/read-input.ts',
  ],
  stdio: ['server.ts', 'tools', 'model'],
  'server.ts': ['tools', 'model'],
  tools: ['usecases', 'model', 'io/host.ts type'],
  usecases: ['engine', 'model', 'io type'],
  engine: ['model'],
  io: ['model'],
  model: [],
  examiners: ['model'],
};

/** Who may import a package: a folder, a file or a pattern with one `*`. A package that is not here has no owner. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/server': ['tools/', 'server.ts', 'stdio/'],
  zod: [
    'tools/',
    'io/allowlists.ts',
    'io/baseline-store.ts',
    'io/examination-file.ts',
    'io/history-head.ts',
    'io/history-record.ts',
    'io/journal.ts',
    'io/package-info.ts',
    'io/verification-store.ts',
  ],
  diff: ['engine/patch/make.ts', 'engine/patch/line-changes.ts', 'engine/evidence/token-diff.ts'],
  'shell-quote': ['engine/command/tokenize.ts'],
  execa: ['io/process*.ts'],
  'simple-git': ['io/git*.ts'],
  chokidar: ['io/watcher.ts'],
  commander: ['cli/', 'main.ts'],
  tmp: ['io/shadow/'],
  'oxc-parser': ['examiners/javascript/'],
  'oxc-resolver': ['examiners/javascript/'],
  'js-tokens': ['examiners/javascript/'],
  '@jridgewell/trace-mapping': ['engine/languages/javascript/'],
  'smol-toml': ['engine/languages/python/'],
  'node:fs': ['io/', 'examiners/'],
  'node:child_process': ['io/'],
  'node:net': ['io/'],
  'node:os': ['io/', 'main.ts'],
  'node:process': ['main.ts'],
};

/** Built-in modules that have no effect outside the process. */
const HARMLESS = ['node:buffer', 'node:console', 'node:crypto', 'node:events', 'node:path', 'node:stream', 'node:url'];
const TIMERS = ['node:timers'];

/** Files whose behaviour another test shows, with the reason why they have none of their own. */
const TESTED_ELSEWHERE: Readonly<Record<string, readonly [test: string, reason: string]>> = {
  'engine/command/allow.ts': ['engine/command/decide.test.ts', 'it only hands on what its neighbours export'],
  'engine/evidence/word-owners.ts': ['engine/evidence/changed-parts.test.ts', 'seen through the parts that are found'],
  'engine/languages/index.ts': ['scenarios/changes.test.ts', 'it is a list'],
  'engine/command/read-flag.ts': ['engine/command/arguments.test.ts', 'each way a flag is read is a case there'],
  'engine/command/whole-match.ts': ['engine/command/compile.test.ts', 'one constructor'],
  'engine/languages/javascript/istanbul-coverage.ts': [
    'engine/languages/javascript/read-coverage.test.ts',
    'real runs of Vitest and jest are the cases there',
  ],
  'engine/languages/javascript/json.ts': [
    'engine/languages/javascript/read-coverage.test.ts',
    'seen through what is read of a run',
  ],
  'engine/languages/javascript/lines.ts': [
    'engine/languages/javascript/read-coverage.test.ts',
    'seen through what is read of a run',
  ],
  'engine/languages/javascript/v8-coverage.ts': [
    'engine/languages/javascript/read-coverage.test.ts',
    'real runs are the cases, there and in runtime/node/probes.test.ts',
  ],
  'engine/patch/bytes.ts': ['scenarios/patches.test.ts', 'constants, and the mark that begins some files'],
  'engine/patch/compare-lines.ts': [
    'scenarios/patches.test.ts',
    'each kind of difference is a folder in fixtures/patches',
  ],
  'engine/patch/describe.ts': ['scenarios/patches.test.ts', 'each kind of conflict is a folder in fixtures/patches'],
  'engine/patch/envelope.ts': [
    'scenarios/patches.test.ts',
    'each thing around the hunks is a folder in fixtures/patches',
  ],
  'engine/patch/explain.ts': ['scenarios/patches.test.ts', 'whole failures are compared there'],
  'engine/patch/hunk-body.ts': ['scenarios/patches.test.ts', 'each rule of a hunk is a folder in fixtures/patches'],
  'engine/patch/hunks.ts': ['scenarios/patches.test.ts', 'each rule of a hunk is a folder in fixtures/patches'],
  'engine/patch/line-endings.ts': ['scenarios/patches.test.ts', 'each adaptation is a folder in fixtures/patches'],
  'engine/patch/locate.ts': ['scenarios/patches.test.ts', 'seen through the bytes that come out'],
  'engine/patch/format-lines.ts': ['usecases/undo-fix.test.ts', 'an undo of an undo reads what it wrote'],
  'engine/patch/line-changes.ts': ['usecases/undo-fix.test.ts', 'seen through the bytes that come out'],
  'engine/patch/unpatch.ts': ['usecases/undo-fix.test.ts', 'each way a file goes on is a case there'],
  'engine/patch/near-miss.ts': ['scenarios/patches.test.ts', 'each kind of near miss is a folder in fixtures/patches'],
  'engine/patch/patch-reader.ts': ['scenarios/patches.test.ts', 'it only walks for its neighbours'],
  'engine/patch/recount.ts': ['scenarios/patches.test.ts', 'seen through the header that would fit'],
  'engine/patch/rewrite.ts': ['scenarios/patches.test.ts', 'seen through the bytes that come out'],
  'engine/patch/section-kinds.ts': ['engine/patch/sections.test.ts', 'each kind that is refused is a case there'],
  'engine/patch/section-names.ts': ['engine/patch/sections.test.ts', 'each way to name a file is a case there'],
  'engine/patch/suggest.ts': ['scenarios/patches.test.ts', 'every suggested diff is applied there'],
  'engine/patch/unsupported.ts': ['scenarios/patches.test.ts', 'each unsupported kind is a folder in fixtures/patches'],
  'examiners/javascript/analyse.ts': ['examiners/javascript/examine.test.ts', 'a step of the examination'],
  'examiners/javascript/arms.ts': ['examiners/javascript/outline.test.ts', 'each kind of arm is a case there'],
  'examiners/javascript/chains.ts': ['examiners/javascript/outline.test.ts', 'each kind of link is a case there'],
  'examiners/javascript/cjs-exports.ts': [
    'examiners/javascript/imports.test.ts',
    'each way to give a name is a case there',
  ],
  'examiners/javascript/exclusions.ts': ['examiners/javascript/outline.test.ts', 'each mark is a case there'],
  'examiners/javascript/importers.ts': ['examiners/javascript/imports.test.ts', 'seen through the imports that break'],
  'examiners/javascript/insertions.ts': ['examiners/javascript/outline.test.ts', 'seen through the probed text'],
  'examiners/javascript/json.ts': ['examiners/javascript/examine.test.ts', 'each kind of document is a case there'],
  'examiners/javascript/main.ts': ['examiners/javascript/examine.test.ts', 'the built program is run there'],
  'examiners/javascript/module-record.ts': ['examiners/javascript/imports.test.ts', 'seen through the findings'],
  'examiners/javascript/namespaces.ts': ['examiners/javascript/imports.test.ts', 'seen through the findings'],
  'examiners/javascript/pauses.ts': ['examiners/javascript/outline.test.ts', 'each kind of pause is a case there'],
  'examiners/javascript/places.ts': ['examiners/javascript/outline.test.ts', 'seen through the lines of the parts'],
  'examiners/javascript/prove.ts': ['examiners/javascript/outline.test.ts', 'seen through the probed text'],
  'examiners/javascript/resolve.ts': [
    'examiners/javascript/imports.test.ts',
    'each way to name a module is a case there',
  ],
  'examiners/javascript/scopes.ts': ['examiners/javascript/imports.test.ts', 'what hides a name is a case there'],
  'examiners/javascript/syntax-findings.ts': ['examiners/javascript/examine.test.ts', 'seen through the findings'],
  'examiners/javascript/syntax-tree.ts': ['examiners/javascript/outline.test.ts', 'each kind of file is a case there'],
  'examiners/javascript/tokens.ts': [
    'examiners/javascript/examine.test.ts',
    'what makes two texts the same is seen there',
  ],
  'io/exclusive-file.ts': ['io/lock.test.ts', 'one of the two mechanisms behind the lock'],
  'io/exclusive-socket.ts': ['io/lock.test.ts', 'one of the two mechanisms behind the lock'],
  'io/git-answer.ts': ['io/git.test.ts', 'real names in real repositories are the cases that matter'],
  'io/git-process.ts': ['security/git-traps.test.ts', 'its duty is what must not happen'],
  'io/lock-owner.ts': ['io/lock.test.ts', 'the lock is its only reader and writer'],
  'io/history-head.ts': ['io/history-store.test.ts', 'how far a history reaches is seen there'],
  'io/history-record.ts': ['io/history-store.test.ts', 'every byte of a line is changed there'],
  'io/history-scan.ts': ['io/history-store.test.ts', 'each thing done to a history is a case there'],
  'io/kept-files.ts': ['io/verification-store.test.ts', 'what is thinned out is seen there'],
  'io/near-repository.ts': ['io/git.test.ts', 'seen through the state of a file'],
  'io/waiting.ts': ['io/lock.test.ts', 'the order of callers is a property of the lock'],
  'model/patch.ts': ['engine/patch/parse.test.ts', 'types, and one view of bytes'],
  'tools/client.ts': ['e2e/official-clients.test.ts', 'each protocol era shows the client in another place'],
  'tools/fields.ts': ['tools/tool-quality.test.ts', 'the published schemas are what matters'],
  'tools/index.ts': ['tools/tool-quality.test.ts', 'it is a list'],
  'tools/undo-fix-text.ts': ['tools/undo-fix.test.ts', 'it lays out the reports there'],
  'tools/verify-change-output.ts': [
    'tools/verify-change.test.ts',
    'the client checks answers against what is published',
  ],
  'tools/misfit-text.ts': ['tools/write-fix-text.test.ts', 'every report that refuses a diff shows it'],
  'tools/verify-report-text.ts': ['usecases/verify-report.test.ts', 'it lays out a report that is made there'],
  'model/path-rule.ts': ['engine/repository-path.test.ts', 'the list of rules, each broken by a vector'],
  'model/receipt.ts': ['tools/record-changed-paths.test.ts', 'types, and what is shown of a refusal'],
  'model/revision.ts': ['usecases/revisions.test.ts', 'types, and the lists of their words'],
  'tools/freshness-output.ts': ['tools/record-changed-paths.test.ts', 'answers are checked against what is published'],
  'tools/receipt-text.ts': ['tools/record-changed-paths.test.ts', 'the whole text is compared there'],
  'tools/record-changed-paths-output.ts': [
    'tools/record-changed-paths.test.ts',
    'answers are checked against what is published',
  ],
  'cli/overview.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'io/git-settings.ts': ['io/git-overview.test.ts', 'each setting that is carried over is a case there'],
  'io/git-status.ts': ['io/git-overview.test.ts', 'each kind of line is a case there'],
  'io/look-at-files.ts': ['io/git-overview.test.ts', 'each way to know the files is a case there'],
  'model/overview.ts': ['usecases/repo-overview.test.ts', 'types, and the lists of their words'],
  'tools/repo-overview-output.ts': ['tools/repo-overview.test.ts', 'answers are checked against what is published'],
  'tools/repo-overview-text.ts': ['tools/repo-overview.test.ts', 'the whole text is compared there'],
  'usecases/look-at-root.ts': ['usecases/repo-overview.test.ts', 'a step of repo_overview'],
  'usecases/watch-roots.ts': ['e2e/receipts.test.ts', 'a server that watches is seen through its client'],
  'tools/write-fix.ts': ['tools/define-tool.test.ts', 'seen through a client that calls it'],
  'cli/doctor.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'cli/broke-down.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'cli/history.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'cli/open.ts': ['cli/command-line.test.ts', 'seen through the options of each command'],
  'cli/output.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'cli/serve.ts': ['e2e/write-fix.test.ts', 'a server is seen through its clients'],
  'cli/undo.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'cli/write-fix.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'cli/commit.ts': ['cli/command-line.test.ts', 'each command is run there as a person runs it'],
  'io/git-commit.ts': ['usecases/commit-files.test.ts', 'it only gathers'],
  'io/git-commit-files.ts': ['usecases/commit-files.test.ts', 'each kind of file is a case there'],
  'io/git-commit-ground.ts': ['usecases/commit-files.test.ts', 'each kind of repository is a case there'],
  'io/git-commit-hooks.ts': ['usecases/make-commit.test.ts', 'real hooks run there'],
  'io/git-commit-run.ts': ['usecases/make-commit.test.ts', 'real commits end there in each way'],
  'io/git-commit-tree.ts': ['usecases/commit-files.test.ts', 'seen through what the commits hold'],
  'io/host.ts': ['usecases/write-fix.test.ts', 'it only gathers'],
  'io/package-info.ts': ['cli/command-line.test.ts', '--version shows it'],
  'io/pending-roots.ts': ['usecases/recover-roots.test.ts', 'seen through what the next start settles'],
  'io/process-tree.ts': ['io/runner.test.ts', 'ending a tree is a property of the run'],
  'io/process.ts': ['io/runner.test.ts', 'seen through real runs'],
  'io/read-input.ts': ['cli/command-line.test.ts', 'each way a diff cannot be read is a case there'],
  'io/real-path.ts': ['io/find-program.test.ts', 'one system call'],
  'io/search-path.ts': ['io/find-program.test.ts', 'where a program is found is what matters of it'],
  'io/supervise-run.ts': ['io/runner.test.ts', 'each reason to end a run is a real run there'],
  'io/git-listing.ts': ['io/tree-digest.test.ts', 'the digest is its only user'],
  'io/shadow/mount-wrapper.ts': ['security/hostile-suite.test.ts', 'its duty is what must not happen'],
  'io/shadow/overlay.ts': ['io/shadow/shadows.test.ts', 'both tiers do the same there'],
  'io/shadow/pool.ts': ['io/shadow/copy-tree.test.ts', 'seen through a copy that fails, and one that does not'],
  'io/shadow/probe.ts': ['io/shadow/shadows.test.ts', 'every tree that is opened is of the tier it found'],
  'io/shadow/real-components.ts': [
    'io/shadow/shadows.test.ts',
    'names that lead through links and out are cases there',
  ],
  'io/shadow/shadow-folder.ts': ['io/shadow/lifecycle.test.ts', 'what is left is what matters of it'],
  'io/shadow/tree-owner.ts': ['io/shadow/lifecycle.test.ts', 'each owner that may be dead is a case of the sweep'],
  'io/shadow/changed-files.ts': ['io/shadow/shadows.test.ts', 'seen through the files that a run finds'],
  'io/system-program.ts': ['io/run-isolation.test.ts', 'the probe is its only user'],
  'main.ts': ['e2e/write-fix.test.ts', 'the built program is started there'],
  'model/history.ts': ['io/history-store.test.ts', 'types, and the lists of their words'],
  'model/hunk-conflict.ts': ['scenarios/patches.test.ts', 'types, and the list of their codes'],
  'model/own-file-names.ts': ['engine/path-rules.test.ts', 'names are judged there'],
  'model/result.ts': ['usecases/write-fix.test.ts', 'two constructors'],
  'model/suite.ts': ['engine/formats/test-events.test.ts', 'types, and the names of folders'],
  'model/undo-report.ts': ['tools/undo-fix.test.ts', 'the client checks its reports against what is published'],
  'model/verdict.ts': ['engine/verdict.test.ts', 'types, and the list of reasons'],
  'model/verification.ts': ['io/verification-store.test.ts', 'a type, and how long it may be written'],
  'model/verify-refusal.ts': ['tools/verify-change.test.ts', 'a type, and the words laid out for it'],
  'model/write-facts.ts': ['tools/write-fix-text.test.ts', 'types, and the lists of their words'],
  'usecases/authorise.ts': ['usecases/write-fix.test.ts', 'a step of write_fix'],
  'engine/commit-message.ts': ['usecases/commit-files.test.ts', 'messages of every kind are cases there'],
  'model/commit-facts.ts': ['usecases/commit-files.test.ts', 'types, and the list of changes'],
  'model/commit.ts': ['usecases/commit-files.test.ts', 'types, and how a failure is laid out'],
  'tools/commit-fields.ts': ['tools/tool-quality.test.ts', 'every field that is published is judged there'],
  'tools/git-commit-output.ts': ['tools/git-commit.test.ts', 'seen through a client that calls it'],
  'usecases/commit-admission.ts': ['usecases/commit-files.test.ts', 'each refusal is a case there'],
  'usecases/commit-ending.ts': ['usecases/make-commit.test.ts', 'each ending of a commit is a case there'],
  'usecases/written-files.ts': ['usecases/make-commit.test.ts', 'what write_fix wrote is committed there'],
  'usecases/coverage-report.ts': ['usecases/verify-report.test.ts', 'it is a part of the report'],
  'usecases/baseline-tree.ts': ['scenarios/changes.test.ts', 'a step of the trial'],
  'usecases/choose-suite.ts': ['scenarios/changes.test.ts', 'seen through the verdicts on real projects'],
  'usecases/examine-change.ts': ['scenarios/changes.test.ts', 'seen through the gates on real projects'],
  'usecases/examine-machine.ts': ['cli/command-line.test.ts', 'doctor prints what it finds'],
  'usecases/intake.ts': ['usecases/write-fix.test.ts', 'a step of write_fix'],
  'usecases/in-turn.ts': ['usecases/recover-roots.test.ts', 'recovery and turns are cases there'],
  'usecases/land.ts': ['usecases/write-fix.test.ts', 'a step of write_fix'],
  'usecases/locate-target.ts': ['security/path-attacks.test.ts', 'each way out of the root is a case there'],
  'usecases/open-product.ts': ['cli/command-line.test.ts', 'seen through the options of each command'],
  'usecases/preimage.ts': ['usecases/undo-fix.test.ts', 'each place that may hold the bytes is a case there'],
  'usecases/read-output.ts': ['cli/command-line.test.ts', 'output prints its pages'],
  'usecases/record-history.ts': ['usecases/history.test.ts', 'seen through what is remembered of each call'],
  'usecases/run-tests.ts': ['usecases/write-fix.test.ts', 'a step of write_fix'],
  'usecases/run-suite.ts': ['scenarios/changes.test.ts', 'real runners run there'],
  'usecases/unchanged-since.ts': ['usecases/verify-change.test.ts', 'seen through what is not answered again'],
  'usecases/verify-reasons.ts': ['usecases/verify-report.test.ts', 'the sentence of each reason is a case there'],
  'io/git-head.ts': ['usecases/verify-saved.test.ts', 'what HEAD holds is seen through what differs from it'],
  'io/saved-file.ts': ['usecases/verify-saved.test.ts', 'each kind of saved file is a case there'],
  'model/saved-verification.ts': ['usecases/verify-saved.test.ts', 'types, and the lists of their words'],
  'tools/verify-change-saved.ts': ['e2e/saved-edits.test.ts', 'a client passes the arguments'],
  'tools/verify-change-saved-output.ts': ['e2e/saved-edits.test.ts', 'answers are checked against what is published'],
  'usecases/judge-change.ts': ['scenarios/changes.test.ts', 'both forms are judged by it'],
  'usecases/saved-answer.ts': ['usecases/verify-saved.test.ts', 'each way a wait ends is a case there'],
  'usecases/saved-attempt.ts': ['usecases/verify-saved.test.ts', 'each ending of an attempt is a case there'],
  'usecases/saved-baseline.ts': ['usecases/verify-saved.test.ts', 'each kind of baseline is a case there'],
  'usecases/saved-lists.ts': ['usecases/verify-saved.test.ts', 'seen through lists that are cut'],
  'usecases/untold-changes.ts': ['usecases/revisions.test.ts', 'each way to change is a look there'],
  'usecases/verify-form.ts': ['usecases/verify-saved.test.ts', 'each mixture of forms is a case there'],
  'usecases/settle.ts': ['usecases/write-fix.test.ts', 'each ending of write_fix is a case there'],
  'usecases/with-root.ts': ['usecases/recover-roots.test.ts', 'recovery and turns are cases there'],
};

function layerOf(path: string): string {
  return path.split('/', 1)[0] ?? path;
}

function isAllowed(from: SourceFile, to: string, isTypeOnly: boolean): boolean {
  if (layerOf(from.path) === layerOf(to)) return true;
  return (LAYERS[layerOf(from.path)] ?? []).some((rule) => {
    const [place = '', onlyTypes] = rule.split(' ');
    return (place === to || place === layerOf(to)) && (onlyTypes === undefined || isTypeOnly);
  });
}

function isOwner(path: string, owner: string): boolean {
  const [start = '', end] = owner.split('*');
  if (end !== undefined) return path.startsWith(start) && path.endsWith(end);
  return owner.endsWith('/') ? path.startsWith(owner) : path === owner;
}

describe('imports', () => {
  it('every layer is in the table', () => {
    expect([...new Set(files.map(({ path }) => layerOf(path)))].filter((layer) => LAYERS[layer] === undefined)).toEqual(
      [],
    );
  });

  it('go down only, and engine and io never meet', () => {
    const upward = files.flatMap((file) =>
      file.imports
        .filter(({ isOurs, of, isTypeOnly }) => isOurs && !isAllowed(file, of, isTypeOnly))
        .map(({ of }) => `${file.path} → ${of}`),
    );
    expect(upward).toEqual([]);
  });

  it('form no cycle, not even of types', () => {
    expect(firstCycle()).toEqual([]);
  });

  it('of a package stand in the files that own it', () => {
    const strays = files.flatMap(({ path, imports }) =>
      imports
        .filter(({ isOurs, of }) => !isOurs && !HARMLESS.includes(of))
        .filter(({ of }) => !(TIMERS.includes(of) && layerOf(path) !== 'engine' && layerOf(path) !== 'model'))
        .filter(({ of }) => !(OWNERS[of] ?? []).some((owner) => isOwner(path, owner)))
        .map(({ of }) => `${path} → ${of}`),
    );
    expect(strays).toEqual([]);
  });

  it('every dependency of the package has an owner', () => {
    const { dependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).filter((name) => OWNERS[name] === undefined)).toEqual([]);
  });
});

function firstCycle(): readonly string[] {
  const next = new Map(files.map(({ path, imports }) => [path, imports.filter(({ isOurs }) => isOurs)]));
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const { of } of next.get(path) ?? []) {
      const cycle = walk(of, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  return files.map(({ path }) => walk(path, [])).find((cycle) => cycle.length > 0) ?? [];
}

describe('purity', () => {
  const users = (names: readonly string[], except: readonly string[]): readonly string[] =>
    files
      .filter(({ path }) => !except.some((owner) => isOwner(path, owner)))
      .flatMap(({ path, names: used }) => names.filter((name) => used.has(name)).map((name) => `${path}: ${name}`));

  it('environment and working folder are read in main.ts only', () => {
    expect(users(['process.env', 'process.cwd', 'process.argv'], ['main.ts', 'examiners/javascript/main.ts'])).toEqual(
      [],
    );
  });

  it('engine and model know no process, clock or chance', () => {
    const impure = ['process', 'Date', 'performance', 'Math.random', 'setTimeout', 'fetch', 'console'];
    expect(
      users(impure, ['main.ts', 'server.ts', 'cli/', 'stdio/', 'tools/', 'usecases/', 'io/', 'examiners/']),
    ).toEqual([]);
  });
});

describe('files', () => {
  it('have at most 250 lines', () => {
    expect(files.filter(({ lines }) => lines > 250).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  it('are named in lower case for what they hold', () => {
    const vague = /(^|[/-])(utils?|helpers?|common|managers?|services?|misc)([./-]|$)/;
    expect(
      files.filter(({ path }) => vague.test(path) || !/^[a-z0-9/.-]+$/.test(path)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('that define a tool are in the list of tools', () => {
    const imported = files.find(({ path }) => path === 'tools/index.ts')?.imports.map(({ of }) => of) ?? [];
    const tools = files.filter(({ path, names }) => path.startsWith('tools/') && names.has('defineTool'));
    const forgotten = tools
      .map(({ path }) => path)
      .filter((path) => !['tools/index.ts', 'tools/define-tool.ts', ...imported].includes(path));
    expect({ some: tools.length > 1, forgotten }).toEqual({ some: true, forgotten: [] });
  });

  it('have a test of their own, hold types only, or name the test that shows them', () => {
    const untested = files.filter(({ path, isTypesOnly }) => {
      const own = path.replace(/\.ts$/, '.test.ts');
      const test = TESTED_ELSEWHERE[path]?.[0] ?? own;
      return !isTypesOnly && !existsSync(join(REPOSITORY, 'test', test));
    });
    expect(untested.map(({ path }) => path)).toEqual([]);
  });

  it('excused from a test of their own exist and have none', () => {
    const stale = Object.keys(TESTED_ELSEWHERE).filter(
      (path) =>
        !files.some((file) => file.path === path) ||
        existsSync(join(REPOSITORY, 'test', path.replace(/\.ts$/, '.test.ts'))),
    );
    expect(stale).toEqual([]);
  });
});

describe('docs/design.md', () => {
  it('lists the source tree as it is (npm run docs writes it)', () => {
    const page = readFileSync(join(REPOSITORY, 'docs/design.md'), 'utf8');
    expect(page).toContain(sourceTree(REPOSITORY));
    expect(withSourceTree(page, REPOSITORY)).toBe(page);
  });
});
