import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { UsageKind } from '../../generated/prisma/client.ts';

/** What an API key or an application did on a day. */
export interface DayCount {
  /** The id of the key or of the application. */
  usedBy: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  requests: number;
  errors: number;
  points: number;
  /** Requests by `durationStep`. */
  durations: number[];
}

/** How often its requests of the day failed with a code, or used something that is deprecated. */
export interface MarkCount {
  usedBy: string;
  day: string;
  kind: UsageKind;
  name: string;
  count: number;
  lastAt: Date;
}

/** Steps of the durations that are counted: each is 2^(1/4) times the one before, the first is 1 ms. */
const STEPS_PER_DOUBLING = 4;
const MAX_STEP = 80;

/** The step that counts a request of this duration. */
export const durationStep = (ms: number): number =>
  Math.min(Math.max(Math.ceil(STEPS_PER_DOUBLING * Math.log2(ms)), 0), MAX_STEP);

/** The longest duration, in ms, that a step counts. */
const durationOf = (step: number): number => 2 ** (step / STEPS_PER_DOUBLING);

/** The duration in ms that `share` of the requests do not exceed, rounded up by a fifth at most; undefined without requests. */
export function percentile(durations: readonly number[], share: number): number | undefined {
  const total = durations.reduce((sum, each) => sum + each, 0);
  let counted = 0;
  const step = durations.findIndex((each) => {
    counted += each;
    return counted > 0 && counted >= total * share;
  });
  return step < 0 ? undefined : Math.ceil(durationOf(step));
}

/** Adds counts to those that are stored. In the order of keys, so that two processes do not wait for each other. */
export async function addUsage(
  db: Database,
  days: readonly DayCount[],
  marks: readonly MarkCount[],
): Promise<void> {
  if (days.length > 0) await addDays(db, days);
  if (marks.length > 0) await addMarks(db, marks);
}

const addDays = (db: Database, days: readonly DayCount[]) =>
  db.query(sql`INSERT INTO usage_days AS d (used_by, day, requests, errors, points, durations)
    SELECT x.* FROM jsonb_to_recordset(${JSON.stringify(days)}::jsonb)
      AS x("usedBy" text, day date, requests bigint, errors bigint, points bigint, durations int[]) ORDER BY 1, 2
    ON CONFLICT (used_by, day) DO UPDATE SET requests = d.requests + excluded.requests,
      errors = d.errors + excluded.errors, points = d.points + excluded.points,
      durations = ${SUM_OF_DURATIONS}`);

const addMarks = (db: Database, marks: readonly MarkCount[]) =>
  db.query(sql`INSERT INTO usage_marks AS m (used_by, day, kind, name, count, last_at)
    SELECT x.* FROM jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
      AS x("usedBy" text, day date, kind usage_kind, name text, count bigint, "lastAt" timestamptz) ORDER BY 1, 2, 3, 4
    ON CONFLICT (used_by, day, kind, name) DO UPDATE SET count = m.count + excluded.count,
      last_at = greatest(m.last_at, excluded.last_at)`);

const SUM_OF_DURATIONS = sql`ARRAY(SELECT coalesce(x.a, 0) + coalesce(x.b, 0)
  FROM unnest(d.durations, excluded.durations) WITH ORDINALITY AS x(a, b, step) ORDER BY x.step)`;
