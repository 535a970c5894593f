import { sql } from '../../db/sql/sql.ts';
import type { UsageKind } from '../../generated/prisma/client.ts';
import { adminOrganizations } from '../access/access.ts';
import { visibleApiKeys } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';

/** How many days, today included, use is shown for. */
export const USAGE_DAYS = 30;

/** Counts of requests; durations by `durationStep`. */
export interface RequestCounts {
  requests: number;
  errors: number;
  points: number;
  durations: number[];
}

export interface DayUsage extends RequestCounts {
  /** The beginning of the day, UTC. */
  day: Date;
}

export interface MarkUsage {
  name: string;
  count: number;
  lastAt: Date;
}

/** How an API key or an application was used in the last days, the newest first; days without requests are left out. */
export interface Usage {
  id: string;
  days: DayUsage[];
  /** By code, most frequent first. */
  errorCodes: MarkUsage[];
  /** By the name of what is deprecated, most frequent first. */
  deprecated: MarkUsage[];
}

interface Row {
  id: string;
  days: (RequestCounts & { day: string })[];
  marks: { kind: UsageKind; name: string; count: number; lastAt: string }[];
}

/** The use of the applications whose organization the viewer manages, and of the viewer's API keys, among the ids. */
export async function findUsage({ db, viewer }: Context, ids: readonly string[]): Promise<Usage[]> {
  const rows = await db.query<Row>(sql`
    WITH mine AS (
      SELECT c.id FROM ${tables.clients.from}
      WHERE c.id ${sql.any(ids)} AND c.organization_id = ANY(${adminOrganizations(viewer)})
      UNION ALL SELECT a.id FROM ${tables.apiKeys.from}
      WHERE a.id ${sql.any(ids)} AND ${visibleApiKeys(viewer, tables.apiKeys)})
    SELECT mine.id,
      coalesce((SELECT jsonb_agg(jsonb_build_object('day', d.day, 'requests', d.requests, 'errors', d.errors,
          'points', d.points, 'durations', d.durations) ORDER BY d.day DESC)
        FROM usage_days d WHERE d.used_by = mine.id AND d.day > ${LAST_HIDDEN_DAY}), '[]') AS days,
      coalesce((SELECT jsonb_agg(jsonb_build_object('kind', x.kind, 'name', x.name, 'count', x.count, 'lastAt', x.last_at)
          ORDER BY x.count DESC, x.name)
        FROM (SELECT m.kind, m.name, sum(m.count) AS count, max(m.last_at) AS last_at FROM usage_marks m
          WHERE m.used_by = mine.id AND m.day > ${LAST_HIDDEN_DAY} GROUP BY m.kind, m.name) x), '[]') AS marks
    FROM mine`);
  return rows.map(usageOf);
}

/** The last day that is not shown any more. */
export const LAST_HIDDEN_DAY = sql.raw(`(now() AT TIME ZONE 'UTC')::date - ${USAGE_DAYS}`);

const usageOf = ({ id, days, marks }: Row): Usage => ({
  id,
  days: days.map(({ day, ...counts }) => ({ ...counts, day: new Date(day) })),
  errorCodes: marksOf(marks, 'ERROR'),
  deprecated: marksOf(marks, 'DEPRECATED'),
});

const marksOf = (marks: Row['marks'], kind: UsageKind): MarkUsage[] =>
  marks
    .filter((mark) => mark.kind === kind)
    .map(({ name, count, lastAt }) => ({ name, count, lastAt: new Date(lastAt) }));

/** The counts of several days together. */
export function totalOf(days: readonly RequestCounts[]): RequestCounts {
  const total: RequestCounts = { requests: 0, errors: 0, points: 0, durations: [] };
  for (const { requests, errors, points, durations } of days) {
    total.requests += requests;
    total.errors += errors;
    total.points += points;
    for (const [step, count] of durations.entries())
      total.durations[step] = (total.durations[step] ?? 0) + count;
  }
  return total;
}
