import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Connection, RowTaker } from './pg-client.ts';
import type { Statement } from './pg-statement.ts';
import type { Column } from './row-shape.ts';

const SYNC = serialize.sync();

/**
 * Statements for `query` of node-postgres that go out in one write and are answered in order (PostgreSQL, Pipelining). The
 * first that fails keeps those behind it from being run.
 */
export class Series implements pg.Submittable, RowTaker {
  readonly #statements: readonly Statement[];
  #at = 0;
  /** Given by who sends it, and wrapped by the client. */
  callback: (error: Error | null) => void;

  constructor(statements: readonly Statement[], callback: (error: Error | null) => void) {
    this.#statements = statements;
    this.callback = callback;
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#at];
  }

  /** Read by the client to note what was parsed. */
  get name(): string | undefined {
    return this.#current?.asked.name;
  }

  get text(): string | undefined {
    return this.#current?.asked.text;
  }

  submit(given: pg.Connection): Error | null {
    const connection = given as unknown as Connection;
    const parsing = new Set<string>();
    try {
      const messages = this.#statements.flatMap((each) => each.messages(connection, parsing));
      connection.rowTaker = this;
      connection.stream.write(Buffer.concat([...messages, SYNC]));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  takeRow(bytes: Buffer, at: number): void {
    this.#current?.takeRow(bytes, at);
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.#current?.takeColumns(fields);
  }

  handleCommandComplete(_: unknown, connection: Connection): void {
    this.#current?.complete(connection);
    this.#at++;
  }

  handleReadyForQuery(connection: Connection): void {
    connection.rowTaker = undefined;
    this.callback(null);
  }

  handleError(error: Error, connection: Connection): void {
    connection.rowTaker = undefined;
    this.#current?.fail(error);
    this.callback(error);
  }

  /** Of statements that were given up. */
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
}

/** Resolves once all were run, and throws why not. */
export const sendAll = (
  client: Pick<pg.ClientBase, 'query'>,
  statements: readonly Statement[],
): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new Series(statements, (error) => (error ? reject(error) : resolve())));
  });
