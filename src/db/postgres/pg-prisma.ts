import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Models, StatementListener } from '../database.ts';
import { createPrismaClient } from '../prisma-client.ts';

/** What Prisma asks of a connection. */
export interface QueryConnection {
  query(...asked: unknown[]): Promise<unknown>;
}

/** The longest that a timer can wait: some 24 days. */
const ENDLESS = 2 ** 31 - 1;

/**
 * Prisma's client on the connections of a pool. It neither begins transactions nor ends them: on a connection of its
 * choice the caller does, and Prisma takes part.
 */
export class PgPrisma {
  readonly client: PrismaClient;
  readonly #adapter: GuestAdapter;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool, onStatement: StatementListener | undefined) {
    this.#adapter = new GuestAdapter(pool);
    this.client = createPrismaClient(this.#adapter, onStatement);
  }

  /** A client for what is done on this connection until `end`. Not used, it costs nothing. */
  on(connection: QueryConnection, end: Promise<void>): Models {
    let client: Promise<Models> | undefined;
    return onceAsked(() => {
      client ??= this.#inTurn(connection, end);
      return client;
    });
  }

  /** One at a time, so that Prisma's transaction and the connection that it is given are the same. */
  #inTurn(connection: QueryConnection, end: Promise<void>): Promise<Models> {
    const begun = this.#turn.then(() => this.#begin(connection, end));
    this.#turn = begun.catch(() => {});
    return begun;
  }

  #begin(connection: QueryConnection, end: Promise<void>): Promise<Models> {
    this.#adapter.next = connection;
    return new Promise((resolve, reject) => {
      const whole = (client: Models) => {
        resolve(client);
        return end;
      };
      this.client.$transaction(whole, { timeout: ENDLESS, maxWait: ENDLESS }).catch(reject);
    });
  }
}

type Operations = Record<string, (args: unknown) => unknown>;

/** A client that is made for its first operation. */
const onceAsked = (make: () => Promise<Models>): Models =>
  new Proxy({} as Models, {
    get: (_, model) =>
      new Proxy({} as Operations, {
        get: (_, operation: string) => async (args: unknown) => {
          const client = (await make()) as unknown as Record<string | symbol, Operations>;
          return client[model]?.[operation]?.(args);
        },
      }),
  });

/** Gives Prisma, when it wants a transaction, the connection that was put there for it. */
class GuestAdapter extends PrismaPg {
  next: QueryConnection | undefined;

  override async connect() {
    const adapter = await super.connect();
    adapter.startTransaction = async () => {
      const client = this.next;
      this.next = undefined;
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
