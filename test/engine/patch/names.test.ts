import { describe, expect, it } from 'vitest';
import { gitLineNames, headerName } from '../../../src/engine/patch/names.ts';

describe('headerName', () => {
  it.each([
    ['a/days.txt', 'a/days.txt'],
    ['a/days.txt\t2024-03-01 10:00', 'a/days.txt'],
    ['a/opening days.txt\t', 'a/opening days.txt'],
    ['"a/caf\\303\\251.txt"', 'a/café.txt'],
    ['"a/tab\\there.txt"\t2024', 'a/tab\there.txt'],
    ['"a/quote \\" and \\\\ slash"', 'a/quote " and \\ slash'],
    ['"not closed', '"not closed'],
    ['', undefined],
    ['  \t2024', undefined],
  ])('%s is %s', (text, name) => {
    expect(headerName(text)).toBe(name);
  });
});

describe('gitLineNames', () => {
  it.each([
    ['a/days.txt b/days.txt', ['a/days.txt', 'b/days.txt']],
    ['a/x b/y b/x b/y', ['a/x b/y', 'b/x b/y']],
    ['"a/caf\\303\\251" "b/caf\\303\\251"', ['a/café', 'b/café']],
    ['a/one b/two', []],
  ])('%s gives %j', (text, names) => {
    expect(gitLineNames(text)).toEqual(names);
  });
});
