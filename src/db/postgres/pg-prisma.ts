import type pg from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Models, StatementListener } from '../database.ts';
import type { ClientOfPool, QueryConnection } from './prisma-client.ts';

/** The longest delay of a timer, in milliseconds: some 24 days. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * Prisma's client on the connections of a pool. It neither begins nor ends transactions: the caller does that on a
 * connection of its own, and Prisma's transaction takes part in it.
 */
export class PgPrisma {
  /** Loads the client at its first operation. */
  readonly client = lazyClient(() => this.load()) as PrismaClient;
  readonly #create: () => Promise<ClientOfPool>;
  #created: Promise<ClientOfPool> | undefined;
  #lastBegin: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool, onStatement: StatementListener | undefined) {
    // Imported late: its description of the tables takes 20 MiB, and the start and most reads do without.
    this.#create = async () => (await import('./prisma-client.ts')).createPrismaClient(pool, onStatement);
  }

  async load(): Promise<PrismaClient> {
    return (await this.#load()).client;
  }

  #load(): Promise<ClientOfPool> {
    this.#created ??= this.#create();
    return this.#created;
  }

  /** Models whose operations run on this connection until `end` resolves. Costs nothing if no operation is called. */
  on(connection: QueryConnection, end: Promise<void>): Models {
    let client: Promise<Models> | undefined;
    return lazyClient(() => {
      client ??= this.#beginAfterOthers(connection, end);
      return client;
    });
  }

  async close(): Promise<void> {
    if (this.#created) await (await this.load()).$disconnect();
  }

  /** One at a time, so that each transaction of Prisma gets the connection that is meant for it. */
  #beginAfterOthers(connection: QueryConnection, end: Promise<void>): Promise<Models> {
    const begun = this.#lastBegin.then(() => this.#begin(connection, end));
    this.#lastBegin = begun.catch(() => {});
    return begun;
  }

  async #begin(connection: QueryConnection, end: Promise<void>): Promise<Models> {
    const { adapter, client } = await this.#load();
    adapter.nextConnection = connection;
    return new Promise((resolve, reject) => {
      const runUntilEnd = (models: Models) => {
        resolve(models);
        return end;
      };
      client.$transaction(runUntilEnd, { timeout: MAX_TIMEOUT, maxWait: MAX_TIMEOUT }).catch(reject);
    });
  }
}

type Operation = (...args: unknown[]) => unknown;
type Name = string | symbol;

/** A client that calls `connect` at its first operation: of a model (`user.findMany`), or its own (`$queryRaw`). */
const lazyClient = (connect: () => Promise<Models>): Models => {
  const connected = async () =>
    (await connect()) as unknown as Record<Name, Operation & Record<Name, Operation>>;
  const ownOperation =
    (name: Name): Operation =>
    async (...args) =>
      (await connected())[name]?.(...args);
  const model = (name: Name) =>
    new Proxy({} as Record<Name, Operation>, {
      get:
        (_, operation): Operation =>
        async (...args) =>
          (await connected())[name]?.[operation]?.(...args),
    });
  return new Proxy({} as Models, {
    get: (_, name) => (String(name).startsWith('$') ? ownOperation(name) : model(name)),
  });
};
