import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { DomainError } from '../kernel/errors.ts';
import { isApplication, type Viewer } from '../kernel/viewer.ts';

/**
 * Orders what an application does to memberships of an organization with the end of its authorization, and with what the organization
 * decides about applications: it is committed before them, so that they find the invitations, or it is refused. Nothing is locked for
 * another credential. Throws UNAUTHENTICATED if the authorization has ended; `recordEvents` refuses what the organization does not allow.
 */
export async function lockAuthorization(
  viewer: Viewer,
  tx: Transaction,
  organizationId: string,
): Promise<void> {
  if (!isApplication(viewer)) return;
  const live = await tx.query(
    sql`SELECT g.id FROM grants g WHERE g.id = ${viewer.credentialId} AND g.revoked_at IS NULL FOR SHARE`,
  );
  if (live.length === 0)
    throw new DomainError('UNAUTHENTICATED', 'The authorization of this request has ended.');
  await tx.query(sql`SELECT o.id FROM organizations o WHERE o.id = ${organizationId} FOR SHARE`);
}
