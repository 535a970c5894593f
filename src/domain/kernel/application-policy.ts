import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { forbidden } from './errors.ts';

/** Which organization, and since when the user allows the application of alias `c` to act for them. */
interface Act {
  organizationId: Sql;
  authorizedAt: Sql;
}

/**
 * On applications as `c`: an organization lets it act there. Its own applications always may. The policy and the decision
 * are read at each request, so a change takes effect at once. A revocation concerns what was authorized until then.
 */
export const allowsApplication = ({ organizationId, authorizedAt }: Act): Sql => sql`EXISTS (
  SELECT FROM organizations o LEFT JOIN organization_applications x ON x.organization_id = o.id AND x.client_id = c.id
  WHERE o.id = ${organizationId} AND (o.id = c.organization_id OR (
    ${policyAllows} AND ${isUnrevoked(authorizedAt)})))`;

/** On the decision of an organization as `x`: what was authorized at a time was not revoked since. */
export const isUnrevoked = (authorizedAt: Sql): Sql =>
  sql`(x.revoked_at IS NULL OR ${authorizedAt} > x.revoked_at)`;

/** On organizations as `o` and their decision about another organization's application as `x`. */
export const policyAllows: Sql = sql`(CASE o.application_policy
  WHEN 'OPEN' THEN x.decision IS DISTINCT FROM 'REFUSED' WHEN 'APPROVED_ONLY' THEN x.decision IS NOT DISTINCT FROM 'APPROVED'
  ELSE false END)`;

/** The user belongs to organizations, and none of them lets the application act there: tokens would reach nothing. */
export const isClosedEverywhere = (userId: Sql, clientId: Sql, authorizedAt: Sql): Sql => sql`(
  EXISTS (SELECT FROM memberships m WHERE m.user_id = ${userId})
  AND NOT EXISTS (SELECT FROM memberships m JOIN clients c ON c.id = ${clientId} WHERE m.user_id = ${userId}
    AND ${allowsApplication({ organizationId: sql`m.organization_id`, authorizedAt })}))`;

/**
 * For the transaction of a change by an application, while it has the lock on the organization's events: policies and decisions
 * take that lock too, so a change is committed before them or not at all. Throws FORBIDDEN.
 */
export async function requireAllowed(
  reader: Reader,
  organizationId: string,
  { clientId, authorizedAt }: { clientId: string; authorizedAt: Date },
): Promise<void> {
  const act = { organizationId: sql`${organizationId}`, authorizedAt: sql`${authorizedAt}::timestamptz` };
  const allowed = await reader.query(
    sql`SELECT c.id FROM clients c WHERE c.id = ${clientId} AND ${allowsApplication(act)}`,
  );
  if (allowed.length === 0)
    throw forbidden('The organization does not allow this application any more.', undefined, {
      rule: 'APPLICATION_POLICY',
    });
}
