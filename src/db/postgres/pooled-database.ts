import type pg from 'pg';
import type { FairSlots } from '../../lib/fair-slots.ts';
import type { Database, StatementListener } from '../database.ts';
import { PgPrisma } from './pg-prisma.ts';
import { PgReader } from './pg-reader.ts';
import { PgTransactions } from './pg-transaction.ts';

export interface PooledParts extends Pick<Database, 'kind' | 'keyVault' | 'notifications' | 'connections'> {
  pool: pg.Pool;
  /** Ids of the enum types. */
  enums: ReadonlySet<number>;
  /** For transactions of callers, by tenant. */
  transactionSlots: FairSlots;
  /** Whether another connection can cancel what runs on one. */
  cancels: boolean;
  onStatement?: StatementListener;
  /** Called when Prisma's client is closed. */
  close(): Promise<void>;
}

/** A database on the connections of a pool: a server's, or those of the embedded one. */
export function pooledDatabase({ pool, enums, transactionSlots, cancels, ...parts }: PooledParts): Database {
  const { onStatement, close, ...rest } = parts;
  const reader = new PgReader({ pool, enums, cancels, onStatement });
  const prisma = new PgPrisma(pool, onStatement);
  const transactions = new PgTransactions(pool, prisma, reader);
  const database: Database = {
    ...rest,
    work: { onDue: () => {} },
    prisma: prisma.client,
    ...reader.forCaller(),
    forCaller: (cancellation, meter) => ({
      ...database,
      ...reader.forCaller(cancellation, meter),
      transact: (work, limits) =>
        transactionSlots.run(cancellation.tenant ?? '', () => transactions.run(work, limits)),
      readByPrisma: (read) =>
        transactionSlots.run(cancellation.tenant ?? '', async () => read(await prisma.load())),
    }),
    transact: (work, limits) => transactions.run(work, limits),
    readByPrisma: async (read) => read(await prisma.load()),
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await prisma.close();
      await close();
    },
  };
  return database;
}

/** The ids of the schema's enum types, whose values are read as text. */
export async function readEnums(client: pg.ClientBase): Promise<Set<number>> {
  const { rows } = await client.query(`SELECT oid FROM pg_type WHERE typtype = 'e'`);
  return new Set(rows.map(({ oid }) => oid as number));
}
