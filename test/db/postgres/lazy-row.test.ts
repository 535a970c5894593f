import { describe, expect, it } from 'vitest';
import type { Read } from '../../../src/db/postgres/binary.ts';
import { lazyRows } from '../../../src/db/postgres/lazy-row.ts';

/** A row with one text, and how often it was decoded. */
function rowOf(text: string) {
  let decoded = 0;
  const read: Read = (bytes, from, to) => {
    decoded++;
    return bytes.toString('utf8', from, to);
  };
  const value = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeInt32BE(value.length);
  const Row = lazyRows([{ name: 'text', opens: false, read }]);
  const row = new Row(Buffer.concat([length, value]), 0) as { text: string };
  return { row, decoded: () => decoded };
}

describe('a row that decodes its values when they are read', () => {
  it('decodes a long text once, however often a response has it', () => {
    const text = 'é'.repeat(500);
    const { row, decoded } = rowOf(text);
    expect([decoded(), row.text, row.text, row.text, decoded()]).toEqual([0, text, text, text, 1]);
  });

  it('keeps no short text', () => {
    const { row, decoded } = rowOf('short');
    expect([row.text, row.text, decoded()]).toEqual(['short', 'short', 2]);
  });
});
