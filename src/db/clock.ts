import { type Sql, sql } from './sql.ts';

/**
 * A time so many milliseconds from now by the database's clock, which all processes share. In whole milliseconds,
 * rounded down: a column of that precision would round up, and what is due now would be due in the future.
 */
export const databaseTime = (ms = 0): Sql =>
  sql`(date_trunc('milliseconds', now()) + ${ms / 1_000} * interval '1 second')`;
