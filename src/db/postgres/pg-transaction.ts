import type pg from 'pg';
import { SECOND } from '../../lib/time.ts';
import type { Session } from '../database.ts';
import type { PgPrisma } from './pg-prisma.ts';
import type { PgReader } from './pg-reader.ts';
import { Statement } from './pg-statement.ts';
import { Pipeline } from './pipeline.ts';
import type { QueryConnection } from './prisma-client.ts';
import { isDatabaseUnreachable } from './unreachable.ts';

/** Milliseconds that a transaction may take. */
const TIMEOUT = 10 * SECOND;

/** Runs transactions on connections of a pool; Prisma's operations and our own statements share the connection. */
export class PgTransactions {
  readonly #pool: pg.Pool;
  readonly #prisma: PgPrisma;
  readonly #reader: PgReader;

  constructor(pool: pg.Pool, prisma: PgPrisma, reader: PgReader) {
    this.#pool = pool;
    this.#prisma = prisma;
    this.#reader = reader;
  }

  /** Resolves to the result of `work` once it is committed; rejects with its error once it is rolled back. */
  async run<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    const connection = new TransactionConnection(client);
    try {
      const result = await withTimeout(work(this.#session(connection)));
      if (connection.close()) await commit(client);
      client.release();
      return result;
    } catch (error) {
      const usable = !connection.close() || (!isDatabaseUnreachable(error) && (await rollback(client)));
      client.release(!usable);
      throw error;
    }
  }

  #session(connection: TransactionConnection): Session {
    return {
      ...this.#reader.inTransaction((statement) => connection.send(statement)),
      prisma: this.#prisma.on(connection, connection.closed),
    };
  }
}

const BEGIN = { text: 'BEGIN', values: [], name: undefined, enums: new Set<number>(), lazyRows: false };

/** A connection for the duration of a transaction; rejects what comes later, which would end up in the next transaction. */
class TransactionConnection implements QueryConnection {
  readonly closed: Promise<void>;
  readonly #client: pg.PoolClient;
  #open = true;
  #begun: Promise<unknown> | undefined;
  #resolveClosed = () => {};

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** The first statement is sent together with BEGIN, in one write. */
  send(statement: Statement): void {
    const sent = this.#begun
      ? this.#afterBegin(() => new Pipeline([statement]).sendOn(this.#client))
      : this.#begin(statement);
    sent.catch((error) => statement.settled || statement.fail(error));
  }

  /** As node-postgres' `query`, for Prisma. */
  // biome-ignore lint/suspicious/noExplicitAny: passed on as it is
  query(...args: any[]): Promise<any> {
    if (!this.#begun) this.#begin().catch(() => {});
    return this.#afterBegin(() => (this.#client.query as (...all: unknown[]) => Promise<unknown>)(...args));
  }

  async #begin(...statements: Statement[]): Promise<void> {
    this.#requireOpen();
    const begin = new Statement(BEGIN);
    this.#begun = begin.result;
    // The statement that needed BEGIN reports its failure.
    begin.result.catch(() => {});
    return new Pipeline([begin, ...statements]).sendOn(this.#client);
  }

  async #afterBegin<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#begun;
    this.#requireOpen();
    return work();
  }

  #requireOpen(): void {
    if (!this.#open) throw new Error('The transaction is over.');
  }

  /** Returns whether a transaction was begun and has to be committed or rolled back. */
  close(): boolean {
    this.#open = false;
    this.#resolveClosed();
    return this.#begun !== undefined;
  }
}

/** Rejects with code ETIMEDOUT, so that the connection, on which statements may still run, is not used again. */
function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('A transaction took too long'), { code: 'ETIMEDOUT' });
    timer = setTimeout(reject, TIMEOUT, error);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Throws if PostgreSQL answered COMMIT with ROLLBACK, as it does after a failed statement. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('A statement failed in a transaction that continued.');
}

/** Returns whether the connection can be used further. */
const rollback = (client: pg.PoolClient): Promise<boolean> =>
  client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
