import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsv } from '../../../src/lib/csv/line.ts';
import { parseCsv } from '../../../src/rest/wire/csv.ts';

describe('CSV', () => {
  it('is parsed to the rows that were formatted', () => {
    const some = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(some, (lines) => {
        const nonEmpty = lines.filter((line) => line.length > 1 || line[0] !== '');
        expect(parseCsv(formatCsv(lines))).toEqual(nonEmpty);
      }),
    );
  });

  it.each([
    ['', []],
    ['a', [['a']]],
    ['a,', [['a', '']]],
    [',\n', [['', '']]],
    ['a\r\n\r\nb', [['a'], ['b']]],
    ['"a\nb"', [['a\nb']]],
  ])('reads %j', (text, lines) => expect(parseCsv(text)).toEqual(lines));

  it('parses a field of one mebibyte, and a million quotation marks', () => {
    const long = 'x'.repeat(2 ** 20);
    expect(parseCsv(`"${long}"`)).toEqual([[long]]);
    expect(parseCsv(`"${'""'.repeat(2 ** 20)}"`)).toEqual([['"'.repeat(2 ** 20)]]);
    expect(() => parseCsv(`"${long}`)).toThrow(/^Line 1 /);
    expect(() => parseCsv(`a\n\n"${'""'.repeat(2 ** 20)}`)).toThrow(/^Line 3 /);
  });

  it('stops parsing at the maximum number of lines and fields', () => {
    expect(parseCsv('a\n'.repeat(10), 10)).toHaveLength(10);
    expect(() => parseCsv('a\n'.repeat(11), 10)).toThrow(/more than 10 entries/);
    expect(() => parseCsv(','.repeat(1_002))).toThrow(/^Line 1 has more than 1001 fields/);
    expect(parseCsv('\n'.repeat(2 ** 20))).toEqual([]);
    expect(parseCsv('a\r\n\n\r\nb\n')).toEqual([['a'], ['b']]);
  });

  it.each(['a"b', '"a"b', '"a', '""x'])('refuses %j', (text) =>
    expect(() => parseCsv(text)).toThrow(/^Line 1 /));
});
