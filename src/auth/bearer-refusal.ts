import type { Database } from '../db/database.ts';
import { type Sql, sql } from '../db/sql/sql.ts';
import { hashSecret } from '../lib/secret.ts';

interface Ended {
  isRevoked: boolean;
  isExpired: boolean;
  isDisabled: boolean;
}

const accountIsDisabled = sql`u.disabled_at IS NOT NULL AS is_disabled`;

const apiKey = (hash: Uint8Array): Sql => sql`
  SELECT c.revoked_at IS NOT NULL AS is_revoked, coalesce(c.expires_at <= now(), false) AS is_expired, ${accountIsDisabled}
  FROM api_keys c JOIN users u ON u.id = c.user_id WHERE c.secret_hash = ${hash}`;

const accessToken = (hash: Uint8Array): Sql => sql`
  SELECT num_nonnulls(t.revoked_at, f.revoked_at, g.revoked_at, c.deleted_at) > 0 AS is_revoked,
    t.expires_at <= now() AS is_expired, ${accountIsDisabled}
  FROM access_tokens t JOIN authorization_codes f ON f.secret_hash = t.code_hash JOIN grants g ON g.id = t.grant_id
    JOIN clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id
  WHERE t.secret_hash = ${hash}`;

/**
 * Why a bearer credential is refused. Only its holder learns that it was one: others would have to guess 256 bits. Undefined
 * without a credential.
 */
export async function bearerRefusal(db: Database, secret: string | undefined): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  if (secret === '') return 'The Authorization header is not of the form: Bearer <key>.';
  const hash = hashSecret(secret);
  const [ended] = await db.pipelined.query<Ended>(
    secret.startsWith('dgk_') ? apiKey(hash) : accessToken(hash),
  );
  if (!ended) return 'The credential is not known here.';
  if (ended.isRevoked) return 'The credential was revoked.';
  if (ended.isExpired) return 'The credential has expired.';
  return ended.isDisabled
    ? 'The account of the credential is disabled.'
    : 'The credential is not for this API.';
}
