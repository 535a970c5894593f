import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { TOKEN_ALGORITHMS, type TokenKey, type TokenPurpose } from '../keys/token-key.ts';

interface SignedToken {
  /** `typ` of the header (RFC 8725 §3.11). */
  typ: string;
  issuer: string;
  audience: string | string[];
  userId: string;
  issuedAt: Date;
  expiresAt: Date;
  /** The claims of this kind of token. */
  payload: JWTPayload;
}

/** Signs a JWT (RFC 7519) with a key of this purpose. */
export async function signJwt(
  purpose: TokenPurpose,
  { id: kid, privateJwk }: TokenKey,
  { typ, issuer, audience, userId, issuedAt, expiresAt, payload }: SignedToken,
): Promise<string> {
  const alg = TOKEN_ALGORITHMS[purpose];
  return new SignJWT(payload)
    .setProtectedHeader({ typ, alg, kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await importJWK(privateJwk, alg));
}
