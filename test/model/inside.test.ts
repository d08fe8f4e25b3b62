import { expect, test } from 'vitest';
import { isInside } from '../../src/model/inside.ts';

test('a folder is inside by its components, never by the start of its name', () => {
  expect([
    isInside('/srv/app', '/srv/app'),
    isInside('/srv/app', '/srv/app2'),
    isInside('/srv/app', '/srv/app/..a'),
  ]).toEqual([true, false, true]);
});
