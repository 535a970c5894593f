import type pg from 'pg';
import type { Cancellation } from '../../lib/cancellation.ts';
import { inSpan } from '../../lib/span.ts';
import { TenantShare } from '../../lib/tenant-share.ts';
import type { Reader, StatementListener } from '../database.ts';
import type { Sql } from '../sql/sql.ts';
import { StatementNames } from '../sql/statement-names.ts';
import { Statement, type StatementInput } from './pg-statement.ts';
import type { Row } from './row-shape.ts';
import { StatementQueue } from './statement-queue.ts';

/** Takes a statement to the server; it has its answer then. */
type Send = (statement: Statement) => void;

/** Statements in one write at most: each waits for those before it. */
const TOGETHER = 8;

/** Connections that one tenant may take: some are always left for those who come. */
const sharesOf = (connections: number) => ({
  alone: Math.max(connections - 2, 1),
  light: Math.max(Math.floor(connections / 2), 1),
  shared: Math.max(Math.floor(connections / 5), 1),
});

/** Asks a server, on whatever connection: all of them know the same statements by the same names. */
export class PgReader {
  readonly #enums: ReadonlySet<number>;
  readonly #names = new StatementNames();
  readonly #onStatement: StatementListener | undefined;
  readonly #alone: StatementQueue;
  readonly #together: StatementQueue;

  /** `enums`: the ids of the enum types. */
  constructor(pool: pg.Pool, enums: ReadonlySet<number>, onStatement: StatementListener | undefined) {
    const share = new TenantShare(sharesOf(pool.options.max));
    this.#alone = new StatementQueue(pool, 1, share);
    this.#together = new StatementQueue(pool, TOGETHER, share);
    this.#enums = enums;
    this.#onStatement = onStatement;
  }

  /** On connections of the pool; what nobody waits for any more once they leave is ended. */
  until(cancellation?: Cancellation): Reader & { pipelined: Reader } {
    cancellation?.onCancel(() => {
      this.#alone.abandon(cancellation);
      this.#together.abandon(cancellation);
    });
    return {
      ...this.#reader((statement) => this.#alone.send(statement, cancellation), {
        lazyRows: false,
        again: true,
      }),
      pipelined: this.#reader((statement) => this.#together.send(statement, cancellation), {
        lazyRows: true,
        again: true,
      }),
    };
  }

  /** In a transaction, which a statement that fails takes with it. */
  within(send: Send): Reader {
    return this.#reader(send, { lazyRows: false, again: false });
  }

  #reader(send: Send, { lazyRows, again }: { lazyRows: boolean; again: boolean }): Reader {
    const ask = (asked: StatementInput): Promise<Row[]> => {
      const statement = new Statement(asked);
      send(statement);
      return statement.rows;
    };
    const answer = (asked: StatementInput): Promise<Row[]> =>
      ask(asked).catch((error) => {
        if (!asked.name || !this.#names.failed(error) || !again) throw error;
        return ask({ ...asked, name: undefined });
      });
    return {
      query: async <Row>(statement: Sql) => {
        const { text, values } = statement.render();
        this.#onStatement?.(text);
        const asked = { text, values, name: this.#names.of(text), enums: this.#enums, lazyRows };
        return (await inSpan('statement', { 'db.query.text': text }, () => answer(asked))) as Row[];
      },
    };
  }
}
