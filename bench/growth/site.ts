import type { Hono } from 'hono';
import pino from 'pino';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { readConfig } from '../../src/config/config.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { createApp } from '../../src/http/server.ts';
import { testStorage } from '../../test/support/storage.ts';
import { numberOf, type PersonName } from './lists/list.ts';
import { id } from './shape.ts';
import { type Recorder, recordingStatements } from './statements.ts';

const config = readConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: 'http://docgraph.test', LIMITS: 'off' });

export interface Call {
  query: string;
  variables?: Record<string, unknown>;
}

/** Something that is measured in each shape. `prepare` reads what it needs, and returns the request of each repetition. */
export interface Operation {
  name: string;
  as: PersonName;
  prepare: (site: Site) => Promise<(repetition: number) => Call>;
}

/** What PostgreSQL has read since the database was created: blocks, and rows and entries of indexes. */
export interface Reads {
  blocks: number;
  rows: number;
}

/** The product on one database, in this process. */
export interface Site {
  url: string;
  recorder: Recorder;
  /** The data of an answer. Throws where it has errors. */
  answer: (as: PersonName, query: string, variables?: Record<string, unknown>) => Promise<unknown>;
  reads: () => Promise<Reads>;
  close: () => Promise<void>;
}

const READS = sql`SELECT (blks_hit + blks_read)::float AS blocks, (tup_returned + tup_fetched)::float AS rows
  FROM pg_stat_database WHERE datname = current_database()`;

/** With a single connection, so that it reports what it has read before it is asked. */
export async function openSite(url: string): Promise<Site> {
  const opened = await openPostgres({ url, pool: 1, statementTimeout: 10_000 });
  const recorder = recordingStatements(opened);
  const { db } = recorder;
  const app: Hono = createApp({ config, db, storage: await testStorage(db), log: pino({ level: 'silent' }) });
  const keys = new Map<PersonName, Promise<{ secret: string }>>();
  const keyOf = (as: PersonName) => {
    const key =
      keys.get(as) ??
      issueApiKey(db.prisma, { userId: id('usr', numberOf(as)), name: 'growth', scopes: ['read', 'write'] });
    keys.set(as, key);
    return key;
  };
  return {
    url,
    recorder,
    async answer(as, query, variables) {
      const { secret } = await keyOf(as);
      const response = await app.request('/graphql', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await response.json()) as { data: unknown; errors?: { message: string }[] };
      if (errors) throw new Error(`${errors[0]?.message}: ${query} ${JSON.stringify(variables ?? {})}`);
      return data;
    },
    async reads() {
      await opened.query(sql`SELECT pg_stat_force_next_flush()::text`);
      const [row] = await opened.query<Reads>(READS);
      return row ?? { blocks: 0, rows: 0 };
    },
    close: () => opened.close(),
  };
}
