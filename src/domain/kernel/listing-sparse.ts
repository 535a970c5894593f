import { type Sql, sql } from '../../db/sql/sql.ts';

/** How many rows of an order a page looks at: enough for whoever sees one in eight of them. */
export const SCAN_ROWS = 200;

/** How many it looks at where those promise to fill it soon: then reading on costs less than sorting all that fits. */
export const EXTENDED_SCAN_ROWS = 2_000;

/** Half of what is looked at further holds a page, if there is as much in it as was found by the first look. */
export const worthExtending = (found: number, limit: number): boolean =>
  found > 0 && (found / SCAN_ROWS) * (EXTENDED_SCAN_ROWS / 2) >= limit;

interface ScanQuery {
  /** The rows of one table under an alias, `row`, and which of their columns are wanted. */
  from: Sql;
  row: Sql;
  select: Sql;
  /** What is beside each of them, by LEFT JOINs. */
  joins: Sql;
  /** Which rows the order holds, from where the page starts; and what they have to fulfil beside. */
  indexCondition: Sql;
  rowCondition: Sql;
  /** An expression that the order is by; where there is none, it is by columns. */
  expression: Sql | undefined;
  order: (column?: Sql) => Sql;
  fetchLimit: Sql;
  /** How many rows to look at. */
  scanRows: number;
}

/** What fits among the first rows of an order, and a row of nulls behind it where these are neither enough nor all. */
export function scanQuery({
  from,
  joins,
  row,
  select,
  indexCondition: within,
  rowCondition: beside,
  expression: made,
  order,
  fetchLimit: most,
  scanRows: rows,
}: ScanQuery): Sql {
  const columns = made ? sql`${row}.*, ${made} AS made` : sql`${row}.*`;
  const held = sql`SELECT ${columns} FROM ${from} WHERE ${within}`;
  return sql`
    (SELECT ${select} FROM (${held} ORDER BY ${order()} LIMIT ${sql.raw(String(rows))}) ${row} ${joins}
      WHERE ${beside} ORDER BY ${order(made && sql`${row}.made`)} LIMIT ${most})
    UNION ALL (SELECT ${select} FROM (VALUES (0)) one LEFT JOIN (${held}) ${row} ON false ${joins}
      WHERE (SELECT true FROM ${from} WHERE ${within} OFFSET ${sql.raw(String(rows - 1))} LIMIT 1))
    LIMIT ${most}`;
}
