import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Connection, ResultHandler } from './pg-client.ts';
import type { Statement } from './pg-statement.ts';
import type { Column } from './row-shape.ts';

const SYNC = serialize.sync();
const FLUSH = serialize.flush();

/**
 * Statements for `query` of node-postgres that go out in one write and are answered in order (PostgreSQL, Pipelining). The
 * first that fails keeps those behind it from being run.
 */
export class Pipeline implements pg.Submittable, ResultHandler {
  readonly #statements: readonly Statement[];
  #at = 0;
  /** Those from here on are answered elsewhere. */
  #end: number;
  /** Wrapped by the client. */
  callback: (error: Error | null) => void = () => {};

  constructor(statements: readonly Statement[]) {
    this.#statements = statements;
    this.#end = statements.length;
  }

  /** Resolves once all were run, and throws why not. */
  sendOn(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
      client.query(this);
    });
  }

  /** Gives away those behind the one that runs: what is still answered to them here is read by nobody. */
  releaseRest(): Statement[] {
    const others = this.#statements.slice(this.#at + 1, this.#end);
    this.#end = Math.min(this.#at + 1, this.#end);
    return others;
  }

  get #current(): Statement | undefined {
    return this.#at < this.#end ? this.#statements[this.#at] : undefined;
  }

  /** Read by the client to note what was parsed. */
  get name(): string | undefined {
    return this.#statements[this.#at]?.input.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#at]?.input.text;
  }

  submit(given: pg.Connection): Error | null {
    const connection = given as unknown as Connection;
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

  onRow(bytes: Buffer, at: number): void {
    this.#current?.onRow(bytes, at);
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.#current?.onColumns(fields);
  }

  onCommandComplete(connection: Connection): void {
    this.#current?.complete(connection);
    this.#at++;
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

  /** Of a text without a statement in it. */
  handleEmptyQuery(connection: Connection): void {
    this.onCommandComplete(connection);
  }

  /** Of statements that were given up. */
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}
