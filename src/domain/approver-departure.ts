import type { Transaction } from '../db/database.ts';
import { type ApprovalState, Prisma } from '../generated/prisma/client.ts';
import { decided } from './approval-batch.ts';
import { holdItems } from './approval-item.ts';
import { advance, type Moved, settle, told } from './approval-settle.ts';
import { type Standing, transition } from './approval-state.ts';
import type { Scope } from './assignment.ts';
import type { Occurrence } from './audit.ts';
import type { Context } from './context.ts';

const { sql } = Prisma;

type Held = Moved & Standing & { leaving: string[] };

/**
 * Takes whoever leaves out of every approval that still asks them, as if they had declined it: one that all have to
 * approve would otherwise wait for ever. Its run goes on where the others have approved; where nobody is left to decide,
 * or to ask for the next step, it is declined. Gives what there is to record. Call it once they are no members any more,
 * so that no next step asks them.
 */
export async function declineForLeaving(
  ctx: Context,
  tx: Transaction,
  scope: Scope,
  userIds: readonly string[],
): Promise<Occurrence[]> {
  const held = await hold(tx, scope, userIds);
  if (held.length === 0) return [];
  const states = new Map(held.map((each) => [each.id, afterLeaving(each)]));
  const stateOf = ({ id }: Held) => states.get(id) as ApprovalState;
  await tx.prisma.approver.updateMany({
    where: { approvalId: { in: held.map(({ id }) => id) }, userId: { in: [...userIds] }, state: 'PENDING' },
    data: { state: 'DECLINED', decidedAt: new Date() },
  });
  await settle(ctx, tx, held, stateOf);
  const advanced = await advance(ctx, tx, held, stateOf);
  return told(held, stateOf, advanced, 'DECLINED', ({ leaving }) => ({ leftApproverIds: leaving }));
}

function afterLeaving({ leaving, ...standing }: Held): ApprovalState {
  let after: Standing = standing;
  for (const by of leaving) {
    const next = transition(after, { verb: 'DECLINE', by });
    if (!next) throw decided();
    after = next;
  }
  return after.state;
}

/** What asks them, held in the order in which decisions hold it; and read again, for one may have been made meanwhile. */
async function hold(tx: Transaction, scope: Scope, userIds: readonly string[]): Promise<Held[]> {
  const asking = await findAsking(tx, scope, userIds);
  const ids = asking.map(({ id }) => id);
  await holdItems(
    tx,
    asking.map(({ itemId }) => itemId),
  );
  await tx.query(sql`SELECT id FROM approvals WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
  const still = await findAsking(tx, scope, userIds);
  const approvers = await tx.prisma.approver.findMany({
    where: { approvalId: { in: still.map(({ id }) => id) } },
    orderBy: { userId: 'asc' },
  });
  return still.map((each) => {
    const asked = approvers.filter(({ approvalId }) => approvalId === each.id);
    const leaving = asked.filter(({ userId, state }) => state === 'PENDING' && userIds.includes(userId));
    return { ...each, approvers: asked, leaving: leaving.map(({ userId }) => userId) };
  });
}

const findAsking = (tx: Transaction, { organizationId, projectId }: Scope, userIds: readonly string[]) =>
  tx.query<Moved & Pick<Standing, 'rule' | 'state'>>(sql`
    SELECT a.id, a.organization_id, a.project_id, a.run_id, a.rule::text AS rule, a.state::text AS state, r.process_id,
      coalesce(r.document_id, r.task_id) AS item_id
    FROM approvals a JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    WHERE a.organization_id = ${organizationId} AND ${projectId ? sql`a.project_id = ${projectId}` : sql`true`}
    AND a.state = 'PENDING' AND a.id IN (SELECT x.approval_id FROM approvers x
      WHERE x.organization_id = a.organization_id AND x.user_id = ANY(${userIds}) AND x.state = 'PENDING')
    ORDER BY a.created_at, a.id`);
