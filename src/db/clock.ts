import { MINUTE, SECOND } from '../lib/time.ts';
import type { Reader } from './database.ts';
import { type Sql, sql } from './sql/sql.ts';

/** SQL expression: the database's now() plus `ms` milliseconds; negative for a time in the past. */
export const nowPlus = (ms: number): Sql => sql`(now() + make_interval(secs => ${ms / SECOND}))`;

/**
 * The database's now() plus `ms` milliseconds (may be negative). Whatever expires is written and compared by this clock,
 * because the clocks of the processes may differ. Inside a transaction it is the time at which that began.
 */
export async function databaseTime(reader: Reader, ms = 0): Promise<Date> {
  const [{ at }] = (await reader.query<{ at: Date }>(sql`SELECT ${nowPlus(ms)} AS at`)) as [{ at: Date }];
  return at;
}

/**
 * Returns a function that reads the database's time (ms since 1970) without a query, for signed values that are not
 * stored. The offset is measured now and once a minute; between measurements the monotonic clock is added to it, so
 * changes of the local system time have no effect.
 */
export async function databaseClock(reader: Reader): Promise<() => number> {
  const measure = async () => {
    const before = performance.now();
    const [measured] = await reader.query<{ measuredAt: Date }>(sql`SELECT now() AS measured_at`);
    return Number(measured?.measuredAt) - (before + performance.now()) / 2;
  };
  let offset = await measure();
  const remeasure = () =>
    measure().then(
      (measured) => {
        offset = measured;
      },
      () => undefined, // database unreachable: keep the last offset
    );
  setInterval(remeasure, MINUTE).unref();
  return () => offset + performance.now();
}
