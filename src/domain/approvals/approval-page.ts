import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { visibleApprovals } from '../access/access.ts';
import { findCurrentRevisions, findDocuments } from '../documents/document.ts';
import { documentUrl } from '../downloads/download.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { type Approval, findApprovals } from './approval.ts';
import { type ApprovalItem, findApprovalItems } from './approval-item.ts';

/** The path of the page on which an approver decides. It asks for the sign-in, so that whoever has the address decides nothing. */
export const approvalPath = (approvalId: string): string => `/approvals/${approvalId}`;

/** The oldest approval of a document or task that waits for this person; undefined without one. */
export async function findWaitingApproval(
  reader: Reader,
  viewer: Viewer,
  itemId: string,
): Promise<string | undefined> {
  const [waiting] = await reader.query<{ id: string }>(sql`SELECT a.id FROM ${tables.approvals.from}
    JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id
    WHERE (r.document_id = ${itemId} OR r.task_id = ${itemId}) AND a.state = 'PENDING'
      AND x.user_id = ${viewer.userId} AND x.state = 'PENDING' AND ${visibleApprovals(viewer, tables.approvals)}
    ORDER BY a.created_at, a.id LIMIT 1`);
  return waiting?.id;
}

interface ApprovalNames {
  processName: string;
  stepName: string;
  projectName: string;
  organizationName: string;
  requesterName: string;
  requesterEmail: string;
}

/** What an approver reads before they decide. `fileUrl`: of the newest revision of a document. */
export type ApprovalDetails = ApprovalNames & {
  approval: Approval;
  item: ApprovalItem;
  fileUrl?: string | null;
};

/** The details of an approval. Throws NOT_FOUND if the viewer does not see it. */
export async function findApprovalDetails(ctx: Context, id: string): Promise<ApprovalDetails> {
  const [approval] = await findApprovals(ctx, [id]);
  const [item] = approval ? await findApprovalItems(ctx, [approval.itemId]) : [];
  if (!approval || !item) throw notFound('Approval');
  const [names] = (await ctx.db.query<ApprovalNames>(sql`SELECT c.name AS process_name, s.name AS step_name,
      p.name AS project_name, o.name AS organization_name, u.name AS requester_name, u.email AS requester_email
    FROM ${tables.approvals.from}
    JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    JOIN processes c ON c.organization_id = r.organization_id AND c.id = r.process_id
    JOIN process_steps s ON s.organization_id = a.organization_id AND s.id = a.step_id
    JOIN projects p ON p.organization_id = a.organization_id AND p.id = a.project_id
    JOIN organizations o ON o.id = a.organization_id
    JOIN users u ON u.id = r.created_by_id WHERE a.id = ${id}`)) as [ApprovalNames];
  return { ...names, approval, item, fileUrl: await fileUrlOf(ctx, item) };
}

async function fileUrlOf(ctx: Context, { kind, id }: ApprovalItem): Promise<string | null | undefined> {
  if (kind !== 'DOCUMENT') return undefined;
  const [document] = await findDocuments(ctx, [id]);
  const [revision] = document ? await findCurrentRevisions(ctx, [document]) : [];
  return document && revision && documentUrl(ctx, document, revision, true);
}
