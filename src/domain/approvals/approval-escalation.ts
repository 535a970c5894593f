import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalRule, OverdueAction } from '../../generated/prisma/client.ts';
import { findExcluded } from './approval-batch.ts';
import { findEditors } from './approval-editor.ts';
import type { ApprovalRef } from './approval-outcome.ts';
import { MAX_APPROVERS } from './process-progress.ts';

/** A pending approval whose due time has passed. isWaiting: its item is active or open, in an enabled project. */
export type OverdueApproval = ApprovalRef & {
  stepId: string;
  rule: ApprovalRule;
  need: number | null;
  onOverdue: OverdueAction;
  dueAt: Date;
  isWaiting: boolean;
};

/** Who got a vote; need: how many have to approve from now on, if all had to. */
interface Escalation {
  approverIds: string[];
  need?: number;
}

/**
 * Gives a vote on a locked, pending approval to those whom its step names for it: editors of the project who have no vote
 * yet and whom the approval does not exclude. The number of approvals that it needs stays the same.
 */
export async function escalate(tx: Transaction, approval: OverdueApproval): Promise<Escalation> {
  const approverIds = await findEscalated(tx, approval);
  if (approverIds.length === 0) return { approverIds };
  const need = await keepNeed(tx, approval);
  const { organizationId, id: approvalId } = approval;
  await tx.prisma.approver.createMany({
    data: approverIds.map((userId) => ({ organizationId, approvalId, userId })),
  });
  return { approverIds, need };
}

async function findEscalated(tx: Transaction, approval: OverdueApproval): Promise<string[]> {
  const { organizationId, projectId, id, stepId } = approval;
  const named = await tx.query<{ userId: string }>(sql`
    SELECT y.user_id FROM process_step_escalations y WHERE y.organization_id = ${organizationId} AND y.step_id = ${stepId}
    UNION SELECT gm.user_id FROM process_steps s
    JOIN group_members gm ON gm.organization_id = s.organization_id AND gm.group_id = s.escalate_group_id
    WHERE s.organization_id = ${organizationId} AND s.id = ${stepId}`);
  const editors = await findEditors(
    tx,
    projectId,
    named.map(({ userId }) => userId),
  );
  const where = { organizationId, approvalId: id };
  const approvers = await tx.prisma.approver.findMany({ where, select: { userId: true } });
  const excluded = (await findExcluded(tx, [id])).flatMap(({ userIds }) => userIds);
  const others = new Set([...approvers.map(({ userId }) => userId), ...excluded]);
  return editors
    .map(({ userId }) => userId)
    .filter((userId) => !others.has(userId))
    .sort()
    .slice(0, Math.max(0, MAX_APPROVERS - approvers.length));
}

/** Of an approval that needs all of its approvers: it needs as many as before, however many join them. */
async function keepNeed(tx: Transaction, approval: OverdueApproval): Promise<number | undefined> {
  const { organizationId, id, rule, need } = approval;
  const where = { organizationId, approvalId: id, state: { not: 'DECLINED' as const } };
  const kept = rule === 'ALL' && need === null ? await tx.prisma.approver.count({ where }) : undefined;
  await tx.prisma.approval.update({
    where: { organizationId_id: { organizationId, id } },
    data: {
      version: { increment: 1 },
      ...(kept !== undefined && (kept > 1 ? { need: kept } : { rule: 'ONE' as const })),
    },
  });
  return kept;
}
