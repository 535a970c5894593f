import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';

/** A condition: the step lets the member decide it in the run. */
export const mayDecide = (step: Sql, m: Rows<'memberships'>, run: Sql): Sql =>
  sql`(NOT (${step}.exclude_requester AND ${m}.user_id = ${run}.created_by_id)
  AND NOT (${step}.distinct_from_earlier AND EXISTS (SELECT FROM approvals b
    JOIN approvers x ON x.organization_id = b.organization_id AND x.approval_id = b.id
    WHERE b.organization_id = ${run}.organization_id AND b.run_id = ${run}.id AND x.user_id = ${m}.user_id
      AND x.state IN ('APPROVED', 'DENIED'))))`;
