import { describe, expect, it } from 'vitest';
import type { Reader } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { Cancellation } from '../../src/lib/cancellation.ts';
import { testDatabase } from '../support/database.ts';

const LIMIT = 2 ** 20;

/** Both readers of a caller who may read 1 MiB, and the bytes that were counted. */
async function setUp() {
  const db = await testDatabase();
  const counted = { bytes: 0 };
  const caller = db.forCaller(new Cancellation('org'), (bytes) => {
    if (counted.bytes + bytes > LIMIT) throw new Error('too many rows');
    counted.bytes += bytes;
  });
  return { readers: [caller, caller.pipelined], counted };
}

const read = (reader: Reader, rows: number) =>
  reader.query<{ text: string }>(
    sql`SELECT repeat('x', 10000) AS text FROM generate_series(1, ${rows}::int)`,
  );

describe('the rows that a caller reads', () => {
  it('are counted with their size, each statement and each reader', async () => {
    const { readers, counted } = await setUp();
    for (const reader of readers) expect(await read(reader, 20)).toHaveLength(20);
    for (const reader of readers) expect(await read(reader, 1)).toHaveLength(1);
    expect(counted.bytes).toBeGreaterThan(420_000);
    expect(counted.bytes).toBeLessThan(425_000);
  });

  it('end their statement with the error of the meter, and the connection goes on', async () => {
    const { readers } = await setUp();
    for (const reader of readers) {
      await expect(read(reader, 1_000)).rejects.toThrow('too many rows');
      const [large, small] = await Promise.allSettled([read(reader, 1_000), read(reader, 2)]);
      expect([large.status, small.status]).toEqual(['rejected', 'fulfilled']);
    }
  });
});
