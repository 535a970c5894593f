import { type Sql, sql } from '../../db/sql/sql.ts';

/** Rows of an order that a page scans first: enough for a viewer who sees one in eight of them. */
export const SCAN_ROWS = 200;

/** Rows of the second scan, used if the first one indicates that it fills the page: cheaper than sorting all matches. */
export const EXTENDED_SCAN_ROWS = 2_000;

/** Whether half of an extended scan would fill a page of `pageSize`, at the density of the `matches` found by the first. */
export const worthExtending = (matches: number, pageSize: number): boolean =>
  matches > 0 && (matches / SCAN_ROWS) * (EXTENDED_SCAN_ROWS / 2) >= pageSize;

interface ScanQuery {
  /** The table, its alias, and the columns to select. */
  from: Sql;
  row: Sql;
  select: Sql;
  /** LEFT JOINs that add at most one row to each. */
  joins: Sql;
  /** The conditions that the index answers, position of the cursor included; and those checked row by row. */
  indexCondition: Sql;
  rowCondition: Sql;
  /** The sort expression, unless the order is by plain columns. */
  expression: Sql | undefined;
  order: (column?: Sql) => Sql;
  fetchLimit: Sql;
  scanRows: number;
}

/**
 * Returns what matches among the first `scanRows` rows of an order. If these neither fill the page nor are all there are,
 * a marker row of nulls follows.
 */
export function scanQuery(query: ScanQuery): Sql {
  const { from, joins, row, select, indexCondition, rowCondition, expression, order, fetchLimit, scanRows } =
    query;
  const columns = expression ? sql`${row}.*, ${expression} AS sort_value` : sql`${row}.*`;
  const scan = sql`SELECT ${columns} FROM ${from} WHERE ${indexCondition}`;
  return sql`
    (SELECT ${select} FROM (${scan} ORDER BY ${order()} LIMIT ${sql.raw(String(scanRows))}) ${row} ${joins}
      WHERE ${rowCondition} ORDER BY ${order(expression && sql`${row}.sort_value`)} LIMIT ${fetchLimit})
    UNION ALL (SELECT ${select} FROM (VALUES (0)) one LEFT JOIN (${scan}) ${row} ON false ${joins}
      WHERE (SELECT true FROM ${from} WHERE ${indexCondition} OFFSET ${sql.raw(String(scanRows - 1))} LIMIT 1))
    LIMIT ${fetchLimit}`;
}
