import { type Sql, sql } from '../db/sql.ts';

/** How many rows of an order a page looks at: enough for whoever sees one in eight of them. */
export const LOOKED_AT = 200;

interface Looked {
  /** The rows of one table under an alias, `row`, and which of their columns are wanted. */
  from: Sql;
  row: Sql;
  select: Sql;
  /** What is beside each of them, by LEFT JOINs. */
  joins: Sql;
  /** Which rows the order holds, from where the page starts; and what they have to fulfil beside. */
  within: Sql;
  beside: Sql;
  /** An expression that the order is by; where there is none, it is by columns. */
  made: Sql | undefined;
  order: (column?: Sql) => Sql;
  most: Sql;
}

/** What fits among the first rows of an order, and a row of nulls behind it where these are neither enough nor all. */
export function lookedAt({ from, joins, row, select, within, beside, made, order, most }: Looked): Sql {
  const columns = made ? sql`${row}.*, ${made} AS made` : sql`${row}.*`;
  const held = sql`SELECT ${columns} FROM ${from} WHERE ${within}`;
  return sql`
    (SELECT ${select} FROM (${held} ORDER BY ${order()} LIMIT ${sql.raw(String(LOOKED_AT))}) ${row} ${joins}
      WHERE ${beside} ORDER BY ${order(made && sql`${row}.made`)} LIMIT ${most})
    UNION ALL (SELECT ${select} FROM (VALUES (0)) one LEFT JOIN (${held}) ${row} ON false ${joins}
      WHERE (SELECT true FROM ${from} WHERE ${within} OFFSET ${sql.raw(String(LOOKED_AT - 1))} LIMIT 1))
    LIMIT ${most}`;
}
