import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { StatementListener } from '../database.ts';

/** What Prisma's adapter uses of a connection. */
export interface QueryConnection {
  query(...args: unknown[]): Promise<unknown>;
}

export interface ClientOfPool {
  client: PrismaClient;
  /** Its `nextConnection` gets the next transaction. */
  adapter: ExternalTransactionAdapter;
}

/** Creates Prisma's client on the connections of a pool; it reports each statement to `onStatement`, if set. */
export function createPrismaClient(pool: pg.Pool, onStatement: StatementListener | undefined): ClientOfPool {
  const adapter = new ExternalTransactionAdapter(pool);
  if (!onStatement) return { adapter, client: new PrismaClient({ adapter }) };
  const client = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  client.$on('query', (event: Prisma.QueryEvent) => onStatement(event.query));
  return { adapter, client: client as PrismaClient };
}

/**
 * Runs Prisma's transaction on `nextConnection`, which the caller sets before. Uses private parts of Prisma's adapter,
 * which test/db/postgres/private-parts.test.ts checks.
 */
class ExternalTransactionAdapter extends PrismaPg {
  nextConnection: QueryConnection | undefined;

  override async connect() {
    const adapter = await super.connect();
    adapter.startTransaction = async () => {
      const client = this.nextConnection;
      this.nextConnection = undefined;
      if (!client) throw new Error('Only inTransaction begins a transaction.');
      return Object.assign(Object.create(adapter), {
        client,
        options: { usePhantomQuery: true },
        commit: async () => {},
        rollback: async () => {},
      });
    };
    return adapter;
  }
}
