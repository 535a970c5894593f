import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import { fallbackOf, type Listing, type Parent, parentsAsRows } from '../kernel/listing.ts';
import { type Task, tasksOfProject } from './task.ts';
import type { TaskFilter } from './task-filter.ts';

/** Numbers of tasks: each is on time, past due or unscheduled. */
export interface TaskStatistics {
  total: number;
  /** Open and not due yet, or closed by the due time. */
  onTime: number;
  pastDue: number;
  /** Without a due time. */
  unscheduled: number;
  /** The sum of the estimated durations. */
  durationMinutes: bigint;
}

export interface StatisticsOf {
  project: Parent;
  filter: TaskFilter;
}

/** The minutes of a unit: a day has 8 working hours, and a week 5 such days. */
const MINUTES = sql`CASE t.duration_unit WHEN 'MINUTE' THEN 1 WHEN 'HOUR' THEN 60 WHEN 'DAY' THEN 480 WHEN 'WEEK' THEN 2400 END`;

/** On tasks with a due time: an open task is compared with now, a closed one with when it was closed. */
const ON_TIME = sql`CASE WHEN t.state = 'OPEN' THEN t.due_at > now() ELSE t.completed_at <= t.due_at END`;

type TaskListing = Listing<Task, TaskFilter, string>;

/** The visible tasks of the project `k` that match, without a limit. */
const tasksOf = (ctx: Context, { from, where, union }: TaskListing, filter: TaskFilter): Sql => {
  const tasks = sql`SELECT t.state, t.due_at, t.completed_at, t.duration_amount, t.duration_unit
    FROM ${from} WHERE ${where(ctx, filter)}`;
  return union ? sql`${tasks} UNION ALL ${tasksOf(ctx, union.listing, filter)}` : tasks;
};

/** One statement for each filter. Projects of one level of a query have the same filter object. */
export async function findTaskStatistics(
  ctx: Context,
  parents: readonly StatisticsOf[],
): Promise<TaskStatistics[]> {
  const found = new Map<StatisticsOf, TaskStatistics>();
  for (const filter of new Set(parents.map((each) => each.filter))) {
    const group = parents.filter((each) => each.filter === filter);
    const rows = await readStatistics(ctx, group, filter);
    for (const [index, each] of group.entries()) found.set(each, rows[index] as TaskStatistics);
  }
  return parents.map((each) => found.get(each) as TaskStatistics);
}

const readStatistics = (ctx: Context, group: readonly StatisticsOf[], filter: TaskFilter) =>
  ctx.db.query<TaskStatistics>(sql`SELECT s.* FROM ${parentsAsRows(group.map(({ project }) => project))}
    CROSS JOIN LATERAL (SELECT count(*)::int AS total,
      count(*) FILTER (WHERE t.due_at IS NULL)::int AS unscheduled,
      count(*) FILTER (WHERE t.due_at IS NOT NULL AND ${ON_TIME})::int AS on_time,
      count(*) FILTER (WHERE t.due_at IS NOT NULL AND (${ON_TIME}) IS NOT TRUE)::int AS past_due,
      coalesce(sum(t.duration_amount * ${MINUTES}), 0)::bigint AS duration_minutes
      FROM (${tasksOf(ctx, fallbackOf(ctx, tasksOfProject, filter) as TaskListing, filter)}) t) s
    ORDER BY k.index`);
