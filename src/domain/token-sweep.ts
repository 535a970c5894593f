import type { Transaction } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { DAY, SECOND } from '../lib/time.ts';

/** How long ended sign-ins are kept: they say from where someone has signed in before. */
export const SIGN_INS_KEPT = 90 * DAY;

const ago = (ms: number) => sql`now() - make_interval(secs => ${ms / SECOND})`;

/** What ended before this is swept; what is under way may still look at the rest. */
const before = ago(DAY);

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

/** On grants as `g`: nothing can come of it any more, whatever is presented. */
const over = sql`(g.revoked_at <= ${before} OR (g.revoked_at IS NULL
  AND NOT EXISTS (SELECT FROM authorization_codes o WHERE o.grant_id = g.id AND o.expires_at > ${before})
  AND NOT EXISTS (SELECT FROM access_tokens o WHERE o.grant_id = g.id AND o.expires_at > ${before})
  AND NOT EXISTS (SELECT FROM refresh_tokens o WHERE o.grant_id = g.id AND o.expires_at > ${before})))`;

/** Used ones stay as long as their grant lives: a second use has to end it (RFC 6749 §4.1.2). */
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
      JOIN grants g ON g.id = r.grant_id WHERE r.expires_at <= ${before} AND ${over}
      AND EXISTS (SELECT FROM refresh_tokens n WHERE n.grant_id = g.id
        AND (n.created_at, n.secret_hash) > (r.created_at, r.secret_hash))
      LIMIT ${most} FOR UPDATE OF r SKIP LOCKED)`,
  );

/** Of those that are over: what was revoked, and what an older one covers. The others remember what is allowed. */
const grants = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`DELETE FROM grants WHERE id IN (SELECT g.id FROM grants g WHERE ${over} AND (g.revoked_at IS NOT NULL
      OR EXISTS (SELECT FROM grants o WHERE o.user_id = g.user_id AND o.client_id = g.client_id
        AND o.revoked_at IS NULL AND o.scopes @> g.scopes AND (o.created_at, o.id) < (g.created_at, g.id)))
      LIMIT ${most} FOR UPDATE SKIP LOCKED)`,
  );

const signIns = (tx: Transaction, most: number) =>
  deleted(
    tx,
    sql`DELETE FROM sign_ins WHERE id IN (SELECT id FROM sign_ins WHERE expires_at <= ${ago(SIGN_INS_KEPT)}
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
  refreshTokens,
  grants,
  signIns,
  idempotencyKeys,
};
