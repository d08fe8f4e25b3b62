import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectFacts } from '../../src/usecases/project-facts.ts';
import { testProduct, writeProgram, type TestProduct } from '../support/product.ts';

let ground: TestProduct;
beforeEach(() => {
  ground = testProduct();
});
afterEach(() => {
  ground.dispose();
});

test('says what the files, folders and programs of the root are', () => {
  ground.repo.file('tox.ini', '[tox]\n');
  ground.repo.file('tests/test_tide.py', '');
  writeProgram(ground.repo, 'tide-runner', '#!/bin/sh\n');
  const facts = projectFacts(ground.product.host, ground.root);
  ground.repo.file('packages/sea/package.json', '{}');
  ground.repo.file('node_modules/.bin/sea-runner', '#!/bin/sh\n');
  chmodSync(join(ground.root, 'node_modules/.bin/sea-runner'), 0o755);
  const ofPackage = projectFacts(ground.product.host, join(ground.root, 'packages/sea'));
  expect({
    tox: facts.read('tox.ini'),
    missing: facts.read('setup.cfg'),
    tests: facts.list('tests'),
    none: facts.list('spec'),
    programs: ['tide-runner', 'no-such-runner'].map((name) => facts.hasProgram(name)),
    inside: ['sea-runner', 'no-such-runner'].map((name) => ofPackage.hasPackageProgram(name)),
  }).toEqual({
    tox: '[tox]\n',
    missing: null,
    tests: ['test_tide.py'],
    none: [],
    programs: [true, false],
    inside: [true, false],
  });
});

test('stays as it was first seen, and a later call sees what has changed', () => {
  const facts = projectFacts(ground.product.host, ground.root);
  const look = (of: typeof facts) => [of.read('tox.ini'), of.list('tests'), of.hasProgram('tide-runner')];
  const before = look(facts);
  ground.repo.file('tox.ini', '[tox]\n');
  ground.repo.file('tests/test_tide.py', '');
  writeProgram(ground.repo, 'tide-runner', '#!/bin/sh\n');
  expect([before, look(facts), look(projectFacts(ground.product.host, ground.root))]).toEqual([
    [null, [], false],
    [null, [], false],
    ['[tox]\n', ['test_tide.py'], true],
  ]);
});
