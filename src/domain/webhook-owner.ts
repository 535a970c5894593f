import type { Database } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Webhook } from '../generated/prisma/client.ts';
import { isOrganizationAdmin } from './role.ts';
import type { Viewer } from './viewer.ts';

type Owned = Pick<Webhook, 'organizationId' | 'ownerId' | 'credentialId'>;

/** The key or the grant that made the webhook still reads; a sign-in leaves it to the person. */
const stillReads = (credentialId: string): Sql => sql`CASE left(${credentialId}, 4)
  WHEN 'key_' THEN EXISTS (SELECT FROM api_keys a WHERE a.id = ${credentialId} AND a.user_id = u.id
    AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now()) AND 'read' = ANY(a.scopes))
  WHEN 'gra_' THEN EXISTS (SELECT FROM grants g JOIN clients c ON c.id = g.client_id WHERE g.id = ${credentialId}
    AND g.user_id = u.id AND g.revoked_at IS NULL AND c.deleted_at IS NULL
    AND 'read' = ANY(g.scopes) AND 'read' = ANY(c.scopes))
  ELSE true END`;

/**
 * Whom a webhook sends for, with their rights of this moment: to read, in its organization alone. Undefined once they may
 * not manage the organization any more, or the credential with which they set the webhook up has ended.
 */
export async function ownerOf(db: Database, hook: Owned): Promise<Viewer | undefined> {
  const { organizationId, ownerId, credentialId } = hook;
  const [owner] = await db.query<{ email: string; name: string; role: Viewer['memberships'][0]['role'] }>(sql`
    SELECT u.email, u.name, m.role::text AS role FROM users u
    JOIN memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
    WHERE u.id = ${ownerId} AND u.disabled_at IS NULL AND ${stillReads(credentialId)}`);
  if (!owner) return undefined;
  const { role, ...person } = owner;
  const memberships = [{ organizationId, role }];
  const viewer = {
    ...person,
    userId: ownerId,
    credentialId,
    scopes: new Set(['read' as const]),
    memberships,
  };
  return isOrganizationAdmin(viewer, organizationId) ? viewer : undefined;
}
