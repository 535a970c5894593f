import type pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { remembered } from '../lib/remembered.ts';
import type { Connection, RowTaker } from './pg-client.ts';
import { binaryShape, type Column, type Row, type RowShape, textShape } from './row-shape.ts';

const DESCRIBE = serialize.describe({ type: 'P' });
const GO = Buffer.concat([serialize.execute(), serialize.sync()]);

/** How the answers of named statements come. As long as a connection knows a name, PostgreSQL does not let them change. */
interface Known {
  columns: readonly Column[];
  binary: RowShape | undefined;
}

const known = new WeakMap<Connection, Map<string, Known>>();

const knownOf = (connection: Connection): Map<string, Known> =>
  remembered(known, connection, () => new Map());

const PLAIN = /^[a-z0-9_]+$/;

/** Ids, of which there may be hundreds, need neither quotes nor escapes in an array, as `null` would. */
const isId = (each: unknown): boolean => typeof each === 'string' && PLAIN.test(each) && each !== 'null';

const written = (value: unknown): string | Buffer | null =>
  Array.isArray(value) && value.every(isId) ? `{${value.join()}}` : prepareValue(value);

export interface Asked {
  text: string;
  values: unknown[];
  /** For a text that comes again: a connection parses it once. */
  name: string | undefined;
  /** Ids of the enum types. */
  enums: ReadonlySet<number>;
  /** Whether rows read their values when asked. */
  lazily: boolean;
}

/**
 * A statement for `query` of node-postgres, which goes out in one write. What a connection knows is neither parsed nor
 * described again and answers in binary, which costs both sides less.
 */
export class Statement implements pg.Submittable, RowTaker {
  readonly name: string | undefined;
  readonly text: string;
  readonly #asked: Asked;
  readonly #rows: Row[] = [];
  #columns: readonly Column[] = [];
  #shape: RowShape | undefined;
  /** Given by the client. */
  callback: ((error: Error | null, rows?: Row[]) => void) | undefined;

  constructor(asked: Asked) {
    this.name = asked.name;
    this.text = asked.text;
    this.#asked = asked;
  }

  submit(given: pg.Connection): Error | null {
    const connection = given as unknown as Connection;
    try {
      const messages = this.#messages(connection);
      connection.rowTaker = this;
      connection.stream.write(Buffer.concat(messages));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  #messages(connection: Connection): Uint8Array[] {
    const { name, text } = this;
    const parsed = name !== undefined && connection.parsedStatements[name] !== undefined;
    const before = parsed ? knownOf(connection).get(name) : undefined;
    this.#shape = before && (before.binary ?? textShape(before.columns));
    const bind = serialize.bind({
      statement: name,
      values: this.#asked.values,
      binary: before?.binary !== undefined,
      valueMapper: written,
    });
    return [...(parsed ? [] : [serialize.parse({ name, text })]), bind, ...(before ? [] : [DESCRIBE]), GO];
  }

  takeRow(bytes: Buffer, at: number): void {
    const shape = this.#shape as RowShape;
    this.#rows.push(this.#asked.lazily ? shape.lazy(bytes, at) : shape.whole(bytes, at));
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.#columns = fields;
    this.#shape = textShape(fields);
  }

  handleReadyForQuery(connection: Connection): void {
    connection.rowTaker = undefined;
    if (this.name !== undefined) this.#learn(knownOf(connection), this.name);
    this.callback?.(null, this.#rows);
  }

  #learn(names: Map<string, Known>, name: string): void {
    const columns = this.#columns;
    if (!names.has(name)) names.set(name, { columns, binary: binaryShape(columns, this.#asked.enums) });
  }

  handleError(error: Error, connection: Connection): void {
    connection.rowTaker = undefined;
    this.callback?.(error);
  }

  /** Of a statement that was given up. */
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}
