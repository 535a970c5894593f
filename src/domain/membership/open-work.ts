import { type Sql, sql } from '../../db/sql/sql.ts';
import { visibleTasks } from '../access/access.ts';
import { approvalsWaitingForViewer } from '../approvals/approval.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';

/** Counts of the viewer's open work in an organization or project, each up to `WORK_LIMIT`. */
export interface OpenWork {
  id: string;
  openTasks: number;
  pendingApprovals: number;
}

/** Work is counted up to this number: each item is checked by itself. */
const WORK_LIMIT = sql.raw('1000');

/** `parents`: rows `k` (organization_id, id); `isIn`: whether a row of the organization is in that parent. */
const findOpenWork = (ctx: Context, parents: Sql, isIn: (row: Sql) => Sql) => {
  const { viewer } = ctx;
  return ctx.db.query<OpenWork>(sql`SELECT k.id,
    (SELECT count(*) FROM (SELECT FROM ${tables.tasks.from} WHERE t.organization_id = k.organization_id AND ${isIn(sql`t`)}
      AND t.state = 'OPEN' AND t.assignee_email = ${viewer.email} AND ${visibleTasks(viewer, tables.tasks)} LIMIT ${WORK_LIMIT}) c)::int AS open_tasks,
    (SELECT count(*) FROM ${approvalsWaitingForViewer(ctx, sql`k.organization_id`, WORK_LIMIT)} AND ${isIn(sql`a`)})::int AS pending_approvals
    FROM ${parents}`);
};

/** Returns the viewer's open work in each of these organizations. */
export const workInOrganizations = (ctx: Context, ids: readonly string[]) =>
  findOpenWork(
    ctx,
    sql`(SELECT i.id AS organization_id, i.id FROM unnest(${sql.texts(ids)}) i(id)) k`,
    () => sql`true`,
  );

/** Returns the viewer's open work in each of these projects. */
export const workInProjects = (ctx: Context, ids: readonly string[]) =>
  findOpenWork(
    ctx,
    sql`(SELECT p.organization_id, p.id FROM ${tables.projects.from} WHERE p.id ${sql.any(ids)}) k`,
    (row) => sql`${row}.project_id = k.id`,
  );
