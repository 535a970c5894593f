import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten } from '../../src/lib/text/shorten.js';

const FAMILY = '👨‍👩‍👧‍👦';

describe('a text that is shortened', () => {
  it('stays as it is if it is short enough, counted in code points', () => {
    expect(shorten('a'.repeat(10), 10)).toBe('a'.repeat(10));
    expect(shorten('😀'.repeat(10), 10, '…')).toBe('😀'.repeat(10));
    expect(shorten('', 0)).toBe('');
  });

  it.each([
    ['a pair of surrogates', '😀'],
    ['an emoji of several', FAMILY],
    ['a flag', '🇳🇴'],
    ['a letter with a mark', 'e\u0301'],
    ['a syllable of Hangul', '\u1112\u1161\u11ab'],
    ['a line break', '\r\n'],
  ])('is never cut within %s', (_, character) => {
    const text = `${'a'.repeat(199)}${character}b`;
    expect(shorten(text, 200)).toBe(
      [...character].length === 1 ? `${'a'.repeat(199)}${character}` : 'a'.repeat(199),
    );
    expect(shorten(text, 200, '…')).toBe(`${'a'.repeat(199)}…`);
  });

  it('is cut within a character that alone is longer', () => {
    expect(shorten(`e${'\u0301'.repeat(100)}`, 5)).toBe(`e${'\u0301'.repeat(4)}`);
  });

  it('is well-formed and not longer than allowed, whatever it was', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.nat(20),
        fc.constantFrom('', '…'),
        (text, max, ending) => {
          const short = shorten(text, max + 1, ending);
          expect(short.isWellFormed()).toBe(true);
          expect([...short].length).toBeLessThanOrEqual(max + 1);
          expect(
            short === text.toWellFormed() ||
              text.toWellFormed().startsWith(short.slice(0, short.length - ending.length)),
          ).toBe(true);
        },
      ),
    );
  });
});
