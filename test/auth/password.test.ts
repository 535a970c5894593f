import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/auth/password.ts';

describe('passwords', () => {
  it('are stored as argon2id with the cost that OWASP recommends, and a random salt', async () => {
    const [one, other] = await Promise.all([hashPassword('same'), hashPassword('same')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
  });

  it('do not match other passwords', async () => {
    const stored = await hashPassword('Straße 1');
    const verdicts = ['Straße 1', 'straße 1', 'Straße 1 ', ''].map((each) => verifyPassword(each, stored));
    expect(await Promise.all(verdicts)).toEqual([true, false, false, false]);
  });

  it('match in any Unicode composition', async () => {
    expect(await verifyPassword('e\u0301', await hashPassword('\u00e9'))).toBe(true);
  });

  it('never match an account without a password', async () => {
    expect(await Promise.all(['', 'A'].map((each) => verifyPassword(each, null)))).toEqual([false, false]);
  });

  it('are queued by the hundred while timers continue, and are refused beyond the queue', async () => {
    const stored = await hashPassword('x');
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const atOnce = availableParallelism() > 2 ? 2 : 1;
    const tries = Array.from({ length: 138 + atOnce }, () => verifyPassword('x', stored));
    const results = await Promise.allSettled(tries);
    clearInterval(timer);
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(refused).toEqual(Array(10).fill('UNAVAILABLE'));
    expect(results.filter((each) => each.status === 'fulfilled' && each.value)).toHaveLength(128 + atOnce);
    expect(ticks).toBeGreaterThan(10);
    expect(await verifyPassword('x', stored)).toBe(true);
  });
});
