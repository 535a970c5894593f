import { MINUTE, SECOND } from '../lib/time.ts';
import type { Reader } from './database.ts';
import { type Sql, sql } from './sql/sql.ts';

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

/**
 * The database's time in ms without asking for it each time, for what is signed and stored nowhere. Measured now and
 * once a minute; in between the monotonic clock counts on, so that a change of this machine's time has no effect.
 */
export async function databaseClock(reader: Reader): Promise<() => number> {
  const measure = async () => {
    const before = performance.now();
    const at = (await databaseTime(reader)).getTime();
    return at - (before + performance.now()) / 2;
  };
  let offset = await measure();
  const renew = () =>
    measure().then(
      (measured) => {
        offset = measured;
      },
      () => undefined, // while the database is away the last measurement holds
    );
  setInterval(renew, MINUTE).unref();
  return () => offset + performance.now();
}
