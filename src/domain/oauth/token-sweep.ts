import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { DAY } from '../../lib/time.ts';
import { REFRESH_GRACE_MAX } from './token.ts';

/** How long ended sign-ins are kept: they say from where someone has signed in before. */
export const SIGN_INS_KEPT = 90 * DAY;

/** What ended before this is swept; what is under way may still look at the rest. */
const before = nowPlus(-DAY);

const deleted = async (tx: Transaction, statement: Sql): Promise<number> =>
  (await tx.query(sql`${statement} RETURNING 1 AS deleted`)).length;

const expired = (table: 'access_tokens' | 'pushed_requests') => (tx: Transaction, most: number) => {
  const name = sql.raw(table);
  return deleted(
    tx,
    sql`DELETE FROM ${name} WHERE secret_hash IN (SELECT secret_hash FROM ${name} WHERE expires_at <= ${before}
      LIMIT ${most} FOR UPDATE SKIP LOCKED)`,
  );
};

/** On authorization codes as `c` with their grant `g`: nothing can come of the family any more, whatever is presented. */
const over = sql`(g.revoked_at <= ${before} OR c.revoked_at <= ${before} OR (
  NOT EXISTS (SELECT FROM access_tokens o WHERE o.code_hash = c.secret_hash AND o.expires_at > ${before})
  AND NOT EXISTS (SELECT FROM refresh_tokens o WHERE o.code_hash = c.secret_hash AND o.expires_at > ${before})))`;

/** Used ones stay as long as their family lives: a second use has to end it (RFC 6749 §4.1.2). */
const codes = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`DELETE FROM authorization_codes WHERE secret_hash IN (SELECT c.secret_hash FROM authorization_codes c
      JOIN grants g ON g.id = c.grant_id WHERE c.expires_at <= ${before} AND (c.used_at IS NULL OR ${over})
      LIMIT ${most} FOR UPDATE OF c SKIP LOCKED)`,
  );

/** Likewise (RFC 9700 §4.14.2). The newest of a grant says when its application last came. */
const refreshTokens = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`DELETE FROM refresh_tokens WHERE secret_hash IN (SELECT r.secret_hash FROM refresh_tokens r
      JOIN grants g ON g.id = r.grant_id LEFT JOIN authorization_codes c ON c.secret_hash = r.code_hash
      WHERE r.expires_at <= ${before} AND (c.secret_hash IS NULL OR ${over})
      AND EXISTS (SELECT FROM refresh_tokens n WHERE n.grant_id = g.id
        AND (n.created_at, n.secret_hash) > (r.created_at, r.secret_hash))
      LIMIT ${most} FOR UPDATE OF r SKIP LOCKED)`,
  );

/** The sealed pairs of used refresh tokens, after the longest grace window. */
const successors = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`UPDATE refresh_tokens SET successor = NULL WHERE secret_hash IN (SELECT secret_hash FROM refresh_tokens
      WHERE successor IS NOT NULL AND used_at <= ${nowPlus(-REFRESH_GRACE_MAX)} LIMIT ${most} FOR UPDATE SKIP LOCKED)`,
  );

/** The live ones remember what is allowed. */
const grants = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`DELETE FROM grants WHERE id IN (SELECT g.id FROM grants g WHERE g.revoked_at <= ${before}
      LIMIT ${most} FOR UPDATE SKIP LOCKED)`,
  );

const signIns = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`DELETE FROM sign_ins WHERE id IN (SELECT id FROM sign_ins WHERE expires_at <= ${nowPlus(-SIGN_INS_KEPT)}
      LIMIT ${most} FOR UPDATE SKIP LOCKED)`,
  );

const idempotencyKeys = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`DELETE FROM idempotency_keys WHERE key_hash IN (SELECT key_hash FROM idempotency_keys
      WHERE expires_at <= now() LIMIT ${most} FOR UPDATE SKIP LOCKED)`,
  );

/** Each removes at most so many of what has expired, and gives the count; in this order they leave the least to cascade. */
export const TOKEN_SWEEPS = {
  accessTokens: expired('access_tokens'),
  pushedRequests: expired('pushed_requests'),
  codes,
  successors,
  refreshTokens,
  grants,
  signIns,
  idempotencyKeys,
};
