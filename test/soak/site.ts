import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../../src/db/database.ts';
import { openPglite } from '../../src/db/pglite/pglite.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { type ServerProcess, start } from '../support/servers/processes.ts';
import { newWorld } from '../support/world.ts';

/** What `npm run build` made, which starts faster than the sources; SOAK_PROGRAM names that of another state of them. */
export const BUILT = [process.env.SOAK_PROGRAM ?? 'dist/src/main.js'];

/** All load comes with one credential from one network. */
const QUIET = { LOG_LEVEL: 'warn', REQUESTS_PER_MINUTE: '0', REQUESTS_PER_MINUTE_ADDRESS: '0' };

/** A database with an organization in it, and how to serve it. */
export interface Site {
  organizationId: string;
  projectId: string;
  key: string;
  /** Of the server database; undefined for the embedded one. */
  databaseUrl: string | undefined;
  serve(port: number, env?: Record<string, string>, program?: string[]): Promise<ServerProcess>;
  /** Opens the database itself, once nobody serves it. */
  look<Result>(read: (db: Database) => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

async function query(server: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** On the server that is named, in a database of its own, or embedded. */
export async function newSite(server?: string): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'docgraph-site-'));
  const name = `docgraph_soak_${randomBytes(5).toString('hex')}`;
  if (server) await query(server, `CREATE DATABASE ${name}`);
  const databaseUrl = server && Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const open = (dump?: string): Promise<Database> =>
    databaseUrl
      ? openPostgres({ url: databaseUrl, pool: 3, statementTimeout: 30_000 })
      : openPglite({ folder: join(folder, 'pg'), dump });
  const use = async <Result>(db: Database, read: (db: Database) => Promise<Result>) =>
    read(db).finally(() => db.close());
  const look: Site['look'] = async (read) => use(await open(), read);
  const { organization, project, owner } = await use(await open(process.env.TEST_DATABASE_DUMP), newWorld);
  return {
    organizationId: organization.id,
    projectId: project.id,
    key: owner.key,
    databaseUrl,
    serve: (port, env = {}, program) =>
      start(port, { ...QUIET, DATABASE_URL: databaseUrl ?? '', DATA_DIR: folder, ...env }, program),
    look,
    async remove() {
      if (server) await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
