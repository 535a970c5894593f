import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PGlite } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/db/pglite/protocol.js';

const MIB = 2 ** 20;

let pglite: PGlite;
let run: (messages: Uint8Array) => Uint8Array;

function query(text: string): Buffer {
  const { buffer, byteOffset, byteLength } = run(serialize.query(text));
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Types of the messages in an answer. */
function typesOf(answer: Buffer): string {
  let types = '';
  for (let at = 0; at < answer.length; at += 1 + answer.readUInt32BE(at + 1))
    types += String.fromCharCode(answer[at] as number);
  return types;
}

/** Bytes of live objects. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe.skipIf(process.env.TEST_DATABASE_URL)('the protocol of the embedded database', () => {
  beforeAll(async () => {
    pglite = await PGlite.create();
    run = protocolOf(pglite);
  });

  afterAll(() => pglite.close());

  it('returns an answer longer than its buffer as a whole, and the next one', () => {
    const answers = [query(`SELECT repeat('x', ${3 * MIB})`), query('SELECT 1')];
    expect(answers.map(typesOf)).toEqual(['TDCZ', 'TDCZ']);
    expect(answers[0]?.indexOf('x'.repeat(3 * MIB))).toBeGreaterThan(0);
  });

  it('returns an answer of its own each time', () => {
    const [first] = [query(`SELECT 'first'`), query(`SELECT 'other'`)];
    expect(first?.includes('first')).toBe(true);
    expect(first?.byteLength).toBe(first?.buffer.byteLength);
  });

  it('answers a statement after one that failed', () => {
    expect([query('SELECT 1/0'), query('SELECT 1')].map(typesOf)).toEqual(['EZ', 'TDCZ']);
  });

  it('keeps no rows of the answers', () => {
    const answer = () =>
      query('SELECT number, repeat(number::text, 10) FROM generate_series(1, 10000) number');
    answer();
    const before = heapUsed();
    for (let turn = 0; turn < 20; turn++) answer();
    expect(heapUsed() - before).toBeLessThan(MIB);
  });
});
