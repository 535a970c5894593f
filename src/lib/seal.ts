import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

type Bytes = Uint8Array<ArrayBuffer>;

const NONCE = 12;
const TAG = 16;

/** SHA-256. */
export const digest = (text: string): Bytes => Uint8Array.from(createHash('sha256').update(text).digest());

const keyFrom = (secret: string, salt: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', secret, salt, 'sealed answer', 32));

/** Seals a text so that it is read only with the secret, which is stored nowhere (AES-256-GCM, RFC 5869). */
export function seal(text: string, secret: string, salt: Uint8Array): Bytes {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(secret, salt), nonce);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]));
}

/** Throws for another secret, and for what was changed. */
export function unseal(sealed: Uint8Array, secret: string, salt: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret, salt), bytes.subarray(0, NONCE));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
}
