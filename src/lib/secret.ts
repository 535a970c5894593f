import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** OWASP's scrypt setting: 64 MiB of memory and some 200 ms a try. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 };

/** The kinds of secrets we hand out; the prefix lets people and scanners recognise one. */
export type SecretPrefix = 'dgk_' | 'dga_' | 'dgr_' | 'dgc_' | 'dgs_' | 'dgb_' | 'dgl_';

/** A new opaque secret: the prefix and 256 random bits, in characters that need no escaping anywhere. */
export const newSecret = (prefix: SecretPrefix): string => prefix + randomBytes(32).toString('base64url');

/** What is stored of a secret. 256 random bits need no salt and no slow hash. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(secret).digest());

/** `scrypt$<salt>$<hash>`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, 32, COST);
  return `scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** An account without a password costs the same time as one with a wrong password. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt, expected] = (stored ?? 'scrypt$AAAAAAAAAAAAAAAAAAAAAA$AA').split('$') as [
    string,
    string,
    string,
  ];
  const hash = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), 32, COST);
  const wanted = Buffer.from(expected, 'base64url');
  return stored !== null && wanted.length === hash.length && timingSafeEqual(wanted, hash);
}
