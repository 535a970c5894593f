import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { memoize } from '../../lib/memoize.ts';
import type { RowMeter } from '../database.ts';
import type { Connection } from './pg-client.ts';
import { binaryShape, type Column, type Row, type RowShape, textShape } from './row-shape.ts';

const DESCRIBE = serialize.describe({ type: 'P' });
const EXECUTE = serialize.execute();

/** The result columns of a named statement; PostgreSQL does not let them change while a connection has the name. */
interface Description {
  columns: readonly Column[];
  /** Undefined where a column has to be requested as text. */
  binary: RowShape | undefined;
}

const descriptions = new WeakMap<Connection, Map<string, Description>>();

const descriptionsOf = (connection: Connection): Map<string, Description> =>
  memoize(descriptions, connection, () => new Map());

const ID = /^[a-z0-9_]+$/;

/** Ids, of which an array may hold hundreds, need neither quotes nor escapes there; the text `null` would. */
const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value) && value !== 'null';

const serializeValue = (value: unknown): string | Buffer | null =>
  Array.isArray(value) && value.every(isId) ? `{${value.join()}}` : prepareValue(value);

export interface StatementInput {
  text: string;
  values: unknown[];
  /** The name under which connections keep a text that is repeated; undefined to parse it each time. */
  name: string | undefined;
  /** Ids of the enum types. */
  enums: ReadonlySet<number>;
  /** Whether rows decode their values only when these are read. */
  lazyRows: boolean;
  meter?: RowMeter;
}

/** Bytes of rows that are reported to the meter together. */
const METERED = 2 ** 16;

/**
 * A statement and its result. On a connection that has the name, it is neither parsed nor described again, and its rows
 * come in binary, which costs both sides less.
 */
export class Statement {
  readonly input: StatementInput;
  readonly result: Promise<Row[]>;
  settled = false;
  readonly #rows: Row[] = [];
  /** Bytes of rows that the meter has not counted yet. */
  #unmetered = 0;
  /** What the meter threw. */
  #refusal: Error | undefined;
  #columns: readonly Column[] = [];
  #shape: RowShape | undefined;
  #resolve: (rows: Row[]) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(input: StatementInput) {
    this.input = input;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The messages to send. `parsing`: names that earlier statements of the same write define. */
  messages(connection: Connection, parsing: Set<string>): Uint8Array[] {
    const { name, text, values } = this.input;
    const parsed =
      name !== undefined && (connection.parsedStatements[name] !== undefined || parsing.has(name));
    const description = parsed ? descriptionsOf(connection).get(name) : undefined;
    if (name !== undefined) parsing.add(name);
    this.#shape = description && (description.binary ?? textShape(description.columns));
    const serverName = name === undefined ? undefined : `${connection.statementPrefix ?? ''}${name}`;
    const bind = serialize.bind({
      statement: serverName,
      values,
      binary: description?.binary !== undefined,
      valueMapper: serializeValue,
    });
    return [
      ...(parsed ? [] : [serialize.parse({ name: serverName, text })]),
      bind,
      ...(description ? [] : [DESCRIBE]),
      EXECUTE,
    ];
  }

  onRow(bytes: Buffer, at: number, end: number): void {
    this.#unmetered += end - at;
    if (this.#unmetered >= METERED) this.#count();
    if (this.#refusal) return;
    const shape = this.#shape as RowShape;
    this.#rows.push(this.input.lazyRows ? shape.lazyRow(bytes, at) : shape.fullRow(bytes, at));
  }

  onColumns(columns: Column[]): void {
    this.#columns = columns;
    this.#shape = textShape(columns);
  }

  complete(connection: Connection): void {
    const { name } = this.input;
    if (name !== undefined) this.#storeDescription(descriptionsOf(connection), name);
    this.#count();
    this.settled = true;
    if (this.#refusal) this.#reject(this.#refusal);
    else this.#resolve(this.#rows);
  }

  #count(): void {
    const bytes = this.#unmetered;
    this.#unmetered = 0;
    if (bytes === 0 || this.#refusal) return;
    try {
      this.input.meter?.(bytes);
    } catch (error) {
      this.#refusal = error as Error;
      this.#rows.length = 0;
    }
  }

  #storeDescription(byName: Map<string, Description>, name: string): void {
    const columns = this.#columns;
    if (!byName.has(name)) byName.set(name, { columns, binary: binaryShape(columns, this.input.enums) });
  }

  fail(error: Error): void {
    this.settled = true;
    this.#reject(error);
  }
}
