import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoOf } from '../../src/lib/time.ts';

describe('a time', () => {
  it('is formatted as by toISOString', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        expect(isoOf(date)).toBe(date.toISOString());
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T12:34:56.789Z',
    '-000001-03-04T05:06:07.008Z',
    '+012345-06-07T08:09:10.011Z',
  ])('is written as it was read: %s', (text) => {
    expect(isoOf(new Date(text))).toBe(text);
  });

  it('is refused where there is none', () => {
    expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError);
  });
});
