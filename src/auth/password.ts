import { channel } from 'node:diagnostics_channel';
import { availableParallelism } from 'node:os';
import { DomainError } from '../domain/kernel/errors.ts';

/** OWASP's setting for argon2id, the package's default algorithm: 19 MiB of memory, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Imported at the first password: requests with a key or a session need none. */
const argon2 = () => import('@node-rs/argon2');

/** A hash of no password, so that the check takes the same time for an account without a password. */
const DUMMY_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** In characters. NFKC can expand one to eighteen, which is still cheap. */
export const MAX_PASSWORD_LENGTH = 1_000;

/**
 * Half of libuv's threads at most, so that file access and name look-ups do not wait for passwords alone; and one processor
 * is left to requests.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));
const MAX_WAITING = 128;

/** Has a message for each hash that is computed, also of a check. */
const hashes = channel('docgraph:password-hash');

let running = 0;
const queue: (() => void)[] = [];

/** At most MAX_CONCURRENT run at a time, in order of arrival. Throws UNAVAILABLE when too many wait. */
async function limitConcurrency<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running < MAX_CONCURRENT) running++;
  else if (queue.length >= MAX_WAITING)
    throw new DomainError('UNAVAILABLE', 'Too many people are signing in at the moment; try again shortly.');
  else await new Promise<void>((resolve) => queue.push(resolve));
  try {
    hashes.publish(undefined);
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running--;
  }
}

/** The hash to store for a password: a PHC string, `$argon2id$v=19$m=…`. */
export const hashPassword = (password: string): Promise<string> =>
  limitConcurrency(async () => (await argon2()).hash(password.normalize('NFKC'), COST));

/** Whether the password matches the hash. `stored` is null without an account or password; the time taken is the same. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const same = await limitConcurrency(async () =>
    (await argon2()).verify(stored ?? DUMMY_HASH, password.normalize('NFKC')),
  );
  return same && stored !== null;
}
