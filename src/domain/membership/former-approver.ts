import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalState } from '../../generated/prisma/client.ts';
import { isEditor } from '../access/access.ts';
import { alreadyDecided } from '../approvals/approval-batch.ts';
import { lockItems } from '../approvals/approval-item.ts';
import {
  type ApprovalRef,
  advanceRuns,
  approvalEvents,
  writeApprovalStates,
} from '../approvals/approval-outcome.ts';
import { type ApprovalProgress, transition } from '../approvals/approval-state.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';

type Held = ApprovalRef & ApprovalProgress & { leaving: string[] };

/** Where someone may have lost the right to decide: an organization, or one project of it; and who, where that is known. */
interface ApproverScope {
  organizationId: string;
  projectId?: string;
  userIds?: readonly string[];
}

/**
 * Takes whoever may not decide any more (who has left, or only reads there by now) out of every approval that still asks
 * them, as if they had declined it: one that all have to approve would otherwise wait for ever. Its run goes on where the
 * others have approved; where nobody is left to decide, or to ask for the next step, it is declined. Gives what there is
 * to record. Call it once the change is made; whoever asks someone holds their membership, and the project, until then.
 */
export async function declineForFormerApprovers(
  ctx: Context,
  tx: Transaction,
  circle: ApproverScope,
): Promise<NewEvent[]> {
  const held = await hold(tx, circle);
  if (held.length === 0) return [];
  const states = new Map(held.map((each) => [each.id, afterLeaving(each)]));
  const stateOf = ({ id }: Held) => states.get(id) as ApprovalState;
  const places = held.flatMap(({ id, leaving }) => leaving.map((userId) => ({ id, userId })));
  await tx.query(sql`UPDATE approvers x SET state = 'DECLINED', decided_at = ${new Date()}::timestamptz
    FROM unnest(${places.map(({ id }) => id)}::text[], ${places.map(({ userId }) => userId)}::text[]) AS k(id, user_id)
    WHERE x.organization_id = ${circle.organizationId} AND x.approval_id = k.id AND x.user_id = k.user_id
    AND x.state = 'PENDING' RETURNING x.user_id`);
  await writeApprovalStates(ctx, tx, held, stateOf);
  const advanced = await advanceRuns(ctx, tx, held, stateOf);
  return approvalEvents(held, stateOf, advanced, 'DECLINED', ({ leaving }) => ({ leftApproverIds: leaving }));
}

function afterLeaving({ leaving, ...standing }: Held): ApprovalState {
  let after: ApprovalProgress = standing;
  for (const by of leaving) {
    const next = transition(after, { verb: 'DECLINE', by });
    if (!next) throw alreadyDecided();
    after = next;
  }
  return after.state;
}

/** What asks them, held in the order in which decisions hold it; and read again, for one may have been made meanwhile. */
async function hold(tx: Transaction, circle: ApproverScope): Promise<Held[]> {
  const asking = await findAsking(tx, circle);
  const ids = asking.map(({ id }) => id);
  await lockItems(
    tx,
    asking.map(({ itemId }) => itemId),
  );
  await tx.query(sql`SELECT id FROM approvals WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
  const still = await findAsking(tx, circle);
  const approvers = await tx.prisma.approver.findMany({
    where: { approvalId: { in: still.map(({ id }) => id) } },
    orderBy: { userId: 'asc' },
  });
  return still.map((each) => ({
    ...each,
    approvers: approvers.filter(({ approvalId }) => approvalId === each.id),
  }));
}

const findAsking = (tx: Transaction, { organizationId, projectId, userIds }: ApproverScope) =>
  tx.query<Omit<Held, 'approvers'>>(sql`
    SELECT a.id, a.organization_id, a.project_id, a.run_id, a.rule::text AS rule, a.state::text AS state, r.process_id,
      coalesce(r.document_id, r.task_id) AS item_id, l.leaving
    FROM approvals a JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    JOIN projects p ON p.organization_id = a.organization_id AND p.id = a.project_id
    CROSS JOIN LATERAL (SELECT array_agg(x.user_id ORDER BY x.user_id) AS leaving FROM approvers x
      WHERE x.organization_id = a.organization_id AND x.approval_id = a.id AND x.state = 'PENDING'
      AND ${userIds ? sql`x.user_id = ANY(${userIds})` : sql`true`}
      AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = x.user_id AND ${isEditor})) l
    WHERE a.organization_id = ${organizationId} AND ${projectId ? sql`a.project_id = ${projectId}` : sql`true`}
    AND a.state = 'PENDING' AND l.leaving IS NOT NULL ORDER BY a.created_at, a.id`);
