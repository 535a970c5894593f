import type { NewPassword } from '../domain/kernel/account-service.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { SECOND } from '../lib/time.ts';
import { networkOf } from './client-address.ts';
import { guessScore } from './guess-score.ts';
import { MAX_PASSWORD_LENGTH } from './password.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** NIST SP 800-63B §3.1.1.2, OWASP ASVS 6.2.1: a minimal length and no passwords that are tried first; no rules of composition. */
const MIN_LENGTH = 8;

/** The first characters decide, so that a long run of one pattern is no strength; the time of the check grows with their number. */
const CHECKED_LENGTH = 64;

/** Words of a name that are compared with the password. */
const MAX_NAME_WORDS = 10;

/** Of 0 to 4: at least a million guesses. */
const MIN_SCORE = 2;

/** Checks within an hour: by one link or account, and for a network. */
const CHECKS_BY_PERMISSION = 30;
const CHECKS_FOR_NETWORK = 200;

/** Why a new password is refused, as a sentence for its owner; undefined if it is accepted. Throws RATE_LIMITED and Busy. */
export type PasswordCheck = (entered: NewPassword) => Promise<string | undefined>;

/** Checks new passwords. `rateLimiter`: of an hour. */
export const passwordCheck =
  (rateLimiter: RateLimiter): PasswordCheck =>
  async ({ password, email, name, permittedBy, address }) => {
    const length = [...password].length;
    if (length < MIN_LENGTH) return `Choose a password of at least ${MIN_LENGTH} characters.`;
    if (password.length > MAX_PASSWORD_LENGTH)
      return `A password has at most ${MAX_PASSWORD_LENGTH} characters.`;
    const network = networkOf(address);
    await count(rateLimiter, `new password ${permittedBy}`, CHECKS_BY_PERMISSION);
    await count(rateLimiter, `new password ${network}`, CHECKS_FOR_NETWORK);
    const words = name.split(/\s+/).slice(0, MAX_NAME_WORDS);
    const personal = [email, ...email.split('@'), name, ...words, 'docgraph'].filter(Boolean);
    const score = await guessScore(network, { password: password.slice(0, CHECKED_LENGTH), personal });
    return score < MIN_SCORE
      ? 'This password is easy to guess. Choose another one, for instance four words that have nothing to do with each other.'
      : undefined;
  };

async function count(rateLimiter: RateLimiter, key: string, limit: number): Promise<void> {
  const wait = await rateLimiter.take(key, limit);
  if (wait > 0)
    throw new DomainError('RATE_LIMITED', 'Too many passwords were tried. Try again in an hour.', {
      retryAfter: Math.ceil(wait / SECOND),
    });
}
