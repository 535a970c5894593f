import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnusable } from '../../../src/db/database.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';

const { TEST_DATABASE_URL } = process.env;

describe.runIf(TEST_DATABASE_URL)('a role without the right to create', () => {
  const name = `docgraph_rights_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client({ connectionString: TEST_DATABASE_URL });
  const urlOf = (user: string) => {
    const url = new URL(TEST_DATABASE_URL as string);
    return Object.assign(url, { username: user, password: 'secret', pathname: name }).href;
  };

  beforeAll(async () => {
    await server.connect();
    await server.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    await server.query(`CREATE DATABASE ${name}`);
  });
  afterAll(async () => {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.query(`DROP ROLE ${name}`);
    await server.end();
  });

  const open = () => openPostgres({ url: urlOf(name), pool: 1, statementTimeout: 60_000 });

  it('gets an error with the SQL that grants it, with which it starts', async () => {
    const error = await open().then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(DatabaseUnusable);
    const [, sql = ''] = /run in this database: (.*)$/.exec(error.message) ?? [];
    expect(sql).toContain(`GRANT CREATE ON DATABASE "${name}" TO "${name}"`);
    const here = new URL(TEST_DATABASE_URL as string);
    here.pathname = name;
    const administrator = new pg.Client({ connectionString: here.href });
    await administrator.connect();
    await administrator.query(sql);
    await administrator.end();
    await (await open()).close();
  });
});
