import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from '../../src/lib/json-pieces.ts';
import { inSlices } from '../../src/lib/slices.ts';
import { textStream } from '../../src/lib/text/text-stream.ts';

const PIECE = 2 ** 16;

describe('JSON in pieces', () => {
  it('is the text of JSON.stringify', () => {
    const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 });
    fc.assert(fc.property(json, (value) => [...jsonPieces(value)].join('') === JSON.stringify(value)));
  });

  it('leaves out members without a value, and calls toJSON of what has one', () => {
    const value = {
      at: new Date(0),
      none: undefined,
      list: [undefined, { none: undefined, deep: [{ toJSON: () => 'as text' }] }],
      toJSON: 'a name that a client chose',
      ['__proto__']: [{}],
    };
    expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
  });

  it('has no piece that is much longer than the longest string in it', () => {
    const rows = Array.from({ length: 40 }, () => ({ nodes: Array(40).fill({ text: 'x'.repeat(9_900) }) }));
    const lengths = [...jsonPieces({ data: rows })].map(({ length }) => length);
    expect(lengths.length).toBeGreaterThan(200);
    expect(Math.max(...lengths)).toBeLessThan(PIECE + 10_000);
  });
});

describe('a stream of text', () => {
  it('makes each piece when it is read', async () => {
    let count = 0;
    function* pieces() {
      for (; count < 100; ) yield `é${count++}`;
    }
    const reader = textStream(inSlices(pieces())).getReader();
    const decoded = async () => new TextDecoder().decode((await reader.read()).value);
    expect([await decoded(), await decoded(), count]).toEqual(['é0', 'é1', 2]);
  });

  it('ends what makes its pieces when the reader goes away', async () => {
    let ended = false;
    async function* pieces() {
      try {
        for (;;) yield 'text';
      } finally {
        ended = true;
      }
    }
    const reader = textStream(pieces()).getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(true);
  });
});
