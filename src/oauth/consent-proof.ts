import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const mac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

const proofOf = (secret: string, request: string, nonce: string): string =>
  `${nonce}.${mac(secret, `consent\n${nonce}\n${request}`)}`;

/**
 * What an authorization form carries: made of the secret of the browser's sign-in, of the request that the person was
 * shown, and of this one page, so that nothing else can stand in for it (RFC 9700 §4.7).
 */
export const consentProof = (secret: string, request: string): string =>
  proofOf(secret, request, randomBytes(16).toString('base64url'));

/** Whether the proof was made for this sign-in and this request. */
export function isConsentProof(proof: string | undefined, secret: string, request: string): proof is string {
  const given = Buffer.from(proof ?? '');
  const wanted = Buffer.from(proofOf(secret, request, (proof ?? '').split('.', 1)[0] as string));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Stands for the proof where a pushed request is answered without a form: a reload is the same submission. */
export const silentProof = (secret: string, request: string): string => proofOf(secret, request, 'silent');

/** The code and its two substitutes that one submission may be answered with: nobody without the sign-in can compute them. */
export const codesOf = (secret: string, proof: string): [string, string, string] => {
  const code = (number: number) => `dgc_${mac(secret, `code\n${number}\n${proof}`)}`;
  return [code(0), code(1), code(2)];
};
