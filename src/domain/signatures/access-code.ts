import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** scrypt parameters (RFC 7914): 32 MiB per guess, since the codes are short. maxmem in bytes. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

/** Returns `scrypt$<salt>$<hash>`, both parts in base64url. */
export async function hashAccessCode(code: string): Promise<string> {
  const salt = randomBytes(16);
  return ['scrypt', salt.toString('base64url'), (await derivedKey(code, salt)).toString('base64url')].join(
    '$',
  );
}

/** Whether the code matches `stored`, a result of hashAccessCode. Compares in constant time. */
export async function isAccessCode(code: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('$');
  return timingSafeEqual(
    await derivedKey(code, Buffer.from(salt, 'base64url')),
    Buffer.from(hash, 'base64url'),
  );
}

const derivedKey = (code: string, salt: Uint8Array) =>
  derive(code.normalize('NFKC'), Buffer.from(salt), 32, COST);
