import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excessOf, jsonBounds } from '../../src/lib/json-bounds.ts';

const BOUNDS = { levels: 3, values: 8, items: 4, members: 3 };

describe('the bounds of a JSON text', () => {
  it.each([
    ['[1,2,3,4]', undefined],
    ['[1,2,3,4,5]', '4 items in an array'],
    ['{"a":1,"b":2,"c":3}', undefined],
    ['{"a":1,"b":2,"c":3,"d":4}', '3 members in an object'],
    ['[[[]]]', undefined],
    ['[[[[]]]]', '3 levels'],
    ['[{},{},[1,2]]', undefined],
    ['[{"a":1,"b":2},{"a":1},[1,2],[]]', '8 values'],
    ['["[[[[[",",,,,,,,,,",":"]', undefined],
    ['["\\"[[[[[\\\\","\\\\\\"{{{{{"]', undefined],
    ['["[[[[[', undefined],
    ['', undefined],
    [']]]]', undefined],
    [',,,,,,,,,,,,', undefined],
    ['{"a":[1,2,3,4],"b":1}', undefined],
  ])('of %s: %s', (text, excess) => expect(excessOf(text, BOUNDS)).toBe(excess));

  it('hold for any value that is within them, however it is written', () => {
    const bounds = { levels: 20, values: 5_000, items: 1_000, members: 1_000 };
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(excessOf(text, bounds)).toBeUndefined();
        expect(excessOf(JSON.stringify(JSON.parse(text), null, 2), bounds)).toBeUndefined();
      }),
    );
  });

  it('let the largest batch through, with fifty values for each item', () => {
    const item = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`m${index}`, null]));
    const text = JSON.stringify(Array.from({ length: 1_000 }, () => item));
    expect(excessOf(text, jsonBounds(1_000))).toBeUndefined();
    expect(excessOf(JSON.stringify(Array(20_000).fill('')), jsonBounds(20_000))).toBeUndefined();
  });
});
