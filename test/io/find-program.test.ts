import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram, type ProgramLookup } from '../../src/io/find-program.ts';
import type { FoundProgram } from '../../src/model/run.ts';

let folder: string;
let root: string;
let bin: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'surepatch-program-')));
  root = path.join(folder, 'root');
  bin = path.join(folder, 'bin');
  for (const made of [root, bin]) mkdirSync(made);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function program(...parts: string[]): string {
  const place = path.join(...parts);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, '#!/bin/sh\n');
  chmodSync(place, 0o755);
  return place;
}

function virtualEnvironment(name: string): void {
  mkdirSync(path.join(root, name, 'bin'), { recursive: true });
  writeFileSync(path.join(root, name, 'pyvenv.cfg'), 'home = /usr/bin\n');
}

function find(name: string, lookup: Partial<ProgramLookup> = {}): FoundProgram | string {
  const found = findProgram(name, { root, path: bin, ...lookup });
  return found.ok ? found.value : found.failure.code;
}

describe('a bare name', () => {
  it('is found in an absolute folder of PATH, the first one that has it', () => {
    const second = path.join(folder, 'second');
    program(second, 'pytest');
    const first = program(bin, 'pytest');
    expect(find('pytest', { path: `${bin}:${second}` })).toEqual({ path: first, origin: 'path' });
  });

  it('is found past files that stand where folders are usual', () => {
    const found = program(bin, 'pytest');
    for (const name of ['.venv', 'node_modules']) writeFileSync(path.join(root, name), '');
    expect(find('pytest', { path: `${found}:${bin}` })).toEqual({ path: found, origin: 'path' });
  });

  it.each(['.venv', 'venv'])('is found in the virtual environment %s before PATH', (name) => {
    program(bin, 'pytest');
    virtualEnvironment(name);
    const own = program(root, name, 'bin', 'pytest');
    expect(find('pytest')).toEqual({ path: own, origin: 'virtual_environment' });
  });

  it('keeps the link by which a virtual environment is recognised', () => {
    virtualEnvironment('.venv');
    const python = program(bin, 'python3.11');
    symlinkSync(python, path.join(root, '.venv/bin/python'));
    expect(find('python')).toEqual({ path: path.join(root, '.venv/bin/python'), origin: 'virtual_environment' });
  });

  it('is not taken from a folder that is called venv but is none', () => {
    program(root, 'venv', 'bin', 'pytest');
    expect(find('pytest')).toBe('PROGRAM_NOT_FOUND');
  });

  it('is found in node_modules/.bin after PATH', () => {
    const own = program(root, 'node_modules/.bin/vitest');
    expect(find('vitest')).toEqual({ path: own, origin: 'node_modules' });
    const onPath = program(bin, 'vitest');
    expect(find('vitest')).toEqual({ path: onPath, origin: 'path' });
  });

  it.each(['.', '', '""', "''", 'tools', './tools', '..', '../root/tools'])(
    'is not found through the PATH entry %j',
    (entry) => {
      program(root, 'tools', 'go');
      program(root, 'go');
      const before = process.cwd();
      process.chdir(root);
      const found = [
        find('go', { path: entry }),
        find('go', { path: `${entry}:${bin}` }),
        find('go', { path: `${bin}:${entry}` }),
      ];
      process.chdir(before);
      expect(found).toEqual(['PROGRAM_NOT_FOUND', 'PROGRAM_NOT_FOUND', 'PROGRAM_NOT_FOUND']);
    },
  );

  it('is not found in a PATH folder inside the root, by its own path or through a link', () => {
    program(root, 'tools', 'go');
    symlinkSync(path.join(root, 'tools'), path.join(folder, 'link'));
    expect(find('go', { path: `${root}/tools:${folder}/link:${root}` })).toBe('PROGRAM_NOT_FOUND');
  });

  it('is not found on PATH as a link that leads into the root', () => {
    symlinkSync(program(root, 'cli'), path.join(bin, 'cli'));
    expect(find('cli')).toBe('PROGRAM_NOT_FOUND');
  });

  it('is found in a PATH folder whose name merely begins like the root', () => {
    const sibling = program(`${root}-tools`, 'go');
    expect(find('go', { path: `${root}-tools` })).toEqual({ path: sibling, origin: 'path' });
  });

  it('passes over what is no executable regular file', () => {
    mkdirSync(path.join(bin, 'go'));
    writeFileSync(path.join(bin, 'cargo'), '');
    symlinkSync('/nowhere', path.join(bin, 'make'));
    expect(['go', 'cargo', 'make', '', '..', 'a\0b'].map((name) => find(name))).toEqual(
      Array(6).fill('PROGRAM_NOT_FOUND'),
    );
  });

  it('is found on PATH only, and nowhere in the project, when Surepatch itself runs the program', () => {
    virtualEnvironment('.venv');
    program(root, '.venv/bin/git');
    program(root, 'node_modules/.bin/git');
    expect(['git', '.venv/bin/git'].map((name) => find(name, { pathOnly: true }))).toEqual(
      Array(2).fill('PROGRAM_NOT_FOUND'),
    );
    const onPath = program(bin, 'git');
    expect(find('git', { pathOnly: true })).toEqual({ path: onPath, origin: 'path' });
  });

  it('is refused with where it was looked for and what to do', () => {
    expect(findProgram('go', { root, path: `${bin}:.` })).toEqual({
      ok: false,
      failure: {
        code: 'PROGRAM_NOT_FOUND',
        message:
          'No program named "go" in the project\'s virtual environment, the trusted folders of PATH and node_modules/.bin.',
        hint: 'Install go for this project or this machine. PATH entries that are relative or inside the root are not used.',
        details: {},
      },
    });
  });
});

describe('a name with a slash', () => {
  it.each(['.venv/bin/pytest', 'venv/bin/pytest', './.venv/bin/pytest', 'node_modules/.bin/jest'])(
    'is accepted as %s',
    (name) => {
      virtualEnvironment('.venv');
      virtualEnvironment('venv');
      const own = program(root, name);
      expect(find(name)).toEqual({
        path: own,
        origin: name.startsWith('node') ? 'node_modules' : 'virtual_environment',
      });
    },
  );

  it.each([
    './run.sh',
    'tools/go',
    '../bin/go',
    '.venv/bin/../../run.sh',
    'node_modules/.bin/sub/x',
    'node_modules/x/cli',
  ])('is refused as %s', (name) => {
    virtualEnvironment('.venv');
    program(bin, 'go');
    program(root, name);
    expect(find(name)).toBe('PROGRAM_NOT_FOUND');
  });

  it('is refused when it is absolute, even for a program of the system', () => {
    expect(find('/bin/sh')).toBe('PROGRAM_NOT_FOUND');
    expect(find('/bin/sh', { operatorNamed: true })).toBe('PROGRAM_NOT_FOUND');
  });

  it('may be any program inside the root when the operator named it, but none outside', () => {
    const own = program(root, 'tools/go');
    program(bin, 'go');
    symlinkSync(path.join(bin, 'go'), path.join(root, 'leaving'));
    const names = ['tools/go', './tools/go', '../bin/go', './leaving'];
    expect(names.map((name) => find(name, { operatorNamed: true }))).toEqual([
      { path: own, origin: 'operator' },
      { path: own, origin: 'operator' },
      'PROGRAM_NOT_FOUND',
      'PROGRAM_NOT_FOUND',
    ]);
  });
});
