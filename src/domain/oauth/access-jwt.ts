import { decodeProtectedHeader, errors, importJWK, type JWK, jwtVerify } from 'jose';
import { TOKEN_ALGORITHMS, type TokenKey } from '../keys/token-key.ts';
import { signJwt } from './jwt.ts';
import { publicUris } from './resource-server.ts';

/** The claims of RFC 9068 §2.2 that differ from token to token. */
export interface AccessClaims {
  issuer: string;
  /** As stored: URIs of resource servers, OWN_API or MCP_API; empty for this API alone. */
  audience: readonly string[];
  userId: string;
  clientId: string;
  scopes: readonly string[];
  id: string;
  issuedAt: Date;
  expiresAt: Date;
}

const TYPE = 'at+jwt';

/** Signs a JWT access token (RFC 9068), which resource servers can check by themselves. */
export const signAccessToken = (key: TokenKey, claims: AccessClaims): Promise<string> =>
  signJwt('TOKEN', key, {
    ...claims,
    typ: TYPE,
    audience: publicAudience(claims),
    payload: { client_id: claims.clientId, scope: claims.scopes.join(' '), jti: claims.id },
  });

/** The `kid` in a token's header; undefined if it is no JWT, or names no key of ours. */
export function keyIdOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' && /^\w+$/.test(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the key signed the token and the token is valid at `at`, the database's now(). Type and algorithm are required,
 * not taken from the token (RFC 8725 §3.1, RFC 9068 §4).
 */
export async function isSignedBy(publicJwk: JWK, token: string, at: Date): Promise<boolean> {
  try {
    const algorithm = TOKEN_ALGORITHMS.TOKEN;
    const options = { typ: TYPE, algorithms: [algorithm], currentDate: at };
    await jwtVerify(token, await importJWK(publicJwk, algorithm), options);
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** The `aud` of a token (RFC 9068 §2.2): the issuer stands for this API; a single value is no array (RFC 7519 §4.1.3). */
export function publicAudience({
  issuer,
  audience,
}: Pick<AccessClaims, 'issuer' | 'audience'>): string | string[] {
  const [first = issuer, ...others] = publicUris(issuer, audience);
  return others.length > 0 ? [first, ...others] : first;
}
