import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Names the databases of this run, and drops them all at its end, whatever became of the workers. */
export default function setup(): (() => Promise<void>) | undefined {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) return undefined;
  const prefix = `docgraph_test_${randomBytes(6).toString('hex')}`;
  process.env.TEST_DATABASE_PREFIX = prefix;
  return async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      prefix,
    ]);
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
    await client.end();
  };
}
