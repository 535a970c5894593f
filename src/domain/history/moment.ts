import { sql } from '../../db/sql/sql.ts';
import type { Context, Past } from '../kernel/context.ts';
import { badValue, historyUnavailable } from '../kernel/errors.ts';

/** A moment of an organization: after the event of this number, or at this time; without both, after the last event. */
export interface Moment {
  sequence?: bigint | null;
  time?: Date | null;
}

interface Log {
  sequence: bigint;
  statesSince: bigint | null;
  statesUntil: bigint;
  isFuture: boolean;
}

/**
 * The event after which a moment is. Throws BAD_USER_INPUT at `at` for one that is still to come, and HISTORY_UNAVAILABLE for one
 * before states were complete.
 */
export async function pastAt(
  ctx: Context,
  organizationId: string,
  { sequence, time }: Moment,
  at: string,
): Promise<Past> {
  const [log] = await ctx.db.query<Log>(sql`SELECT h.sequence, h.states_since, h.states_until,
    coalesce(${time ?? null}::timestamptz > now(), false) AS is_future FROM event_heads h WHERE h.organization_id = ${organizationId}`);
  if (!log) throw historyUnavailable('Nothing is recorded of this organization.', at);
  if (log.isFuture) throw badValue(`${at}.time`, 'is still to come');
  const position = time
    ? await lastEventAt(ctx, organizationId, time, log.sequence)
    : (sequence ?? log.sequence);
  if (position > log.sequence) throw badValue(`${at}.sequence`, 'has no event yet');
  if (position < 0n) throw badValue(`${at}.sequence`, 'must not be negative');
  if (log.statesSince === null || position > log.statesUntil) throw historyUnavailable(INCOMPLETE, at);
  if (position < log.statesSince)
    throw historyUnavailable(`The past is recorded from event ${log.statesSince} on.`, at);
  return { organizationId, sequence: position };
}

const INCOMPLETE = 'The server is still recording what there was when it was updated. Try again later.';

/** The last event that is not after a time, by bisection: times never run backwards. 0 before the first one. */
async function lastEventAt(
  { db }: Context,
  organizationId: string,
  time: Date,
  last: bigint,
): Promise<bigint> {
  const [row] = await db.query<{ low: bigint }>(sql`
    WITH RECURSIVE search(low, high) AS (
      SELECT 0::bigint, ${last}::bigint
      UNION ALL
      SELECT CASE WHEN e.created_at <= ${time} THEN e.sequence ELSE s.low END,
        CASE WHEN e.created_at <= ${time} THEN s.high ELSE e.sequence - 1 END
      FROM search s JOIN events e ON e.organization_id = ${organizationId} AND e.sequence = (s.low + s.high + 1) / 2
      WHERE s.low < s.high)
    SELECT low FROM search WHERE low = high`);
  return row?.low ?? 0n;
}
