import { sql } from '../../db/sql/sql.ts';
import type { ApprovalState } from '../../generated/prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import type { User } from '../users/user.ts';

/** As findAuthors reads them: people are named to all who see what they did. Joined, as each is read with its approval. */
const USER = sql`json_build_object('id', u.id, 'email', u.email, 'name', u.name) AS "user"`;

/** Who passed an item on to a step; result: of the step before, null for the first step of a run. */
export interface ReceivedFrom {
  id: string;
  user: User;
  result: ApprovalState | null;
}

/**
 * Of each of these approvals, who decided the step before; who started the run for the first step. The caller has checked
 * that the approvals are visible.
 */
export const findReceivedFrom = ({ db }: Context, approvalIds: readonly string[]) =>
  db.query<ReceivedFrom>(sql`SELECT a.id, ${USER}, before.state AS result
    FROM ${tables.approvals.from} JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    LEFT JOIN LATERAL (SELECT b.decided_by_id, b.state FROM approvals b
      JOIN process_steps s ON s.organization_id = b.organization_id AND s.id = b.step_id
      WHERE b.organization_id = a.organization_id AND b.run_id = a.run_id AND (b.created_at, b.id) < (a.created_at, a.id)
        AND s.rank <> (SELECT o.rank FROM process_steps o WHERE o.organization_id = a.organization_id AND o.id = a.step_id)
      ORDER BY b.created_at DESC, b.decided_at DESC, b.id DESC LIMIT 1) before ON true
    JOIN ${tables.users.from} ON u.id = coalesce(before.decided_by_id, r.created_by_id)
    WHERE a.id ${sql.any(approvalIds)}`);

/**
 * Of each of these approvals that is pending, an approver who has not answered: the viewer if they are one, else the first
 * by id. The caller has checked that the approvals are visible.
 */
export const findPendingApprovers = ({ db, viewer }: Context, approvalIds: readonly string[]) =>
  db.query<{ id: string; user: User }>(sql`SELECT DISTINCT ON (a.id) a.id, ${USER}
    FROM ${tables.approvals.from} JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id
    JOIN ${tables.users.from} ON u.id = x.user_id
    WHERE a.id ${sql.any(approvalIds)} AND a.state = 'PENDING' AND x.state = 'PENDING'
    ORDER BY a.id, x.user_id = ${viewer.userId} DESC, x.user_id`);
