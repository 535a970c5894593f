import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql/sql.ts';
import { type Form, JsonBytes, type Member, UNREAD, type Unread } from '../../../src/lib/json-bytes.ts';
import { newDatabase } from '../../support/database.ts';

let db: Database;

/** From the third time on a text is named, and from the second time with its name on a connection, it answers in binary. */
const OFTEN = 8;

/** The rows as they are once they come in binary. */
async function unread(statement: Sql): Promise<Partial<Unread>[]> {
  let rows: Partial<Unread>[] = [];
  for (let time = 0; time < OFTEN; time++) rows = await db.pipelined.query(statement);
  return rows;
}

const member = (name: string, form: Form, nullable = false): Member => ({ key: name, name, form, nullable });

/** What is written of a row, or whether that is refused; undefined of a row that has to be read. */
function writing(row: Partial<Unread> | undefined, members: readonly Member[]): string | false | undefined {
  const write = row?.[UNREAD]?.writerOf(members);
  const json = new JsonBytes(1);
  json.ascii('[');
  const done = write?.(row as object, json);
  const text = Buffer.from(json.finish()).toString();
  if (done === false) expect(text).toBe('[');
  return done && text.slice(1);
}

/** Rows of the embedded database never come in binary; on a server, a database of its own has names left for statements. */
describe.runIf(process.env.TEST_DATABASE_URL)('a row that is written unread', () => {
  beforeAll(async () => {
    db = await newDatabase();
  });

  afterAll(() => db.close());

  it('has its members by their keys, in the order asked for, whatever else is in it', async () => {
    const [row] =
      await unread(sql`SELECT 1::int4 AS a, NULL::text AS other_text, 'ü"' AS some_text, true AS flag,
      7::int8 AS size, '2026-03-04T09:15:27.402Z'::timestamptz AS at, NULL::int4 AS none`);
    const members: Member[] = [
      { ...member('someText', 'TEXT'), key: 'alias' },
      member('flag', 'BOOLEAN'),
      member('none', 'INTEGER', true),
      member('at', 'INSTANT'),
      member('size', 'BIG_INTEGER'),
      member('a', 'INTEGER'),
    ];
    expect(writing(row, members)).toBe(
      '"alias":"ü\\"","flag":true,"none":null,"at":"2026-03-04T09:15:27.402Z","size":7,"a":1',
    );
  });

  it('is written without the rows within it, which are written by themselves', async () => {
    const rows = (await unread(sql`SELECT r.id, "+inner".* FROM (VALUES ('a'), ('b')) r(id)
      LEFT JOIN LATERAL (SELECT true AS "+inner", 'in ' || r.id AS id WHERE r.id = 'b') "+inner" ON true ORDER BY 1`)) as Record<
      string,
      Partial<Unread>
    >[];
    const id = [member('id', 'TEXT')];
    expect(rows.map((row) => writing(row as Partial<Unread>, id))).toEqual(['"id":"a"', '"id":"b"']);
    expect(rows.map((row) => row['+inner'] && writing(row['+inner'], id))).toEqual([null, '"id":"in b"']);
    expect(writing(rows[0] as Partial<Unread>, [member('+inner', 'BOOLEAN')])).toBeUndefined();
  });

  it('has the JSON of what it would be read as', async () => {
    const rows = fc.sample(
      fc.record({
        text: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
        whole: fc.integer(),
        large: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        yes: fc.boolean(),
        at: fc.date({ min: new Date('-004000-01-01'), noInvalidDate: true }),
      }),
      { numRuns: 500 },
    );
    const found = await unread(sql`SELECT * FROM jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({ ...row, large: String(row.large), at: row.at.getTime() })),
    )}::jsonb) AS x(text text, whole int4, large int8, yes boolean, at float8)
      CROSS JOIN LATERAL (SELECT to_timestamp(x.at / 1000) AS instant) y`);
    const members = [
      member('text', 'TEXT'),
      member('whole', 'INTEGER'),
      member('large', 'BIG_INTEGER'),
      member('yes', 'BOOLEAN'),
      member('instant', 'INSTANT'),
    ];
    for (const row of found) {
      const { text, whole, large, yes, instant } = row as Record<string, unknown>;
      const read = { text, whole, large: Number(large), yes, instant };
      expect(`{${writing(row, members)}}`).toBe(JSON.stringify(read));
    }
    expect(found).toHaveLength(500);
  });

  it('is refused, with nothing written, where a value has no such JSON', async () => {
    const [row] = await unread(sql`SELECT 'x' AS text, NULL::text AS none, 'infinity'::timestamptz AS never`);
    expect(writing(row, [member('text', 'TEXT'), member('none', 'TEXT')])).toBe(false);
    expect(writing(row, [member('text', 'TEXT'), member('never', 'INSTANT')])).toBe(false);
    expect(writing(row, [member('text', 'TEXT'), member('none', 'TEXT', true)])).toBe(
      '"text":"x","none":null',
    );
  });

  it('is not to be had where a column is missing, or of another form', async () => {
    const [row] = await unread(sql`SELECT 'x' AS text, 0.5::float8 AS part`);
    expect(row?.[UNREAD]?.writerOf([member('gone', 'TEXT')])).toBeUndefined();
    expect(row?.[UNREAD]?.writerOf([member('text', 'INTEGER')])).toBeUndefined();
    expect(row?.[UNREAD]?.writerOf([member('part', 'INTEGER')])).toBeUndefined();
  });
});
