import { type Sql, sql } from '../db/sql.ts';

/** The rows of a table with these ids, under an alias. */
export const rowsOf = (table: Sql, row: Sql, ids: Sql): Sql => sql`LATERAL (${ids}) s(id)
  CROSS JOIN LATERAL (SELECT ${row}.* FROM ${table} ${row} WHERE ${row}.id = s.id OFFSET 0) ${row}`;
