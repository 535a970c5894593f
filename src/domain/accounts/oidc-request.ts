import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { OidcRequest } from '../../generated/prisma/client.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { MINUTE } from '../../lib/time.ts';

/** How long a person may take at the provider, and to connect an account after that. */
export const OIDC_LIFETIME = 10 * MINUTE;

/** What was asked of the provider, and after its answer who the person is there. */
export type NewOidcRequest = Pick<OidcRequest, 'returnTo'> &
  Partial<Pick<OidcRequest, 'userId' | 'issuer' | 'subject' | 'email' | 'name' | 'isEmailVerified'>>;

export type UsedOidcRequest = Required<NewOidcRequest>;

/** Stores a request, and returns the secret for the cookie of the browser that makes it. */
export async function createOidcRequest(db: Database, request: NewOidcRequest): Promise<string> {
  const secret = newSecret('dgo_');
  const { returnTo, userId, issuer, subject, email, name, isEmailVerified } = request;
  await db.query(sql`INSERT INTO oidc_requests (secret_hash, return_to, user_id, issuer, subject, email, name,
      is_email_verified, expires_at)
    VALUES (${hashSecret(secret)}, ${returnTo}, ${userId ?? null}, ${issuer ?? null}, ${subject ?? null}, ${email ?? null},
      ${name ?? null}, ${isEmailVerified ?? false}, ${nowPlus(OIDC_LIFETIME)}) RETURNING 1 AS stored`);
  return secret;
}

const columns = sql`r.return_to, r.user_id, r.issuer, r.subject, r.email, r.name, r.is_email_verified`;

/** Takes a request, once; undefined if it was taken before or has expired. */
export async function consumeOidcRequest(db: Database, secret: string): Promise<UsedOidcRequest | undefined> {
  const [request] = await db.query<UsedOidcRequest>(sql`DELETE FROM oidc_requests r
    WHERE r.secret_hash = ${hashSecret(secret)} AND r.expires_at > now() RETURNING ${columns}`);
  return request;
}

/** The same without taking it. */
export async function findOidcRequest(db: Database, secret: string): Promise<UsedOidcRequest | undefined> {
  const [request] = await db.query<UsedOidcRequest>(sql`SELECT ${columns} FROM oidc_requests r
    WHERE r.secret_hash = ${hashSecret(secret)} AND r.expires_at > now()`);
  return request;
}
