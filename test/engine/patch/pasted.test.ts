import { describe, expect, it } from 'vitest';
import { isPlaceholder, withoutLineNumber } from '../../../src/engine/patch/pasted.ts';

describe('what was pasted or left out', () => {
  it.each([
    '...',
    '…',
    '... rest unchanged ...',
    '    // ... existing code ...',
    '# ... rest of the function ...',
    '/* ... other methods ... */',
    '<!-- ... unchanged lines ... -->',
    '-- ... more columns',
    '[... remaining tests omitted ...]',
  ])('%s stands for lines left out', (line) => {
    expect(isPlaceholder(line)).toBe(true);
  });

  it.each(['', '   ', '...args', 'print(...)', '// dots ... inside', '...spread, rested', '# note'])(
    '%j is code',
    (line) => {
      expect(isPlaceholder(line)).toBe(false);
    },
  );

  it.each([
    ['12: return 0', 'return 0'],
    ['12| return 0', 'return 0'],
    ['    12\treturn 0', 'return 0'],
    ['  12→    return 0', '    return 0'],
    ['return 0', undefined],
    ['12 apples', undefined],
  ])('%j without its number is %j', (line, bare) => {
    expect(withoutLineNumber(line)).toBe(bare);
  });
});
