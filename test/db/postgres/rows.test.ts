import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql/sql.ts';
import { testDatabase } from '../../support/database.ts';

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
});

/** From the third time on a text is named, and from the second time with its name on a connection, it answers in binary. */
const OFTEN = 6;

/** All that came back is the same, however it came: as its members, since lazy rows have none of their own. */
async function always(statement: Sql, members: readonly string[]): Promise<unknown[]> {
  const answers: unknown[][][] = [];
  for (const reader of [db, db.pipelined])
    for (let time = 0; time < OFTEN; time++) {
      const rows = await reader.query<Record<string, unknown>>(statement);
      answers.push(rows.map((row) => members.map((member) => row[member])));
    }
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  return (answers[0] as unknown[][]).map((row) => (row.length === 1 ? row[0] : row));
}

const one = async (text: string): Promise<unknown> => {
  const [value] = await always(sql`SELECT ${sql.raw(text)} AS its_value`, ['itsValue']);
  return value;
};

describe('a row', () => {
  it('has the value of the last of several columns with the same name', async () => {
    expect(await always(sql`SELECT 1 AS its_value, 2 AS its_value`, ['itsValue'])).toEqual([2]);
  });

  it.each([
    ["'Größe 🎉'::text", 'Größe 🎉'],
    ["''::text", ''],
    ['NULL::text', null],
    ["'x'::varchar", 'x'],
    ['true', true],
    ['false', false],
    ["'-7'::int2", -7],
    ["'-2147483648'::int4", -2147483648],
    ['9223372036854775807::int8', 9223372036854775807n],
    ["'-9007199254740993'::int8", -9007199254740993n],
    ['0.1::float8', 0.1],
    ["'-Infinity'::float8", Number.NEGATIVE_INFINITY],
    ["'2026-03-04T09:15:27.402Z'::timestamptz", new Date('2026-03-04T09:15:27.402Z')],
    ["'1969-12-31T23:59:59.999Z'::timestamptz", new Date('1969-12-31T23:59:59.999Z')],
    ["'1999-12-31T23:59:59.001Z'::timestamptz", new Date('1999-12-31T23:59:59.001Z')],
    [`'{"a": [1, "ü", null]}'::jsonb`, { a: [1, 'ü', null] }],
    [`'{"a": [1, "ü", null]}'::json`, { a: [1, 'ü', null] }],
    ["'null'::jsonb", null],
    ["'{}'::text[]", []],
    [`'{a,NULL,"",ü,"x,y"}'::text[]`, ['a', null, '', 'ü', 'x,y']],
    ["'RECYCLED'::document_state", 'RECYCLED'],
  ])('has the same value however it comes: %s', async (text, value) => {
    expect(await one(text)).toEqual(value);
  });

  it('owns its bytes', async () => {
    const statement = sql`SELECT decode('00ff10', 'hex') AS bytes FROM generate_series(1, 2)`;
    for (let time = 0; time < OFTEN; time++) {
      const [first, second] = await db.query<{ bytes: Uint8Array }>(statement);
      first?.bytes.fill(1);
      expect([...(second?.bytes ?? [])]).toEqual([0, 255, 16]);
    }
  });

  it('includes columns that have no binary format', async () => {
    const statement = sql`SELECT '1.50'::numeric AS a, 7::int4 AS b, '{read}'::scope[] AS c`;
    const [row] = await always(statement, ['a', 'b', 'c']);
    expect((row as unknown[])[1]).toBe(7);
  });

  it('is complete among thousands of rows, and with a large one among them', async () => {
    const statement = sql`SELECT n, repeat(chr(64 + n % 26), CASE WHEN n = 1500 THEN 300000 ELSE n % 300 END) AS text
      FROM generate_series(1, 3000) AS n`;
    const rows = (await always(statement, ['n', 'text'])) as [number, string][];
    expect(rows.map(([n, { length }]) => [n, length])).toEqual(
      Array.from({ length: 3000 }, (_, index) => [index + 1, index === 1499 ? 300_000 : (index + 1) % 300]),
    );
  });
});

describe('a connection', () => {
  it('answers the next statement after one that failed following some rows', async () => {
    const failing = () => db.query(sql`SELECT 100 / (50 - n) AS x FROM generate_series(1, 90) AS n`);
    for (let time = 0; time < OFTEN; time++) {
      await expect(failing()).rejects.toThrow(/division by zero/);
      expect(await db.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
      expect(await db.prisma.$queryRaw`SELECT 2 AS two`).toEqual([{ two: 2 }]);
    }
  });

  it('is shared with transactions, and each gets its own rows', async () => {
    const all = await Promise.all(
      Array.from({ length: 300 }, async (_, n) => [
        await db.query(sql`SELECT ${n}::int AS n, ${'x'.repeat(n)}::text AS x`),
        await db.prisma.$queryRaw`SELECT ${n}::int AS n`,
        await db.query(sql`INSERT INTO security_events SELECT FROM security_events WHERE false RETURNING id`),
      ]),
    );
    for (const [n, [read, ofPrisma, none]] of all.entries()) {
      expect(read).toEqual([{ n, x: 'x'.repeat(n) }]);
      expect(ofPrisma).toEqual([{ n }]);
      expect(none).toEqual([]);
    }
  });
});

describe('a nested row', () => {
  const statement = sql`SELECT r.id, r.n, "+inner_row".*, "+last".* FROM (VALUES ('a', 1), ('b', 2)) r(id, n)
    LEFT JOIN LATERAL (SELECT true AS "+inner_row", 'of a' AS id, r.n * 10 AS n WHERE r.n = 1) "+inner_row" ON true
    LEFT JOIN LATERAL (SELECT true AS "+last", r.n AS some_n, NULL::text AS id) "+last" ON true ORDER BY r.n`;

  type Row = Record<string, unknown> & Record<'+innerRow' | '+last', Record<string, unknown> | null>;

  it('has its own members, and is null without a match, in text and in binary', async () => {
    for (const reader of [db, db.pipelined])
      for (let time = 0; time < OFTEN; time++) {
        const rows = await reader.query<Row>(statement);
        expect(rows.map(({ id, n }) => [id, n])).toEqual([
          ['a', 1],
          ['b', 2],
        ]);
        const [first, second] = rows.map((row) => row['+innerRow']);
        expect([first?.id, first?.n, first?.someN, second]).toEqual(['of a', 10, undefined, null]);
        expect(rows.map((row) => [row['+last']?.someN, row['+last']?.id])).toEqual([
          [1, null],
          [2, null],
        ]);
      }
  });
});
