import { SECOND } from '../lib/time.ts';
import type { Reader } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** The database's time so many milliseconds from now (negative: ago), for a statement. */
export const inFuture = (ms: number): Sql => sql`(now() + make_interval(secs => ${ms / SECOND}))`;

/**
 * The database's time so many milliseconds from now (negative: ago). Anything that expires is written and compared with
 * it, since the clocks of the processes may differ. In a transaction it is the time of its beginning.
 */
export async function databaseTime(reader: Reader, ms = 0): Promise<Date> {
  const [{ at }] = (await reader.query<{ at: Date }>(sql`SELECT ${inFuture(ms)} AS at`)) as [{ at: Date }];
  return at;
}
