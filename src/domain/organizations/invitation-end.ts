import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import type { Invitation } from './invitation.ts';

/** The actor of these events: the server, when an authorization ends. */
const SERVER_ACTOR: Actor = { viewer: { userId: null, credentialId: null }, requestId: 'revocation' };

type EndedInvitation = Pick<Invitation, 'organizationId' | 'id' | 'email' | 'role' | 'clientId'>;

/**
 * Withdraws the open invitations that these applications created for these users, unless the user has another valid
 * grant for the application. Against a concurrent acceptance, the transaction that deletes the row wins.
 */
export async function endInvitationsOfGrants(
  tx: Transaction,
  grants: readonly { userId: string; clientId: string }[],
): Promise<void> {
  const ended = await tx.query<EndedInvitation>(sql`DELETE FROM invitations i
    USING unnest(${sql.texts(grants.map(({ userId }) => userId))}, ${sql.texts(grants.map(({ clientId }) => clientId))}) x(user_id, client_id)
    WHERE i.client_id = x.client_id AND i.created_by_id = x.user_id
    AND NOT EXISTS (SELECT FROM grants g WHERE g.client_id = x.client_id AND g.user_id = x.user_id AND g.revoked_at IS NULL)
    RETURNING i.organization_id, i.id, i.email, i.role::text AS role, i.client_id`);
  if (ended.length === 0) return;
  const events = ended.map(({ organizationId, id: subjectId, email, role, clientId }) => ({
    organizationId,
    subjectId,
    kind: 'invitation.withdrawn',
    data: { before: { email, role }, reason: 'authorization_ended', clientId },
  }));
  await recordEvents(SERVER_ACTOR, tx, events);
}
