import type pg from 'pg';
import type { Cancellation } from '../../lib/cancellation.ts';
import { TenantShare } from '../../lib/shares/tenant-share.ts';
import { inSpan } from '../../lib/span.ts';
import type { Reader, RowMeter, StatementListener } from '../database.ts';
import type { Sql } from '../sql/sql.ts';
import { StatementNames } from '../sql/statement-names.ts';
import { Statement, type StatementInput } from './pg-statement.ts';
import type { Row } from './row-shape.ts';
import { StatementQueue } from './statement-queue.ts';

/** Sends a statement, which then settles its `result`. */
type Send = (statement: Statement) => void;

interface ReadOptions {
  lazyRows: boolean;
  /** Whether to send a statement without its name where it failed because of the name (statement-names.ts). */
  retry: boolean;
  meter?: RowMeter;
}

/** Statements in one pipeline at most: each waits for those before it. */
const PIPELINE_LENGTH = 8;

/** Connections that one tenant may take; some are always left for the others. */
const sharesOf = (connections: number) => ({
  exclusive: Math.max(connections - 2, 1),
  light: Math.max(Math.floor(connections / 2), 1),
  shared: Math.max(Math.floor(connections / 5), 1),
});

export interface ReaderOptions {
  pool: pg.Pool;
  /** Ids of the enum types. */
  enums: ReadonlySet<number>;
  /** Whether another connection can cancel what runs on one. */
  cancels: boolean;
  onStatement?: StatementListener;
}

/** Reads from a PostgreSQL server, on connections of the pool or in a transaction, with the same statement names on all. */
export class PgReader {
  readonly #enums: ReadonlySet<number>;
  readonly #names = new StatementNames();
  readonly #onStatement: StatementListener | undefined;
  readonly #single: StatementQueue;
  readonly #pipelined: StatementQueue;

  constructor({ pool, enums, cancels, onStatement }: ReaderOptions) {
    const share = new TenantShare(sharesOf(pool.options.max));
    this.#single = new StatementQueue({ pool, batchSize: 1, share, cancels });
    this.#pipelined = new StatementQueue({ pool, batchSize: PIPELINE_LENGTH, share, cancels });
    this.#enums = enums;
    this.#onStatement = onStatement;
  }

  /** A reader on connections of the pool. After the cancellation, what still waits or runs for it fails with AbortError. */
  forCaller(cancellation?: Cancellation, meter?: RowMeter): Reader & { pipelined: Reader } {
    cancellation?.onCancel(() => {
      this.#single.abandon(cancellation);
      this.#pipelined.abandon(cancellation);
    });
    return {
      ...this.#reader((statement) => this.#single.send(statement, cancellation), {
        lazyRows: false,
        retry: true,
        meter,
      }),
      pipelined: this.#reader((statement) => this.#pipelined.send(statement, cancellation), {
        lazyRows: true,
        retry: true,
        meter,
      }),
    };
  }

  /** A reader in a transaction. A failed statement ends that, so nothing is sent again. */
  inTransaction(send: Send): Reader {
    return this.#reader(send, { lazyRows: false, retry: false });
  }

  #reader(send: Send, { lazyRows, retry, meter }: ReadOptions): Reader {
    const run = (input: StatementInput): Promise<Row[]> => {
      const statement = new Statement(input);
      send(statement);
      return statement.result;
    };
    const runOrRetry = (input: StatementInput): Promise<Row[]> =>
      run(input).catch((error) => {
        if (!input.name || !this.#names.failed(error) || !retry) throw error;
        return run({ ...input, name: undefined });
      });
    return {
      query: async <Row>(statement: Sql) => {
        const { text, values } = statement.render();
        this.#onStatement?.(text);
        const input = { text, values, name: this.#names.of(text), enums: this.#enums, lazyRows, meter };
        return (await inSpan('statement', { 'db.query.text': text }, () => runOrRetry(input))) as Row[];
      },
    };
  }
}
