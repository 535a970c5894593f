import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import { endInvitationsOfGrants } from '../organizations/invitation-end.ts';
import { recordSecurityEvents } from '../users/security-event.ts';

/** Why a grant ended; the kind of its security event is `authorization.` plus this. */
export type RevocationReason =
  | 'revoked_by_user'
  | 'revoked_by_app'
  | 'revoked_by_organization'
  | 'app_deleted'
  | 'password_changed'
  | 'code_replayed'
  | 'refresh_token_reused';

/**
 * Revokes the live grants that meet the condition and the invitations their applications created, and records a
 * security event for each user. Every check of a token joins its grant, so tokens that a concurrent request issues end
 * too. Call it last in a transaction: like `recordEvents`, it may lock the row of an organization's last event.
 */
export async function revokeGrants(
  tx: Transaction,
  condition: (grants: Rows<'grants'>) => Sql,
  reason: RevocationReason,
  ipAddress: string | null = null,
): Promise<{ userId: string; clientId: string }[]> {
  const ended = await tx.query<{ userId: string; clientId: string; clientName: string }>(sql`
    WITH locked AS (SELECT g.id FROM ${tables.grants.from} WHERE g.revoked_at IS NULL AND ${condition(tables.grants)} ORDER BY g.id FOR NO KEY UPDATE),
    ended AS (UPDATE grants g SET revoked_at = now(), revoked_reason = ${reason}
      FROM locked WHERE g.id = locked.id RETURNING g.user_id, g.client_id)
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
  if (ended.length > 0) await endInvitationsOfGrants(tx, ended);
  return ended;
}

/** Condition on authorization codes: can be redeemed, or has a live token. */
const isLiveFamily = (codes: Rows<'authorization_codes'>): Sql => sql`(${codes}.revoked_at IS NULL AND (
  (${codes}.used_at IS NULL AND ${codes}.expires_at > now())
  OR EXISTS (SELECT FROM refresh_tokens t WHERE t.code_hash = ${codes}.secret_hash AND t.used_at IS NULL
    AND t.revoked_at IS NULL AND t.expires_at > now())
  OR EXISTS (SELECT FROM access_tokens t WHERE t.code_hash = ${codes}.secret_hash AND t.revoked_at IS NULL
    AND t.expires_at > now())))`;

/** The tokens of one authorization. */
export interface TokenFamily {
  grantId: string;
  /** Hash of the authorization code from which all its tokens derive. */
  codeHash: Uint8Array;
}

/**
 * Revokes a token family, and the grant if it was its last live family; other families of the user stay. Every check of a
 * token joins its family, so tokens that a concurrent request issues end too.
 */
export async function revokeFamily(
  tx: Transaction,
  { grantId, codeHash }: TokenFamily,
  reason: RevocationReason,
  ipAddress: string | null,
): Promise<void> {
  // Issuing a code locks the grant too, so that no family is added while the last one is determined.
  await tx.query(sql`SELECT g.id FROM grants g WHERE g.id = ${grantId} FOR NO KEY UPDATE`);
  const ended = await tx.query<{ userId: string; clientId: string; clientName: string }>(sql`
    UPDATE authorization_codes a SET revoked_at = now() FROM grants g JOIN clients c ON c.id = g.client_id
    WHERE a.secret_hash = ${codeHash} AND a.revoked_at IS NULL AND g.id = a.grant_id AND g.revoked_at IS NULL
    RETURNING g.user_id, g.client_id, c.name AS client_name`);
  const { authorizationCodes } = tables;
  const last = (grants: Rows<'grants'>) => sql`${grants}.id = ${grantId} AND NOT EXISTS (
    SELECT FROM ${authorizationCodes.from} WHERE ${authorizationCodes}.grant_id = ${grants}.id AND ${isLiveFamily(authorizationCodes)})`;
  const grants = ended.length > 0 ? await revokeGrants(tx, last, reason, ipAddress) : [];
  if (grants.length > 0) return;
  await recordSecurityEvents(
    tx,
    ended.map(({ userId, ...data }) => ({ userId, kind: `authorization.${reason}`, data, ipAddress })),
  );
}
