import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasLongMarks, normalize, shortenMarks } from '../../src/lib/text/normalize.ts';

const marks = (count: number) => `a${'\u0315\u0316'.repeat(count / 2)}`;

it.each([
  ['', false],
  ['Ångström', false],
  ['क्षत्रिय', false],
  [marks(30), false],
  [marks(32), true],
  [`x${marks(32)}`, true],
])('detects whether %j has more combining marks in a row than any script', (text, long) =>
  expect(hasLongMarks(text)).toBe(long));

it.each(['NFC', 'NFKC', 'NFKD'] as const)('normalizes ordinary text as %s does', (form) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!hasLongMarks(text));
      expect(normalize(text, form)).toBe(text.normalize(form));
    }),
  );
});

it('counts the first 30 of a run of marks', () =>
  expect(normalize(`${marks(100_000)} b${marks(40)}`, 'NFC')).toBe(
    `${marks(30)} b${marks(30)}`.normalize('NFC'),
  ));

it('finds a run of marks at any position, also of marks outside the basic plane', () => {
  const astral = '\u{1d165}'.repeat(31);
  for (let before = 0; before < 70; before++) {
    const text = `${'x'.repeat(before)}${marks(32).slice(1)} `;
    expect([hasLongMarks(text.repeat(2)), shortenMarks(text).length]).toEqual([true, before + 31]);
    expect(hasLongMarks('x'.repeat(before) + astral)).toBe(true);
  }
});
