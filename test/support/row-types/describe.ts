import type { PGlite } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { camelCase, startsNestedRow } from '../../../src/db/sql/rows.ts';

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** Types of values by the name of their column's type, as both databases return them. */
const TYPES: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Uint8Array<ArrayBuffer>',
  int8: 'bigint',
  int2: 'number',
  int4: 'number',
  float8: 'number',
  text: 'string',
  varchar: 'string',
  timestamptz: 'Date',
  // Prisma's models have Decimal here, where both databases return a string.
  numeric: 'any',
  json: 'any',
  jsonb: 'any',
  _text: 'string[]',
  _bytea: 'Uint8Array<ArrayBuffer>[]',
};

/** Returns what writes the rows of a statement, which is not run, as a TypeScript type. Throws for one that is not valid. */
export async function rowDescriber(pglite: PGlite): Promise<(text: string) => Promise<string>> {
  const types = await pglite.query<{ oid: number; name: string; labels: string | null }>(`
    SELECT t.oid, t.typname AS name, string_agg('''' || e.enumlabel || '''', ' | ') AS labels
    FROM pg_type t LEFT JOIN pg_enum e ON e.enumtypid = t.oid GROUP BY 1, 2`);
  const typeOf = new Map(
    types.rows.map(({ oid, name, labels }) => [oid, labels ?? TYPES[name] ?? 'unknown']),
  );
  // Prisma declares no list column NOT NULL, and never writes null there.
  const columns = await pglite.query<{ key: string }>(`
    SELECT attrelid || ' ' || attnum AS key FROM pg_attribute WHERE attnum > 0 AND NOT attnotnull AND attndims = 0`);
  const nullable = new Set(columns.rows.map(({ key }) => key));

  const member = ({ name, tableID, columnID, dataTypeID }: Field) => {
    const orNull = nullable.has(`${tableID} ${columnID}`) ? ' | null' : '';
    return `${JSON.stringify(camelCase(name))}: ${typeOf.get(dataTypeID)}${orNull}`;
  };

  const toType = (fields: readonly Field[]): string => {
    const end = fields.findIndex(({ name }) => startsNestedRow(name));
    const beforeNested = end < 0 ? fields : fields.slice(0, end);
    // Of two columns with one name, the row has the last.
    const own = [...new Map(beforeNested.map((each) => [each.name, each])).values()].map(member);
    if (end < 0) return `{ ${own.join('; ')} }`;
    const [opening, ...rest] = fields.slice(end) as [Field, ...Field[]];
    const next = rest.findIndex(({ name }) => startsNestedRow(name));
    const nested = next < 0 ? rest : rest.slice(0, next);
    own.push(`${JSON.stringify(camelCase(opening.name))}: ${toType(nested)} | null`);
    const others = next < 0 ? '' : ` & ${toType(rest.slice(next))}`;
    return `{ ${own.join('; ')} }${others}`;
  };

  return async (text) => {
    const { messages } = await pglite.runExclusive(async () => {
      await pglite.execProtocol(serialize.parse({ text }));
      return pglite.execProtocol(serialize.describe({ type: 'S' }));
    });
    const described = messages.find(({ name }) => name === 'rowDescription');
    return toType((described as unknown as { fields: Field[] } | undefined)?.fields ?? []);
  };
}
