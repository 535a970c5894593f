import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { newId } from '../../src/lib/id.ts';
import { testDatabase } from '../support/database.ts';

/** Each block holds a line of "Where the two databases differ" in docs/internals/postgres.md, on the database of this run. */
let db: Database;

beforeAll(async () => {
  db = await testDatabase();
});

const isServer = () => db.kind === 'postgres';
const one = async (statement: Sql) =>
  Object.values((await db.query<Record<string, unknown>>(statement))[0] ?? {})[0];
const codeOf = (statement: Sql) =>
  db.query(statement).then(
    () => 'none',
    ({ code }: { code: string }) => code,
  );

describe('both databases', () => {
  it.each([
    ["'1.50'::numeric", '1.50'],
    ["'{1,2}'::int4[]", [1, 2]],
    ["'{1.5}'::float8[]", [1.5]],
    ["'{t,f}'::bool[]", [true, false]],
    ["'{2026-01-01T00:00:00Z}'::timestamptz[]", [new Date('2026-01-01T00:00:00Z')]],
    ["'{read,write}'::scope[]::text[]", ['read', 'write']],
    ["'{read,write}'::scope[]", '{read,write}'],
    ["decode('00ff', 'hex')", Buffer.from([0, 255])],
    [`'{"n": 1.10, "n2": 1e3}'::jsonb`, { n: 1.1, n2: 1000 }],
    ["'12345-01-01T00:00:00Z'::timestamptz", new Date('+012345-01-01T00:00:00Z')],
    ["'12:00'::time", '12:00:00'],
  ])('return %s as the same value, in text and in binary', async (text, value) => {
    for (let time = 0; time < 4; time++) expect(await one(sql`SELECT ${sql.raw(text)} AS x`)).toEqual(value);
  });

  it.each([
    ['a division by zero', sql`SELECT 1 / 0`, '22012'],
    ['a text that is no number', sql`SELECT 'x'::int`, '22P02'],
    ['a text that is no value of an enum', sql`SELECT 'X'::scope`, '22P02'],
    ['a text with NUL', sql`SELECT ${'a\0'}::text`, '22021'],
    ['a table that does not exist', sql`SELECT FROM nowhere`, '42P01'],
    ['a name that is too long for the memory', sql`SELECT repeat('x', 1100000000)`, '54000'],
    [
      'a foreign key',
      sql`INSERT INTO sign_ins (id, secret_hash, user_id, user_agent, ip_address, expires_at)
        VALUES ('none', '\\x00', 'none', '', '', now())`,
      '23503',
    ],
    ['a missing value', sql`INSERT INTO users (id) VALUES ('none')`, '23502'],
    ['a function without such a parameter', sql`SELECT lower(1, 2)`, '42883'],
  ])('report %s with the same SQLSTATE', async (_, statement, code) => {
    expect(await codeOf(statement)).toBe(code);
  });

  it('order text of the tables by bytes, whatever the collation of the server', async () => {
    const columns = await db.query<{ name: string }>(sql`SELECT c.table_name || '.' || c.column_name AS name
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'text'
        AND t.table_name <> '_prisma_migrations' AND c.collation_name IS DISTINCT FROM 'C'`);
    expect(columns.map(({ name }) => name)).toEqual([]);
  });

  it('match and fold text outside of ASCII', async () => {
    expect(
      await one(
        sql`SELECT ARRAY[lower('ÄÉΣ'), ('Ä' ILIKE 'ä')::text, ('a_b' LIKE 'a\\_b')::text, ('axb' LIKE 'a\\_b')::text]`,
      ),
    ).toEqual(['äéσ', 'true', 'true', 'false']);
  });

  it('split text into the same words and trigrams', async () => {
    expect(await one(sql`SELECT to_tsvector('simple', 'Größe foo-bar a@b.de')::text`)).toBe(
      "'a@b.de':5 'bar':4 'foo':3 'foo-bar':2 'größe':1",
    );
    expect(await one(sql`SELECT similarity('hallo', 'hello')::text`)).toBe('0.33333334');
  });

  it('run at READ COMMITTED in UTC, with the same settings of the planner', async () => {
    const names = [
      'TimeZone',
      'default_transaction_isolation',
      'DateStyle',
      'server_encoding',
      'enable_seqscan',
    ];
    const settings = await db.query<{ setting: string }>(
      sql`SELECT setting FROM pg_settings WHERE name = ANY(${names}) ORDER BY name`,
    );
    expect(settings.map(({ setting }) => setting).sort()).toEqual(
      ['ISO, MDY', 'UTC', 'UTF8', 'off', 'read committed'].sort(),
    );
  });

  it('take 65,535 values in a statement, and more in an array only', async () => {
    const numbers = Array.from({ length: 70_000 }, (_, index) => index);
    const separately = (count: number) =>
      sql`SELECT ${count - 1} IN (${sql.join(numbers.slice(1, count).map((each) => sql`${each}::int`))})`;
    expect(await one(separately(65_535))).toBe(true);
    await expect(one(separately(65_536))).rejects.toThrow();
    expect(await one(sql`SELECT 1`)).toBe(1);
    expect(await one(sql`SELECT count(*)::int FROM unnest(${numbers}::int[])`)).toBe(70_000);
  });

  it('wake those who wait in this process, for the organization that has something new', async () => {
    const woken: (string | undefined)[] = [];
    const end = db.notifications.subscribe((organizationId) => woken.push(organizationId));
    await inTransaction(db, async (tx) => {
      tx.announce('org_of_this_test');
      expect(woken).not.toContain('org_of_this_test');
    });
    end();
    expect(woken).toContain('org_of_this_test');
  });
});

describe('the databases differ', () => {
  it('in the resolution of the clock: the embedded one has milliseconds', async () => {
    const read = () => one(sql`SELECT (extract(microseconds FROM clock_timestamp())::bigint % 1000)::int`);
    const rests = new Set<unknown>();
    for (let time = 0; time < 20; time++) rests.add(await read());
    if (isServer()) expect(rests.size).toBeGreaterThan(1);
    else expect([...rests]).toEqual([0]);
  });

  it('in the limit of a statement: the server has a timeout, the embedded one none of its own', async () => {
    const [timeout] = await db.query<{ statementTimeout: string }>(sql`SHOW statement_timeout`);
    expect(timeout?.statementTimeout).toBe(isServer() ? '1min' : '0');
  });

  it('in the capital of ß, which no rule depends on', async () => {
    expect(['ß', 'ẞ', 'SS']).toContain(await one(sql`SELECT upper('ß')`));
  });

  it('in what a transaction sees of others: on the embedded one, they wait until it ends', async () => {
    const id = newId('User');
    const found = () => db.prisma.user.count({ where: { id } });
    let writing: Promise<unknown> = Promise.resolve();
    const seen = await inTransaction(db, async (tx) => {
      await tx.query(sql`SELECT 1`);
      writing = db.prisma.user.create({ data: { id, email: `${id}@example.test`, name: 'Other' } });
      if (isServer()) await writing;
      return tx.prisma.user.count({ where: { id } });
    });
    await writing;
    expect([seen, await found()]).toEqual([isServer() ? 1 : 0, 1]);
  });

  it('in the number of sessions: the embedded one has a single one', async () => {
    const pids = await Promise.all(
      Array.from({ length: 20 }, () => one(sql`SELECT pg_backend_pid() FROM pg_sleep(0.01)`)),
    );
    if (isServer()) expect(new Set(pids).size).toBeGreaterThan(1);
    else expect(new Set(pids).size).toBe(1);
  });
});
