import type pg from 'pg';
import { SECOND } from '../../lib/time.ts';
import type { Session, TransactionLimits } from '../database.ts';
import type { PgPrisma } from './pg-prisma.ts';
import type { PgReader } from './pg-reader.ts';
import { Statement, type StatementInput } from './pg-statement.ts';
import { Pipeline } from './pipeline.ts';
import type { QueryConnection } from './prisma-client.ts';
import { isDatabaseUnreachable } from './unreachable.ts';

/** Milliseconds that a transaction may take, unless it is given more. */
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
  async run<Result>(
    work: (session: Session) => Promise<Result>,
    { timeout = TIMEOUT }: TransactionLimits = {},
  ): Promise<Result> {
    const client = await this.#pool.connect();
    const connection = new TransactionConnection(client);
    try {
      const result = await withTimeout(work(this.#session(connection)), timeout);
      await connection.commit();
      client.release();
      return result;
    } catch (error) {
      const usable = !connection.close() || (!isDatabaseUnreachable(error) && (await rollback(client)));
      client.release(!usable);
      throw error;
    }
  }

  #session(connection: TransactionConnection): Session {
    const later = this.#reader.inTransaction((statement) => connection.defer(statement));
    return {
      ...this.#reader.inTransaction((statement) => connection.send(statement)),
      defer: async (statement) => {
        connection.requireOpen();
        // What it is sent with reports a failure.
        later.query(statement).catch(() => {});
      },
      prisma: this.#prisma.on(connection, connection.closed),
    };
  }
}

const control = (text: string): StatementInput => ({
  ...{ text, values: [], name: undefined, enums: new Set<number>(), lazyRows: false },
});

const BEGIN = control('BEGIN');
const COMMIT = control('COMMIT');

/** A connection for the duration of a transaction; rejects what comes later, which would end up in the next transaction. */
class TransactionConnection implements QueryConnection {
  readonly closed: Promise<void>;
  readonly #client: pg.PoolClient;
  #open = true;
  #begun: Promise<unknown> | undefined;
  /** Statements that are sent in one write: those of one step of the caller, and what was deferred before. */
  #waiting: Statement[] = [];
  #scheduled = false;
  #resolveClosed = () => {};

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /**
   * Statements that are not awaited one by one are sent in one write, the first ones with BEGIN. Each sees what the one before did;
   * after one that fails, the others fail with its error.
   */
  send(statement: Statement): void {
    this.#waiting.push(statement);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#sendWaiting());
  }

  /** Sends it with what is sent next, or with the COMMIT. */
  defer(statement: Statement): void {
    if (!this.#begun) this.#begin().catch(() => {});
    this.#waiting.push(statement);
  }

  #sendWaiting(): void {
    this.#scheduled = false;
    const statements = this.#waiting;
    this.#waiting = [];
    if (statements.length === 0) return;
    const sent = this.#begun
      ? this.#afterBegin(() => new Pipeline(statements).sendOn(this.#client))
      : this.#begin(...statements);
    sent.catch((error) => fail(statements, error));
  }

  /** Throws if PostgreSQL answered COMMIT with ROLLBACK, as it does after a failed statement. */
  async commit(): Promise<void> {
    const last = this.#waiting;
    this.#waiting = [];
    if (!this.close()) return;
    if (last.length > 0) return this.#commitWith(last);
    const { command } = await this.#client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('A statement failed in a transaction that continued.');
  }

  /** In a transaction that has failed, the first of them fails. */
  async #commitWith(statements: readonly Statement[]): Promise<void> {
    const all = [...statements, new Statement(COMMIT)];
    await new Pipeline(all).sendOn(this.#client).catch((error) => fail(all, error));
    await Promise.all(all.map(({ result }) => result));
  }

  /** As node-postgres' `query`, for Prisma. */
  // biome-ignore lint/suspicious/noExplicitAny: passed on as it is
  query(...args: any[]): Promise<any> {
    this.#sendWaiting();
    if (!this.#begun) this.#begin().catch(() => {});
    return this.#afterBegin(() => (this.#client.query as (...all: unknown[]) => Promise<unknown>)(...args));
  }

  async #begin(...statements: Statement[]): Promise<void> {
    this.requireOpen();
    const begin = new Statement(BEGIN);
    this.#begun = begin.result;
    // The statement that needed BEGIN reports its failure.
    begin.result.catch(() => {});
    return new Pipeline([begin, ...statements]).sendOn(this.#client);
  }

  async #afterBegin<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#begun;
    this.requireOpen();
    return work();
  }

  /** Throws once the transaction is over. */
  requireOpen(): void {
    if (!this.#open) throw new Error(OVER);
  }

  /** Returns whether a transaction was begun and has to be committed or rolled back. What still waits is never sent. */
  close(): boolean {
    this.#open = false;
    fail(this.#waiting, new Error(OVER));
    this.#resolveClosed();
    return this.#begun !== undefined;
  }
}

const OVER = 'The transaction is over.';

/** Rejects with code ETIMEDOUT, so that the connection, on which statements may still run, is not used again. */
function withTimeout<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('A transaction took too long'), { code: 'ETIMEDOUT' });
    timer = setTimeout(reject, ms, error);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

const fail = (statements: readonly Statement[], error: Error): void => {
  for (const statement of statements) if (!statement.settled) statement.fail(error);
};

/** Returns whether the connection can be used further. */
const rollback = (client: pg.PoolClient): Promise<boolean> =>
  client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
