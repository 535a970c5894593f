import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { isApplication, isManager } from '../access/role.ts';
import type { Viewer } from '../kernel/viewer.ts';

type Owned = Pick<Webhook, 'organizationId' | 'ownerId' | 'credentialId' | 'clientId'>;

/** Whether any grant of the user still lets the application read: repeated sign-ins may have created several. */
const applicationMayRead = ({ clientId, credentialId }: Owned): Sql => sql`EXISTS (SELECT FROM grants g
  JOIN clients c ON c.id = g.client_id WHERE g.user_id = u.id
  AND g.client_id = coalesce(${clientId}, (SELECT c.client_id FROM grants c WHERE c.id = ${credentialId}))
  AND g.revoked_at IS NULL AND c.deleted_at IS NULL AND 'read' = ANY(g.scopes) AND 'read' = ANY(c.scopes))`;

/** Whether the API key or application that created the webhook may still read; a session depends on the user alone. */
const credentialMayRead = (hook: Owned): Sql => sql`CASE left(${hook.credentialId}, 4)
  WHEN 'key_' THEN EXISTS (SELECT FROM api_keys a WHERE a.id = ${hook.credentialId} AND a.user_id = u.id
    AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now()) AND 'read' = ANY(a.scopes))
  WHEN 'gra_' THEN ${applicationMayRead(hook)} ELSE true END`;

interface Owner {
  email: string;
  name: string;
  role: Viewer['memberships'][0]['role'];
  reads: boolean;
}

const REMEDY = 'Whoever updates it becomes its owner.';
const REASONS = {
  role: `Its owner may not manage the organization any more. ${REMEDY}`,
  application: `Its owner does not let the application that set it up read any more, or the application is gone. ${REMEDY}`,
  key: `The API key that set it up was deleted, has expired, or may not read any more. ${REMEDY}`,
};

/**
 * The owner of a webhook as a viewer with their present rights: to read, in its organization alone. Returns the reason
 * instead when they no longer manage the organization, or the credential that created the webhook has ended.
 */
export async function ownerOf(db: Database, hook: Owned): Promise<Viewer | string> {
  const { organizationId, ownerId, credentialId } = hook;
  const [owner] =
    await db.query<Owner>(sql`SELECT u.email, u.name, m.role::text AS role, ${credentialMayRead(hook)} AS reads
    FROM users u JOIN memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
    WHERE u.id = ${ownerId} AND u.disabled_at IS NULL`);
  if (!owner || !isManager(owner.role)) return REASONS.role;
  const { role, reads, ...person } = owner;
  const memberships = [{ organizationId, role }];
  const viewer = {
    ...person,
    userId: ownerId,
    credentialId,
    scopes: new Set(['read' as const]),
    memberships,
  };
  if (reads) return viewer;
  return isApplication(viewer) ? REASONS.application : REASONS.key;
}
