import { createHash } from 'node:crypto';
import { compactVerify, errors, importJWK, type JWK } from 'jose';
import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { TOKEN_ALGORITHMS, type TokenKey } from '../keys/token-key.ts';
import { keyIdOf } from './access-jwt.ts';
import { signJwt } from './jwt.ts';

/** What OpenID Connect says of the sign-in in which the user authorized the application. */
export interface AuthorizedSignIn {
  signInId: string | null;
  /** When the user had last proved who they are. */
  authTime: Date | null;
  nonce: string | null;
  /** The sign-in has not ended since. */
  isSignedIn: boolean;
}

/** The columns of AuthorizedSignIn but for the nonce, from an authorization code. */
export const signInColumns = (code: Sql): Sql => sql`${code}.sign_in_id, ${code}.auth_time,
  EXISTS (SELECT FROM sign_ins s WHERE s.id = ${code}.sign_in_id AND s.expires_at > now()) AS is_signed_in`;

/** The claims that differ from token to token (OpenID Connect Core §2). */
export interface IdClaims {
  issuer: string;
  userId: string;
  clientId: string;
  authTime: Date;
  /** Of the authorization request; undefined where the token answers none, as on a refresh (§12.2). */
  nonce?: string;
  accessToken: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** Signs an ID token (OpenID Connect Core §2, §3.1.3.6). It opens neither API: only stored tokens do. */
export const signIdToken = (key: TokenKey, claims: IdClaims): Promise<string> =>
  signJwt('ID_TOKEN', key, {
    ...claims,
    typ: 'JWT',
    audience: claims.clientId,
    payload: {
      azp: claims.clientId,
      auth_time: Math.floor(claims.authTime.getTime() / 1000),
      at_hash: hashOf(claims.accessToken),
      ...(claims.nonce !== undefined && { nonce: claims.nonce }),
    },
  });

/** `at_hash`: the left half of the SHA-256 of the access token (OpenID Connect Core §3.1.3.6). */
const hashOf = (accessToken: string): string =>
  createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');

/**
 * The user of an ID token that this server issued to the client, also one that has expired, for `id_token_hint` (OpenID
 * Connect Core §3.1.2.1). Undefined for any other text. The algorithm is required, not taken from the token.
 */
export async function userOfIdToken(
  reader: Reader,
  token: string,
  { issuer, clientId }: { issuer: string; clientId: string },
): Promise<string | undefined> {
  const [key] = await reader.query<{ publicJwk: JWK }>(sql`SELECT j.public_jwk FROM signing_keys j
    WHERE j.purpose = 'ID_TOKEN' AND j.id = ${keyIdOf(token) ?? null}`);
  const claims = key && (await verifiedClaims(token, key.publicJwk));
  return claims?.iss === issuer && claims.aud === clientId ? claims.sub : undefined;
}

async function verifiedClaims(
  token: string,
  publicJwk: JWK,
): Promise<Record<string, string | undefined> | undefined> {
  try {
    const algorithm = TOKEN_ALGORITHMS.ID_TOKEN;
    const key = await importJWK(publicJwk, algorithm);
    const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
    return JSON.parse(Buffer.from(payload).toString());
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
