import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBytes } from '../../src/lib/json-bytes.ts';

/** What is written from the smallest beginning. */
function written(write: (json: JsonBytes) => void): string {
  const json = new JsonBytes(1);
  write(json);
  return Buffer.from(json.finish()).toString();
}

const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

describe('JSON in bytes', () => {
  it('has every value as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(written((json) => json.value(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('has null for what JSON leaves out', () => {
    expect(written((json) => json.value(undefined))).toBe('null');
  });

  it('has text that is there as UTF-8 as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(texts, texts, (text, before) => {
        const source = Buffer.from(before + text);
        const from = Buffer.byteLength(before);
        expect(written((json) => json.utf8(source, from, source.length))).toBe(JSON.stringify(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('has numbers with as many digits as asked for', () => {
    const write = (json: JsonBytes) => {
      json.digits(7, 2, ':');
      json.digits(59, 2, '.');
      json.digits(0, 3, 'Z');
    };
    expect(written(write)).toBe('07:59.000Z');
  });

  it('goes on where it is put back to, and takes parts of another', () => {
    const other = new JsonBytes(8);
    other.ascii('0123456789');
    const write = (json: JsonBytes) => {
      json.ascii('[1');
      const before = json.length;
      json.raw(Buffer.from(',2,3'));
      json.truncate(before);
      json.copy(other, 4, 7);
      json.ascii(']');
    };
    expect(written(write)).toBe('[1456]');
  });
});
