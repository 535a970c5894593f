import { type Sql, sql } from '../../db/sql/sql.ts';
import { visibleTasks } from '../access/access.ts';
import { approvalsWaitingForViewer } from '../approvals/approval.ts';
import type { Context } from '../kernel/context.ts';

/** What is left for the viewer to do somewhere. */
export interface OpenWork {
  id: string;
  openTasks: number;
  pendingApprovals: number;
}

const work = (ctx: Context, ids: readonly string[], place: (row: Sql) => Sql) => {
  const { viewer } = ctx;
  return ctx.db.query<OpenWork>(sql`SELECT k.id,
    (SELECT count(*) FROM tasks t WHERE ${place(sql`t`)} = k.id AND t.state = 'OPEN'
      AND t.assignee_email = ${viewer.email} AND ${visibleTasks(viewer)})::int AS open_tasks,
    (SELECT count(*) FROM ${approvalsWaitingForViewer(ctx)} AND ${place(sql`a`)} = k.id)::int AS pending_approvals
    FROM unnest(${ids}::text[]) AS k(id)`);
};

export const workInOrganizations = (ctx: Context, ids: readonly string[]) =>
  work(ctx, ids, (row) => sql`${row}.organization_id`);

export const workInProjects = (ctx: Context, ids: readonly string[]) =>
  work(ctx, ids, (row) => sql`${row}.project_id`);
