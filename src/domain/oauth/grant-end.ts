import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { endInvitationsOfGrants } from '../organizations/invitation-end.ts';
import { recordSecurityEvents } from '../users/security-event.ts';

/** Why a grant ended; its security event is `authorization.` and this. */
export type GrantEnd =
  | 'revoked_by_user'
  | 'revoked_by_app'
  | 'app_deleted'
  | 'password_changed'
  | 'code_replayed'
  | 'refresh_token_reused';

/**
 * Ends the grants (alias `g`) that meet the condition, with what their applications invited, and notifies their users.
 * Whoever checks a token joins its grant, so this ends every token that hangs on it, also one that a racing request
 * issues after it. Call it late: like `record`, it may lock the row of an organization's last event.
 */
export async function revokeGrants(
  tx: Transaction,
  condition: Sql,
  reason: GrantEnd,
  ipAddress: string | null = null,
): Promise<{ userId: string; clientId: string }[]> {
  const ended = await tx.query<{ userId: string; clientId: string; clientName: string }>(sql`
    WITH held AS (SELECT g.id FROM grants g WHERE g.revoked_at IS NULL AND ${condition} ORDER BY g.id FOR NO KEY UPDATE),
    ended AS (UPDATE grants g SET revoked_at = now(), revoked_reason = ${reason}
      FROM held WHERE g.id = held.id RETURNING g.user_id, g.client_id)
    SELECT DISTINCT e.user_id, e.client_id, c.name AS client_name FROM ended e JOIN clients c ON c.id = e.client_id`);
  await recordSecurityEvents(
    tx,
    ended.map(({ userId, clientId, clientName }) => ({
      userId,
      kind: `authorization.${reason}`,
      data: { clientId, clientName },
      ipAddress,
    })),
  );
  await endInvitationsOfGrants(tx, ended);
  return ended;
}

/** On authorization codes as `c`: one that can be redeemed, or whose tokens live. */
const livingFamily = sql`(c.revoked_at IS NULL AND (
  (c.used_at IS NULL AND c.expires_at > now())
  OR EXISTS (SELECT FROM refresh_tokens t WHERE t.code_hash = c.secret_hash AND t.used_at IS NULL
    AND t.revoked_at IS NULL AND t.expires_at > now())
  OR EXISTS (SELECT FROM access_tokens t WHERE t.code_hash = c.secret_hash AND t.revoked_at IS NULL
    AND t.expires_at > now())))`;

export interface Family {
  grantId: string;
  /** Of the authorization code that all its tokens came of. */
  codeHash: Uint8Array;
}

/**
 * Ends the tokens of one authorization, and the grant with the last of its families: other sign-ins of the user stay.
 * Whoever checks a token joins its family, so a racing request cannot issue one that lives.
 */
export async function revokeFamily(
  tx: Transaction,
  { grantId, codeHash }: Family,
  reason: GrantEnd,
  ipAddress: string | null,
): Promise<void> {
  // Whoever gives a code locks the grant too, so that the last family is the last.
  await tx.query(sql`SELECT g.id FROM grants g WHERE g.id = ${grantId} FOR NO KEY UPDATE`);
  const ended = await tx.query<{ userId: string; clientId: string; clientName: string }>(sql`
    UPDATE authorization_codes a SET revoked_at = now() FROM grants g JOIN clients c ON c.id = g.client_id
    WHERE a.secret_hash = ${codeHash} AND a.revoked_at IS NULL AND g.id = a.grant_id AND g.revoked_at IS NULL
    RETURNING g.user_id, g.client_id, c.name AS client_name`);
  const last = sql`g.id = ${grantId}
    AND NOT EXISTS (SELECT FROM authorization_codes c WHERE c.grant_id = g.id AND ${livingFamily})`;
  const grants = ended.length > 0 ? await revokeGrants(tx, last, reason, ipAddress) : [];
  if (grants.length > 0) return;
  await recordSecurityEvents(
    tx,
    ended.map(({ userId, ...data }) => ({ userId, kind: `authorization.${reason}`, data, ipAddress })),
  );
}
