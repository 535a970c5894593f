import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { visibleApprovals } from '../access/access.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The path of the page on which an approver decides. It asks for the sign-in, so that whoever has the address decides nothing. */
export const approvalPath = (approvalId: string): string => `/approvals/${approvalId}`;

/** What to select from, with its condition: pending approvals of a document or task that this person has not answered. */
export const waitingApprovals = (itemId: Sql, userId: Sql): Sql => sql`${tables.approvals.from}
  JOIN ${tables.processRuns.from} ON r.organization_id = a.organization_id AND r.id = a.run_id
  JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id
  WHERE (r.document_id = ${itemId} OR r.task_id = ${itemId}) AND a.state = 'PENDING'
    AND x.user_id = ${userId} AND x.state = 'PENDING'`;

/** The oldest approval of a document or task that waits for this person; undefined without one. */
export async function findWaitingApproval(
  reader: Reader,
  viewer: Viewer,
  itemId: string,
): Promise<string | undefined> {
  const [waiting] = await reader.query<{ id: string }>(sql`SELECT a.id
    FROM ${waitingApprovals(sql`${itemId}`, sql`${viewer.userId}`)} AND ${visibleApprovals(viewer, tables.approvals)}
    ORDER BY a.created_at, a.id LIMIT 1`);
  return waiting?.id;
}
