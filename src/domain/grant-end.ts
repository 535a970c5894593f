import type { Transaction } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { noteSecurity } from './security-event.ts';

/** Why a grant ended; its security event is `authorization.` and this. */
export type GrantEnd =
  | 'revoked_by_user'
  | 'revoked_by_app'
  | 'app_deleted'
  | 'password_changed'
  | 'code_replayed'
  | 'refresh_token_reused';

/**
 * Ends the grants (alias `g`) that meet the condition, and tells their users. Whoever checks a token joins its grant,
 * so this one update ends every token that hangs on it, also one that a racing request issues after it.
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
  await noteSecurity(
    tx,
    ended.map(({ userId, clientId, clientName }) => ({
      userId,
      kind: `authorization.${reason}`,
      data: { clientId, clientName },
      ipAddress,
    })),
  );
  return ended;
}
