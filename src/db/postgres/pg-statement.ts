import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { memoize } from '../../lib/memoize.ts';
import type { Connection } from './pg-client.ts';
import { binaryShape, type Column, type Row, type RowShape, textShape } from './row-shape.ts';

const DESCRIBE = serialize.describe({ type: 'P' });
const EXECUTE = serialize.execute();

/** How the answers of named statements come. As long as a connection knows a name, PostgreSQL does not let them change. */
interface Known {
  columns: readonly Column[];
  binary: RowShape | undefined;
}

const known = new WeakMap<Connection, Map<string, Known>>();

const knownOf = (connection: Connection): Map<string, Known> => memoize(known, connection, () => new Map());

const PLAIN = /^[a-z0-9_]+$/;

/** Ids, of which there may be hundreds, need neither quotes nor escapes in an array, as `null` would. */
const isId = (each: unknown): boolean => typeof each === 'string' && PLAIN.test(each) && each !== 'null';

const written = (value: unknown): string | Buffer | null =>
  Array.isArray(value) && value.every(isId) ? `{${value.join()}}` : prepareValue(value);

export interface StatementInput {
  text: string;
  values: unknown[];
  /** For a text that comes again: a connection parses it once. */
  name: string | undefined;
  /** Ids of the enum types. */
  enums: ReadonlySet<number>;
  /** Whether rows read their values when asked. */
  lazyRows: boolean;
}

/** A statement and its answer. What a connection knows is neither parsed nor described again and answers in binary, which costs both sides less. */
export class Statement {
  readonly input: StatementInput;
  readonly rows: Promise<Row[]>;
  answered = false;
  readonly #rows: Row[] = [];
  #columns: readonly Column[] = [];
  #shape: RowShape | undefined;
  #resolve: (rows: Row[]) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(asked: StatementInput) {
    this.input = asked;
    this.rows = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** What the connection has to be sent for it. `parsing`: names that it is about to know. */
  messages(connection: Connection, parsing: Set<string>): Uint8Array[] {
    const { name, text, values } = this.input;
    const parsed =
      name !== undefined && (connection.parsedStatements[name] !== undefined || parsing.has(name));
    const before = parsed ? knownOf(connection).get(name) : undefined;
    if (name !== undefined) parsing.add(name);
    this.#shape = before && (before.binary ?? textShape(before.columns));
    const bind = serialize.bind({
      statement: name,
      values,
      binary: before?.binary !== undefined,
      valueMapper: written,
    });
    return [
      ...(parsed ? [] : [serialize.parse({ name, text })]),
      bind,
      ...(before ? [] : [DESCRIBE]),
      EXECUTE,
    ];
  }

  onRow(bytes: Buffer, at: number): void {
    const shape = this.#shape as RowShape;
    this.#rows.push(this.input.lazyRows ? shape.lazyRow(bytes, at) : shape.fullRow(bytes, at));
  }

  onColumns(columns: Column[]): void {
    this.#columns = columns;
    this.#shape = textShape(columns);
  }

  complete(connection: Connection): void {
    const { name } = this.input;
    if (name !== undefined) this.#learn(knownOf(connection), name);
    this.answered = true;
    this.#resolve(this.#rows);
  }

  #learn(names: Map<string, Known>, name: string): void {
    const columns = this.#columns;
    if (!names.has(name)) names.set(name, { columns, binary: binaryShape(columns, this.input.enums) });
  }

  fail(error: Error): void {
    this.answered = true;
    this.#reject(error);
  }
}
