import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What an authorization form carries: made of the secret of the browser's sign-in and of the request that the person
 * was shown, so that neither another site nor another request can stand in for it (RFC 9700 §4.7).
 */
export const consentProof = (secret: string, request: string): string =>
  createHmac('sha256', secret).update(`consent\n${request}`).digest('base64url');

export function isConsentProof(proof: string | undefined, secret: string, request: string): boolean {
  const wanted = Buffer.from(consentProof(secret, request));
  const given = Buffer.from(proof ?? '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
