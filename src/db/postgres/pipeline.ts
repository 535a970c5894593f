import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Connection, ResultHandler } from './pg-client.ts';
import type { Statement } from './pg-statement.ts';
import type { Column } from './row-shape.ts';

const SYNC = serialize.sync();
const FLUSH = serialize.flush();

/**
 * Statements that are sent in one write and answered in order (PostgreSQL, Pipelining). After the first that fails, the
 * server skips the rest. Passed to `client.query` of node-postgres, which calls `submit` and the handlers.
 */
export class Pipeline implements pg.Submittable, ResultHandler {
  readonly #statements: readonly Statement[];
  /** Index of the statement whose result comes next. */
  #position = 0;
  /** Results from this index on are ignored: their statements are sent elsewhere. */
  #end: number;
  /** Replaced by the client, which adds its query timeout. */
  callback: (error: Error | null) => void = () => {};

  constructor(statements: readonly Statement[]) {
    this.#statements = statements;
    this.#end = statements.length;
  }

  /** Resolves when all statements have run; rejects with the error of the first that failed, or of the connection. */
  sendOn(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
      client.query(this);
    });
  }

  /** Returns the statements behind the running one, and ignores the results that still come for them here. */
  releaseRest(): Statement[] {
    const rest = this.#statements.slice(this.#position + 1, this.#end);
    this.#end = Math.min(this.#position + 1, this.#end);
    return rest;
  }

  get #current(): Statement | undefined {
    return this.#position < this.#end ? this.#statements[this.#position] : undefined;
  }

  /** With `text`, read by the client at ParseComplete to fill `parsedStatements`. */
  get name(): string | undefined {
    return this.#statements[this.#position]?.input.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#position]?.input.text;
  }

  /** Called by the client when the connection is free. */
  submit(pgConnection: pg.Connection): Error | null {
    const connection = pgConnection as unknown as Connection;
    const parsing = new Set<string>();
    try {
      const messages = this.#statements.flatMap((each, index) => [
        ...(index > 0 ? [FLUSH] : []),
        ...each.messages(connection, parsing),
      ]);
      connection.resultHandler = this;
      connection.stream.write(Buffer.concat([...messages, SYNC]));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  onRow(bytes: Buffer, at: number, end: number): void {
    this.#current?.onRow(bytes, at, end);
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.#current?.onColumns(fields);
  }

  onCommandComplete(connection: Connection): void {
    this.#current?.complete(connection);
    this.#position++;
  }

  handleReadyForQuery(connection: Connection): void {
    connection.resultHandler = undefined;
    this.callback(null);
  }

  handleError(error: Error, connection: Connection): void {
    connection.resultHandler = undefined;
    this.#current?.fail(error);
    this.callback(error);
  }

  /** The answer to a text without a statement. */
  handleEmptyQuery(connection: Connection): void {
    this.onCommandComplete(connection);
  }

  /** Called for results that arrive after an error or a timeout has cleared the handler. */
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}
