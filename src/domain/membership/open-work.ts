import { type Sql, sql } from '../../db/sql/sql.ts';
import { visibleTasks } from '../access/access.ts';
import { approvalsWaitingForViewer } from '../approvals/approval.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';

/** Counts of the viewer's open work in an organization or project. */
export interface OpenWork {
  id: string;
  openTasks: number;
  pendingApprovals: number;
}

const findOpenWork = (ctx: Context, ids: readonly string[], parentOf: (row: Sql) => Sql) => {
  const { viewer } = ctx;
  return ctx.db.query<OpenWork>(sql`SELECT k.id,
    (SELECT count(*) FROM ${tables.tasks.from} WHERE ${parentOf(sql`t`)} = k.id AND t.state = 'OPEN'
      AND t.assignee_email = ${viewer.email} AND ${visibleTasks(viewer, tables.tasks)})::int AS open_tasks,
    (SELECT count(*) FROM ${approvalsWaitingForViewer(ctx)} AND ${parentOf(sql`a`)} = k.id)::int AS pending_approvals
    FROM unnest(${sql.texts(ids)}) AS k(id)`);
};

/** Returns the viewer's open work in each of these organizations. */
export const workInOrganizations = (ctx: Context, ids: readonly string[]) =>
  findOpenWork(ctx, ids, (row) => sql`${row}.organization_id`);

/** Returns the viewer's open work in each of these projects. */
export const workInProjects = (ctx: Context, ids: readonly string[]) =>
  findOpenWork(ctx, ids, (row) => sql`${row}.project_id`);
