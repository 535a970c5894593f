import pg from 'pg';
import { camelCase, startsNestedRow } from '../sql/rows.ts';
import { binaryOf, int32, type Read } from './binary.ts';
import { type Field, type LazyRows, lazyRows } from './lazy-row.ts';

export type Row = Record<string, unknown>;

/** A column in RowDescription. */
export interface Column {
  name: string;
  dataTypeID: number;
}

const { builtins, getTypeParser } = pg.types;

const parseInstant = getTypeParser(builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown;

/** A fast path for `2026-03-04 09:15:27.402+00`, as a session in UTC writes it; not for years beyond 9999 and infinity. */
const readInstant = (text: string): unknown =>
  text.charCodeAt(10) === 32 && text.endsWith('+00')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : parseInstant(text);

const TEXT_PARSERS: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.TIMESTAMPTZ]: readInstant,
};

function textField(type: number): Read {
  const parse = TEXT_PARSERS[type] ?? (getTypeParser(type, 'text') as (text: string) => unknown);
  return (bytes, from, to) => parse(bytes.toString('utf8', from, to));
}

/** Decodes the rows of a statement; members have camelCase names. */
export class RowShape {
  readonly #fields: readonly Field[];
  readonly #Lazy: LazyRows;

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
    this.#Lazy = lazyRows(fields);
  }

  /** A row with all its values decoded. `at`: offset of the column count in the message. */
  fullRow(bytes: Buffer, at: number): Row {
    const row: Row = {};
    let into: Row | null = row;
    let next = at + 2;
    for (const { name, opens, read } of this.#fields) {
      const length = int32(bytes, next);
      const from = next + 4;
      next = from + Math.max(length, 0);
      if (opens) {
        into = length < 0 ? null : {};
        row[name] = into;
      } else if (into) into[name] = length < 0 ? null : read(bytes, from, next);
    }
    return row;
  }

  /** A row that decodes each value when it is read. */
  lazyRow(bytes: Buffer, at: number): Row {
    return new this.#Lazy(bytes, at + 2) as Row;
  }
}

const shapes = new Map<string, RowShape>();

/** Returns the same object for the same columns and form. */
function shape(columns: readonly Column[], form: string, kinds: readonly Read[]): RowShape {
  const key = `${form} ${columns.map(({ name, dataTypeID }) => `${name}:${dataTypeID}`).join()}`;
  const rowShape =
    shapes.get(key) ??
    new RowShape(
      columns.map(({ name }, index) => ({
        name: camelCase(name),
        opens: startsNestedRow(name),
        read: kinds[index] as Read,
      })),
    );
  shapes.set(key, rowShape);
  return rowShape;
}

export const textShape = (columns: readonly Column[]): RowShape =>
  shape(
    columns,
    'text',
    columns.map(({ dataTypeID }) => textField(dataTypeID)),
  );

/** Undefined where a column has to be requested as text. `enums`: the ids of the enum types. */
export function binaryShape(columns: readonly Column[], enums: ReadonlySet<number>): RowShape | undefined {
  const kinds = columns.map(({ dataTypeID }) => binaryOf(dataTypeID, enums));
  return kinds.includes(undefined) ? undefined : shape(columns, 'binary', kinds as Read[]);
}
