import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRunFolder, readLastLine, readRunFiles, writeRequest } from '../../src/io/run-files.ts';
import { temporaryFolder } from '../support/git-repo.ts';

let folder: ReturnType<typeof temporaryFolder>;
let run: string;
beforeEach(() => {
  folder = temporaryFolder();
  run = makeRunFolder(folder.path, 'candidate-1');
});
afterEach(() => {
  folder.dispose();
});

const read = () => {
  const { files, isComplete } = readRunFiles(run);
  return { files: Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()])), isComplete };
};

test('a run has its folders, and each run has its own', () => {
  expect(readdirSync(run).sort()).toEqual(['coverage', 'probes', 'tests']);
  expect(() => makeRunFolder(folder.path, 'candidate-1')).toThrow('EEXIST');
});

test('everything the agents wrote is read, whatever lies beside their folders is not', () => {
  writeFileSync(join(run, 'tests/1.jsonl'), 'events');
  writeFileSync(join(run, 'probes/2'), '');
  mkdirSync(join(run, 'coverage/deep/er'), { recursive: true });
  writeFileSync(join(run, 'coverage/deep/er/3.json'), '{}');
  writeFileSync(join(run, 'other'), 'other');
  expect(read()).toEqual({
    files: { 'tests/1.jsonl': 'events', 'probes/2': '', 'coverage/deep/er/3.json': '{}' },
    isComplete: true,
  });
});

test.each([
  [
    'a link to a file',
    (path: string) => {
      symlinkSync('/etc/hostname', path);
    },
  ],
  [
    'a link to a folder',
    (path: string) => {
      symlinkSync('/etc', path);
    },
  ],
  ['a pipe that nobody writes', (path: string) => execFileSync('mkfifo', [path])],
])('%s is not followed, and what is read counts as incomplete', (_what, plant) => {
  writeFileSync(join(run, 'tests/1.jsonl'), 'events');
  plant(join(run, 'tests/planted'));
  expect(read()).toEqual({ files: { 'tests/1.jsonl': 'events' }, isComplete: false });
});

test('a request is for its reader alone, and replaces nothing', () => {
  const path = join(folder.path, 'request.json');
  writeRequest(path, { root: '/srv/app' });
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['{"root":"/srv/app"}', 0o600]);
  expect(() => {
    writeRequest(path, {});
  }).toThrow('EEXIST');
});

test.each([
  ['{"a":1}\n', '{"a":1}'],
  ['warning\n{"a":1}\n\n', '{"a":1}'],
  ['{"a":1}', '{"a":1}'],
  ['', ''],
])('of the output %j the last line is %j', (output, line) => {
  const path = join(folder.path, 'output');
  writeFileSync(path, output);
  expect(readLastLine(path)).toBe(line);
});
