import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

type Bytes = Uint8Array<ArrayBuffer>;

const NONCE = 12;
const TAG = 16;

/** SHA-256. */
export const digest = (text: string): Bytes => Uint8Array.from(createHash('sha256').update(text).digest());

type Secret = string | Uint8Array;

const keyFrom = (secret: Secret, salt: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', secret, salt, 'sealed answer', 32));

/** Seals a text so that it is read only with the secret (AES-256-GCM, RFC 5869). */
export function seal(text: string, secret: Secret, salt: Uint8Array): Bytes {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(secret, salt), nonce);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]));
}

/** Throws for another secret or salt, and for modified data. */
export function unseal(sealed: Uint8Array, secret: Secret, salt: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret, salt), bytes.subarray(0, NONCE));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
}

/** Encrypts secrets that have to be read again. `of` is their owner's id: sealed for another owner, they do not open. */
export interface Vault {
  seal: (text: string, of: string) => string;
  /** Throws for modified data, another owner or another secret. */
  open: (sealed: string, of: string) => string;
}

const SEALED = 'sealed:';

/** The first secret seals, all of them open. A value without the prefix was stored before sealing, and is returned as is. */
export function vault(secrets: readonly [Secret, ...Secret[]]): Vault {
  return {
    seal: (text, of) => SEALED + Buffer.from(seal(text, secrets[0], Buffer.from(of))).toString('base64url'),
    open(sealed, of) {
      if (!sealed.startsWith(SEALED)) return sealed;
      const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64url');
      let failure: unknown;
      for (const secret of secrets)
        try {
          return unseal(bytes, secret, Buffer.from(of));
        } catch (error) {
          failure = error;
        }
      throw failure;
    },
  };
}
