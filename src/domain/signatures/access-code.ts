import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Codes are short, and tried a few times at most: 32 MiB of memory slow down whoever got hold of the hashes. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

/** `scrypt$<salt>$<hash>`, both base64url. */
export async function hashAccessCode(code: string): Promise<string> {
  const salt = randomBytes(16);
  return ['scrypt', salt.toString('base64url'), (await hashed(code, salt)).toString('base64url')].join('$');
}

/** `stored` as hashAccessCode made it. */
export async function isAccessCode(code: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('$');
  return timingSafeEqual(await hashed(code, Buffer.from(salt, 'base64url')), Buffer.from(hash, 'base64url'));
}

const hashed = (code: string, salt: Uint8Array) =>
  derive(code.normalize('NFKC'), Buffer.from(salt), 32, COST);
