import { sql } from '../../db/sql/sql.ts';

/** A condition: the step `s` lets the member `m` decide it in the run `r`. */
export const mayDecide = sql`(NOT (s.exclude_requester AND m.user_id = r.created_by_id)
  AND NOT (s.distinct_from_earlier AND EXISTS (SELECT FROM approvals b
    JOIN approvers x ON x.organization_id = b.organization_id AND x.approval_id = b.id
    WHERE b.organization_id = r.organization_id AND b.run_id = r.id AND x.user_id = m.user_id
      AND x.state IN ('APPROVED', 'DENIED'))))`;
