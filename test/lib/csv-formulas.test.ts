import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeFormulas, unescapeFormulas } from '../../src/lib/csv/formulas.ts';

const STARTS = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
const SEPARATORS = [
  ',',
  ';',
  '|',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u060c',
  '\u061b',
  '\u2028',
  '\u2029',
];

describe('a cell with untrusted text', () => {
  it.each(STARTS)('is escaped if it begins with %j', (start) => {
    expect(escapeFormulas(`${start}1+1`)).toBe(`'${start}1+1`);
    expect(escapeFormulas(` "\u00a0${start}cmd`)).toBe(` "\u00a0'${start}cmd`);
  });

  it.each(['\t', '\r', '\n'])('is escaped if it begins with %j', (start) =>
    expect(escapeFormulas(`${start}text`)).toBe(`'${start}text`));

  it.each(SEPARATORS)('is escaped after the separator %j', (separator) => {
    for (const start of STARTS) {
      expect(escapeFormulas(`a${separator}${start}A1`)).toBe(`a${separator}'${start}A1`);
      expect(escapeFormulas(`a${separator} "${start}A1`)).toBe(`a${separator} "'${start}A1`);
    }
  });

  it.each([
    '-5',
    '+5',
    '-5.25',
    '5',
    '0.5',
    '-5\n-6',
    '-5;-6',
    '2026-01-31',
    'a-b',
    'a=b',
    'x@example.test',
    '',
    "it's",
  ])('is unchanged: %j', (text) => expect(escapeFormulas(text)).toBe(text));

  it.each([
    ['-5+cmd', "'-5+cmd"],
    ['-5;=A1', "-5;'=A1"],
    ['-', "'-"],
    ['+49 30 123', "'+49 30 123"],
    ["'=A1", "''=A1"],
    ["'-5", "''-5"],
  ])('%j becomes %j', (text, cell) => expect(escapeFormulas(text)).toBe(cell));

  it('has no formula after any separator, and is parsed to the original text', () => {
    const characters = fc.constantFrom(...STARTS, ...SEPARATORS, "'", "'", '"', ' ', '5', '.', 'a', '\u00a0');
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 12 }), (text) => {
        const cell = escapeFormulas(text);
        expect(unescapeFormulas(cell)).toBe(text);
        for (const part of cell.split(/[,;|\t\r\n\v\f\u0085\u060c\u061b\u2028\u2029]/))
          expect(
            /^[ "\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(part) &&
              !/^[ "\u00a0]*[+-]\d+(\.\d+)?[ "]*$/.test(part),
          ).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });
});
