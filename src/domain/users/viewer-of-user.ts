import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { membershipIsUsable } from '../access/access-second-factor.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** Who a mail is for, with what they may see at this moment: nothing while their account or membership is closed to them. */
export async function viewerOfRecipient(db: Database, userId: string, actingFor: string): Promise<Viewer> {
  const viewer = await viewerOfUser(db, userId, actingFor);
  const usable = await db.query<{ organizationId: string }>(sql`SELECT m.organization_id
    FROM ${tables.memberships.from} JOIN users u ON u.id = m.user_id
    WHERE m.user_id = ${userId} AND u.disabled_at IS NULL AND ${membershipIsUsable(tables.memberships)}`);
  const ids = new Set(usable.map(({ organizationId }) => organizationId));
  return {
    ...viewer,
    memberships: viewer.memberships.filter(({ organizationId }) => ids.has(organizationId)),
  };
}

/** Acts as a person without a credential of theirs: for the command line and the demo workspace, never for a request. */
export async function viewerOfUser({ prisma }: Database, userId: string, actingFor: string): Promise<Viewer> {
  const user = await prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const memberships = await prisma.membership.findMany({ where: { userId } });
  return {
    userId,
    email: user.email,
    isEmailVerified: user.emailVerifiedAt !== null,
    name: user.name,
    scopes: new Set(['read', 'write']),
    credentialId: actingFor,
    memberships,
  };
}
