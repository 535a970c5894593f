import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { OrganizationRole } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import { issueOfCredential, membershipIsUsable } from '../access/access-second-factor.ts';
import { isManager } from '../access/role.ts';
import { allowsApplication } from '../kernel/application-policy.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Who started a copy, where, and with which credential. */
export interface Copier {
  organizationId: string;
  userId: string;
  credentialId: string | null;
}

/**
 * The person as a viewer with today's rights; undefined if they no longer manage the organization, are disabled, lack a
 * second factor that it requires of this credential, if the grant or API key was revoked, or the organization does not allow the application.
 * Locks what it checks: a revocation at the same
 * time takes effect after the batch, and nothing is copied once it has.
 */
export async function findCopier(tx: Transaction, copier: Copier): Promise<Viewer | undefined> {
  const { organizationId, userId, credentialId } = copier;
  const [person] = await tx.query<{ email: string; name: string; role: OrganizationRole }>(sql`
    SELECT u.email, u.name, m.role::text AS role FROM users u JOIN ${tables.memberships.from} ON m.user_id = u.id
    WHERE u.id = ${userId} AND u.disabled_at IS NULL AND m.organization_id = ${organizationId} AND ${membershipIsUsable(tables.memberships, issueOfCredential(credentialId))}
    FOR SHARE OF u, m`);
  if (!person || !isManager(person.role) || !(await lockCredential(tx, credentialId))) return undefined;
  if (!(await isStillAllowed(tx, copier))) return undefined;
  const { role, ...named } = person;
  return {
    ...named,
    userId,
    credentialId: credentialId ?? '',
    scopes: new Set(['read', 'write']),
    memberships: [{ organizationId, role }],
  };
}

/** Tables of credentials that their owner revokes. The end of a browser sign-in or of an API key's time revokes nothing. */
const REVOCABLE: Partial<Record<string, string>> = { Grant: 'grants', ApiKey: 'api_keys' };

/** False if the credential was revoked, or deleted with its application. */
async function lockCredential(tx: Transaction, id: string | null): Promise<boolean> {
  const table = REVOCABLE[(id && typeOfId(id)) || ''];
  if (!table) return true;
  const live = await tx.query(
    sql`SELECT c.id FROM ${sql.raw(table)} c WHERE c.id = ${id} AND c.revoked_at IS NULL FOR SHARE`,
  );
  return live.length > 0;
}

/** False if the copy was started by an application that the organization does not allow any more. */
async function isStillAllowed(tx: Transaction, { organizationId, credentialId }: Copier): Promise<boolean> {
  if (!credentialId || typeOfId(credentialId) !== 'Grant') return true;
  await tx.query(sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId} FOR SHARE`);
  const act = { organizationId: sql`${organizationId}`, authorizedAt: sql`g.consented_at` };
  const allowed =
    await tx.query(sql`SELECT c.id FROM grants g JOIN ${tables.clients.from} ON c.id = g.client_id
    WHERE g.id = ${credentialId} AND ${allowsApplication(tables.clients, act)}`);
  return allowed.length > 0;
}
