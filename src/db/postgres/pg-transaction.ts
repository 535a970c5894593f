import type pg from 'pg';
import { SECOND } from '../../lib/time.ts';
import type { Session } from '../database.ts';
import type { PgPrisma, QueryConnection } from './pg-prisma.ts';
import type { PgReader } from './pg-reader.ts';
import { Statement } from './pg-statement.ts';
import { Pipeline } from './pipeline.ts';
import { isDatabaseUnreachable } from './unreachable.ts';

/** Milliseconds after which a transaction is given up, whatever it still wants. */
const LIMIT = 10 * SECOND;

/** Runs transactions on connections of a pool, which Prisma and our own statements share. */
export class PgTransactions {
  readonly #pool: pg.Pool;
  readonly #prisma: PgPrisma;
  readonly #reader: PgReader;

  constructor(pool: pg.Pool, prisma: PgPrisma, reader: PgReader) {
    this.#pool = pool;
    this.#prisma = prisma;
    this.#reader = reader;
  }

  /** What `work` answers, once that is committed. What it throws, once nothing of it is left. */
  async run<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    const gate = new Gate(client);
    try {
      const result = await inTime(work(this.#session(gate)));
      if (gate.shut()) await commit(client);
      client.release();
      return result;
    } catch (error) {
      const usable = !gate.shut() || (!isDatabaseUnreachable(error) && (await rolledBack(client)));
      client.release(!usable);
      throw error;
    }
  }

  #session(gate: Gate): Session {
    return {
      ...this.#reader.within((statement) => gate.send(statement)),
      prisma: this.#prisma.on(gate, gate.ended),
      execute: (text, values) => gate.query(text, values),
    };
  }
}

const BEGIN = { text: 'BEGIN', values: [], name: undefined, enums: new Set<number>(), lazyRows: false };

/** What a transaction sends passes here, while it lasts: what comes later must not meet the next one on its connection. */
class Gate implements QueryConnection {
  readonly ended: Promise<void>;
  readonly #client: pg.PoolClient;
  #open = true;
  #begun: Promise<unknown> | undefined;
  #end = () => {};

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Begins with the first statement, in the same write. */
  send(statement: Statement): void {
    const sent = this.#begun
      ? this.#then(() => new Pipeline([statement]).sendOn(this.#client))
      : this.#begin(statement);
    sent.catch((error) => statement.answered || statement.fail(error));
  }

  /** What node-postgres takes, for Prisma and pg-boss. */
  // biome-ignore lint/suspicious/noExplicitAny: in all the ways in which it may be asked
  query(...asked: any[]): Promise<any> {
    if (!this.#begun) this.#begin().catch(() => {});
    return this.#then(() => (this.#client.query as (...all: unknown[]) => Promise<unknown>)(...asked));
  }

  async #begin(...statements: Statement[]): Promise<void> {
    this.#requireOpen();
    const begin = new Statement(BEGIN);
    this.#begun = begin.rows;
    // Whoever asked hears of it from what they asked.
    begin.rows.catch(() => {});
    return new Pipeline([begin, ...statements]).sendOn(this.#client);
  }

  async #then<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#begun;
    this.#requireOpen();
    return work();
  }

  #requireOpen(): void {
    if (!this.#open) throw new Error('The transaction is over.');
  }

  /** Answers whether there is something to commit or to roll back. */
  shut(): boolean {
    this.#open = false;
    this.#end();
    return this.#begun !== undefined;
  }
}

/** The failure is one of the database's: a connection that something was still asked on is of no more use. */
function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('A transaction took too long'), { code: 'ETIMEDOUT' });
    timer = setTimeout(reject, LIMIT, error);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** PostgreSQL answers COMMIT with ROLLBACK where a statement before it failed. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('A statement failed in a transaction that went on.');
}

const rolledBack = (client: pg.PoolClient): Promise<boolean> =>
  client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
