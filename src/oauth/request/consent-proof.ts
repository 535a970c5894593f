import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const mac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

const proofOf = (secret: string, request: string, nonce: string): string =>
  `${nonce}.${mac(secret, `consent\n${nonce}\n${request}`)}`;

/**
 * The CSRF token of the consent form (RFC 9700 §4.7): bound to the session's secret, to the request that was shown, and to
 * this rendering of the page.
 */
export const consentProof = (secret: string, request: string): string =>
  proofOf(secret, request, randomBytes(16).toString('base64url'));

/** Whether the proof is for this session and this request. */
export function isConsentProof(proof: string | undefined, secret: string, request: string): proof is string {
  const presented = Buffer.from(proof ?? '');
  const expected = Buffer.from(proofOf(secret, request, (proof ?? '').split('.', 1)[0] as string));
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}

/** Replaces the proof where a pushed request is answered without a form, so that a reload is the same submission. */
export const reauthorizationProof = (secret: string, request: string): string =>
  proofOf(secret, request, 'silent');

/** The code and two substitutes that one submission may get; computable only with the session's secret. */
export const codesOf = (secret: string, proof: string): [string, string, string] => {
  const code = (number: number) => `dgc_${mac(secret, `code\n${number}\n${proof}`)}`;
  return [code(0), code(1), code(2)];
};
