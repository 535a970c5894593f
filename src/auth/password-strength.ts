import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { memoize } from '../lib/memoize.ts';
import { MAX_PASSWORD_LENGTH } from './password.ts';

/** NIST SP 800-63B §3.1.1.2, OWASP ASVS 6.2.1: a minimal length and no passwords that are tried first; no rules of composition. */
const MIN_LENGTH = 8;

/** The first characters decide; the time that the check takes grows with their number. */
const CHECKED_LENGTH = 100;

/** Of 0 to 4: at least a million guesses. */
const MIN_SCORE = 2;

const checkers = new Map<string, Promise<ZxcvbnFactory>>();

/** The lists of common passwords take 37 MB: they are loaded when the first password is set. */
const checker = () =>
  memoize(checkers, '', async () => {
    const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ]);
    return new Factory({ dictionary, graphs });
  });

/** Why a new password is refused, as a sentence for its owner; undefined if it is accepted. */
export async function passwordFault(
  password: string,
  { email, name }: { email: string; name: string },
): Promise<string | undefined> {
  const length = [...password].length;
  if (length < MIN_LENGTH) return `Choose a password of at least ${MIN_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH)
    return `A password has at most ${MAX_PASSWORD_LENGTH} characters.`;
  const known = [email, ...email.split('@'), name, ...name.split(/\s+/), 'docgraph'].filter(Boolean);
  const { score } = (await checker()).check(password.slice(0, CHECKED_LENGTH), known);
  return score < MIN_SCORE
    ? 'This password is easy to guess. Choose another one, for instance four words that have nothing to do with each other.'
    : undefined;
}
