import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { DAY, MAX_REFRESH_GRACE } from '../../lib/time.ts';
import { tables } from '../kernel/tables.ts';

/** How long ended sign-ins are stored: they show from which networks a user has signed in before. */
export const SIGN_IN_RETENTION = 90 * DAY;

/** Rows that ended before this are deleted; running requests may still need later ones. */
const cutoff = nowPlus(-DAY);

const countDeleted = async (tx: Transaction, statement: Sql): Promise<number> =>
  (await tx.query(sql`${statement} RETURNING 1 AS deleted`)).length;

const deleteExpired =
  (
    table: 'access_tokens' | 'pushed_requests' | 'pending_sign_ins' | 'passkey_challenges' | 'oidc_requests',
  ) =>
  (tx: Transaction, limit: number) => {
    const name = sql.raw(table);
    return countDeleted(
      tx,
      sql`DELETE FROM ${name} WHERE secret_hash IN (SELECT secret_hash FROM ${name} WHERE expires_at <= ${cutoff}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
    );
  };

/** On authorization codes with their grant: no token of the family can be used any more. */
const isFamilyOver = (
  codes: Rows<'authorization_codes'>,
  grants: Rows<'grants'>,
): Sql => sql`(${grants}.revoked_at <= ${cutoff} OR ${codes}.revoked_at <= ${cutoff} OR (
  NOT EXISTS (SELECT FROM access_tokens o WHERE o.code_hash = ${codes}.secret_hash AND o.expires_at > ${cutoff})
  AND NOT EXISTS (SELECT FROM refresh_tokens o WHERE o.code_hash = ${codes}.secret_hash AND o.expires_at > ${cutoff})))`;

/** Used codes stay as long as their family lives, as a second use must revoke it (RFC 6749 §4.1.2). */
const deleteCodes = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`DELETE FROM authorization_codes WHERE secret_hash IN (SELECT f.secret_hash FROM ${tables.authorizationCodes.from}
      JOIN ${tables.grants.from} ON g.id = f.grant_id
      WHERE f.expires_at <= ${cutoff} AND (f.used_at IS NULL OR ${isFamilyOver(tables.authorizationCodes, tables.grants)})
      LIMIT ${limit} FOR UPDATE OF f SKIP LOCKED)`,
  );

/** Likewise (RFC 9700 §4.14.2). The newest of a grant stays: it shows when its application was last used. */
const deleteRefreshTokens = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`DELETE FROM refresh_tokens WHERE secret_hash IN (SELECT r.secret_hash FROM refresh_tokens r
      JOIN ${tables.grants.from} ON g.id = r.grant_id LEFT JOIN ${tables.authorizationCodes.from} ON f.secret_hash = r.code_hash
      WHERE r.expires_at <= ${cutoff} AND (f.secret_hash IS NULL OR ${isFamilyOver(tables.authorizationCodes, tables.grants)})
      AND EXISTS (SELECT FROM refresh_tokens n WHERE n.grant_id = g.id
        AND (n.created_at, n.secret_hash) > (r.created_at, r.secret_hash))
      LIMIT ${limit} FOR UPDATE OF r SKIP LOCKED)`,
  );

/** Links to a new password that have ended. */
const deleteAccountTokens = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`DELETE FROM account_tokens WHERE id IN (SELECT id FROM account_tokens WHERE expires_at <= ${cutoff}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );

/** Rows with an id that expired before this. */
const deleteOld = (table: 'sign_ups' | 'email_changes', before: Sql) => (tx: Transaction, limit: number) => {
  const name = sql.raw(table);
  return countDeleted(
    tx,
    sql`DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name} WHERE expires_at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
};

/** Erases the sealed successors of used refresh tokens after the longest grace window. */
const eraseSuccessors = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`UPDATE refresh_tokens SET successor = NULL WHERE secret_hash IN (SELECT secret_hash FROM refresh_tokens
      WHERE successor IS NOT NULL AND used_at <= ${nowPlus(-MAX_REFRESH_GRACE)} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );

/** Only revoked grants: a live one is the record of what its user allows. */
const deleteGrants = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`DELETE FROM grants WHERE id IN (SELECT g.id FROM grants g WHERE g.revoked_at <= ${cutoff}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );

/** Applications that a document describes, with which nobody has to do any more. A consent renews what is stored first. */
const deleteDescribedClients = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`DELETE FROM clients WHERE metadata_url IN (SELECT c.metadata_url FROM clients c WHERE c.metadata_expires_at <= ${cutoff}
      AND NOT EXISTS (SELECT FROM grants g WHERE g.client_id = c.id)
      AND NOT EXISTS (SELECT FROM organization_applications x WHERE x.client_id = c.id) LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );

const deleteSignIns = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`DELETE FROM sign_ins WHERE id IN (SELECT id FROM sign_ins WHERE expires_at <= ${nowPlus(-SIGN_IN_RETENTION)}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );

const deleteIdempotencyKeys = (tx: Transaction, limit: number) =>
  countDeleted(
    tx,
    sql`DELETE FROM idempotency_keys WHERE key_hash IN (SELECT key_hash FROM idempotency_keys
      WHERE expires_at <= now() LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );

/** Each deletes at most `limit` expired rows and returns their number. The order leaves the fewest rows to ON DELETE CASCADE. */
export const TOKEN_SWEEPS = {
  accessTokens: deleteExpired('access_tokens'),
  pushedRequests: deleteExpired('pushed_requests'),
  accountTokens: deleteAccountTokens,
  pendingSignIns: deleteExpired('pending_sign_ins'),
  passkeyChallenges: deleteExpired('passkey_challenges'),
  oidcRequests: deleteExpired('oidc_requests'),
  signUps: deleteOld('sign_ups', cutoff),
  emailChanges: deleteOld('email_changes', nowPlus(-30 * DAY)),
  codes: deleteCodes,
  successors: eraseSuccessors,
  refreshTokens: deleteRefreshTokens,
  grants: deleteGrants,
  describedClients: deleteDescribedClients,
  signIns: deleteSignIns,
  idempotencyKeys: deleteIdempotencyKeys,
};
