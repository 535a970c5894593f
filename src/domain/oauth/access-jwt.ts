import { decodeProtectedHeader, errors, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import type { TokenKey } from '../keys/token-key.ts';
import { OWN_API } from './resource-server.ts';

/** The claims of RFC 9068 §2.2 that differ from token to token. */
export interface AccessClaims {
  issuer: string;
  /** As stored: URIs of resource servers, or this API; empty for this API alone. */
  audience: readonly string[];
  userId: string;
  clientId: string;
  scopes: readonly string[];
  id: string;
  issuedAt: Date;
  expiresAt: Date;
}

const TYPE = 'at+jwt';

/** A signed access token for resource servers elsewhere. */
export async function signAccessToken(
  { id: kid, privateJwk }: TokenKey,
  claims: AccessClaims,
): Promise<string> {
  return new SignJWT({ client_id: claims.clientId, scope: claims.scopes.join(' ') })
    .setProtectedHeader({ typ: TYPE, alg: 'ES256', kid })
    .setIssuer(claims.issuer)
    .setAudience(publicAudience(claims))
    .setSubject(claims.userId)
    .setJti(claims.id)
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(claims.expiresAt)
    .sign(await importJWK(privateJwk, 'ES256'));
}

/** The id of the key that a token says it is signed with; undefined for what is no JWT. */
export function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/** The type and the algorithm are ours to say, not the token's (RFC 8725 §3.1, RFC 9068 §4). `at`: the database's now(). */
export async function isSignedBy(publicJwk: JWK, token: string, at: Date): Promise<boolean> {
  try {
    const options = { typ: TYPE, algorithms: ['ES256'], currentDate: at };
    await jwtVerify(token, await importJWK(publicJwk, 'ES256'), options);
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** The `aud` of a token (RFC 9068 §2.2): this API is called by its issuer; one name stands alone (RFC 7519 §4.1.3). */
export function publicAudience({
  issuer,
  audience,
}: Pick<AccessClaims, 'issuer' | 'audience'>): string | string[] {
  const [first = issuer, ...others] = audience.map((each) => (each === OWN_API ? issuer : each));
  return others.length > 0 ? [first, ...others] : first;
}
