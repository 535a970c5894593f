import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { forbidden } from './errors.ts';
import { tables } from './tables.ts';

/** Which organization, and since when the user allows the application to act for them. */
interface Act {
  organizationId: Sql;
  authorizedAt: Sql;
}

/**
 * On applications: an organization lets it act there. Its own applications always may. The policy and the decision
 * are read at each request, so a change takes effect at once. A revocation concerns what was authorized until then.
 */
export function allowsApplication(applications: Rows<'clients'>, { organizationId, authorizedAt }: Act): Sql {
  const { organizations, organizationApplications: decisions } = tables;
  return sql`EXISTS (SELECT FROM ${organizations.from}
  LEFT JOIN ${decisions.from} ON ${decisions}.organization_id = ${organizations}.id AND ${decisions}.client_id = ${applications}.id
  WHERE ${organizations}.id = ${organizationId} AND (${organizations}.id = ${applications}.organization_id OR (
    ${policyAllows(organizations, decisions)} AND ${isUnrevoked(decisions, authorizedAt)})))`;
}

type Decisions = Rows<'organization_applications'>;

/** On the decision of an organization: what was authorized at a time was not revoked since. */
export const isUnrevoked = (decisions: Decisions, authorizedAt: Sql): Sql =>
  sql`(${decisions}.revoked_at IS NULL OR ${authorizedAt} > ${decisions}.revoked_at)`;

/** On organizations and their decision, if any, about another organization's application. */
export const policyAllows = (
  organizations: Rows<'organizations'>,
  decisions: Decisions,
): Sql => sql`(CASE ${organizations}.application_policy
  WHEN 'OPEN' THEN ${decisions}.decision IS DISTINCT FROM 'REFUSED' WHEN 'APPROVED_ONLY' THEN ${decisions}.decision IS NOT DISTINCT FROM 'APPROVED'
  ELSE false END)`;

/** The user belongs to organizations, and none of them lets the application act there: tokens would reach nothing. */
export const isClosedEverywhere = (userId: Sql, clientId: Sql, authorizedAt: Sql): Sql => sql`(
  EXISTS (SELECT FROM memberships m WHERE m.user_id = ${userId})
  AND NOT EXISTS (SELECT FROM memberships m JOIN ${tables.clients.from} ON c.id = ${clientId} WHERE m.user_id = ${userId}
    AND ${allowsApplication(tables.clients, { organizationId: sql`m.organization_id`, authorizedAt })}))`;

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
    sql`SELECT c.id FROM ${tables.clients.from} WHERE c.id = ${clientId} AND ${allowsApplication(tables.clients, act)}`,
  );
  if (allowed.length === 0)
    throw forbidden('The organization does not allow this application any more.', undefined, {
      rule: 'APPLICATION_POLICY',
    });
}
