import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Models, StatementListener } from '../database.ts';
import { createPrismaClient } from '../prisma-client.ts';

/** What Prisma's adapter uses of a connection. */
export interface QueryConnection {
  query(...args: unknown[]): Promise<unknown>;
}

/** The longest delay of a timer, in milliseconds: some 24 days. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * Prisma's client on the connections of a pool. It neither begins nor ends transactions: the caller does that on a
 * connection of its own, and Prisma's transaction takes part in it.
 */
export class PgPrisma {
  readonly client: PrismaClient;
  readonly #adapter: ExternalTransactionAdapter;
  #lastBegin: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool, onStatement: StatementListener | undefined) {
    this.#adapter = new ExternalTransactionAdapter(pool);
    this.client = createPrismaClient(this.#adapter, onStatement);
  }

  /** Models whose operations run on this connection until `end` resolves. Costs nothing if no operation is called. */
  on(connection: QueryConnection, end: Promise<void>): Models {
    let client: Promise<Models> | undefined;
    return lazyModels(() => {
      client ??= this.#beginAfterOthers(connection, end);
      return client;
    });
  }

  /** One at a time, so that each transaction of Prisma gets the connection that is meant for it. */
  #beginAfterOthers(connection: QueryConnection, end: Promise<void>): Promise<Models> {
    const begun = this.#lastBegin.then(() => this.#begin(connection, end));
    this.#lastBegin = begun.catch(() => {});
    return begun;
  }

  #begin(connection: QueryConnection, end: Promise<void>): Promise<Models> {
    this.#adapter.nextConnection = connection;
    return new Promise((resolve, reject) => {
      const runUntilEnd = (client: Models) => {
        resolve(client);
        return end;
      };
      this.client.$transaction(runUntilEnd, { timeout: MAX_TIMEOUT, maxWait: MAX_TIMEOUT }).catch(reject);
    });
  }
}

type Operations = Record<string, (args: unknown) => unknown>;

/** Models that call `connect` at their first operation. */
const lazyModels = (connect: () => Promise<Models>): Models =>
  new Proxy({} as Models, {
    get: (_, model) =>
      new Proxy({} as Operations, {
        get: (_, operation: string) => async (args: unknown) => {
          const client = (await connect()) as unknown as Record<string | symbol, Operations>;
          return client[model]?.[operation]?.(args);
        },
      }),
  });

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
