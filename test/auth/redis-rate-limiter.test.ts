import { createClient } from '@redis/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { RateLimiter } from '../../src/auth/rate-limiter.ts';
import { redisRateLimiters } from '../../src/auth/redis-rate-limiter.ts';
import { testDatabase } from '../support/database.ts';
import { appOn } from '../support/oauth.ts';
import { newPrefix, REDIS_URL, wayTo } from '../support/servers/redis.ts';
import { newPerson } from '../support/world.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** One process with a separate connection, and its warnings. */
function newProcess(url: string, prefix: string) {
  const warnings: string[] = [];
  const { newRateLimiter, close } = redisRateLimiters({ url, prefix, warn: (line) => warnings.push(line) });
  closing.push(close);
  return { newRateLimiter, warnings };
}

/** Waits until both count in Redis. */
async function bothConnected(one: RateLimiter, other: RateLimiter) {
  for (let index = 0; ; index++) {
    await one.take(`connected ${index}`, 1);
    if ((await other.peek(`connected ${index}`, 1)) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.runIf(REDIS_URL)('a rate limiter in Redis (needs TEST_REDIS_URL)', () => {
  const url = REDIS_URL as string;

  it('allows exactly the limit to concurrent requests of all processes', async () => {
    const prefix = newPrefix();
    const [one, other] = [newProcess(url, prefix), newProcess(url, prefix)].map(({ newRateLimiter }) =>
      newRateLimiter('kind', 60_000),
    ) as [RateLimiter, RateLimiter];
    await bothConnected(one, other);
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).take('key', 10)),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(Math.max(...(waits as number[]))).toBeLessThanOrEqual(6_000);
    await one.refund('key', 10);
    expect(await Promise.all([other.peek('key', 10), other.take('key', 10)])).toEqual([0, 0]);
    expect(await one.peek('key', 10)).toBeGreaterThan(0);
  });

  it('returns how many requests remain, and counts each kind separately', async () => {
    const prefix = newPrefix();
    const { newRateLimiter } = newProcess(url, prefix);
    const limiter = newRateLimiter('a', 60_000);
    await bothConnected(limiter, newProcess(url, prefix).newRateLimiter('a', 60_000));
    expect(await limiter.consume('key', 600)).toEqual({ wait: 0, remaining: 599, resetAfter: 100 });
    await limiter.take('one', 1);
    expect([await limiter.take('one', 1), await newRateLimiter('b', 60_000).take('one', 1)]).toEqual([
      expect.any(Number),
      0,
    ]);
  });

  it('can count units that were not allowed', async () => {
    const prefix = newPrefix();
    const limiter = newProcess(url, prefix).newRateLimiter('a', 60_000);
    await bothConnected(limiter, newProcess(url, prefix).newRateLimiter('a', 60_000));
    await limiter.add('key', 60, 65);
    expect(await limiter.peek('key', 60)).toBeGreaterThan(5_000);
    expect((await limiter.add('key', 60, 1_000)).resetAfter).toBeGreaterThan(119_000);
    expect((await limiter.add('key', 60, 1_000)).resetAfter).toBeLessThanOrEqual(120_000);
  });

  it('stores no name in plain text, and no key once the full limit is back', async () => {
    const prefix = newPrefix();
    const { newRateLimiter } = newProcess(url, prefix);
    const limiter = newRateLimiter('a', 300);
    const redis = await createClient({ url }).connect();
    closing.push(async () => redis.destroy());
    await until(async () => {
      await limiter.take('both 192.0.2.1 ada@example.test', 1);
      return (await redis.keys(`${prefix}*`)).length > 0;
    });
    expect((await redis.keys(`${prefix}*`)).join()).not.toMatch(/ada@|192\./);
    await until(async () => (await redis.keys(`${prefix}*`)).length === 0);
  });

  it.each([
    'cut',
    'silence',
  ] as const)('counts in the process while Redis is unavailable (%s), and in Redis again afterwards', async (fault) => {
    const proxy = await wayTo(url);
    closing.push(() => proxy.close());
    const prefix = newPrefix();
    const { newRateLimiter, warnings } = newProcess(proxy.url, prefix);
    const limiter = newRateLimiter('a', 60_000);
    const direct = newProcess(url, prefix).newRateLimiter('a', 60_000);
    await bothConnected(limiter, direct);
    proxy[fault]();
    const meanwhile = [];
    for (let index = 0; index < 3; index++) meanwhile.push((await limiter.take('key', 2)) > 0);
    expect(meanwhile).toEqual([false, false, true]);
    expect(warnings).toEqual([
      expect.stringMatching(/^Redis is not available .*each process counts by itself/),
    ]);
    proxy.mend();
    await until(async () => {
      await limiter.take('probe', 1_000_000);
      return warnings.length > 1;
    });
    expect(warnings[1]).toBe('Redis is available again, and counts for all processes.');
    expect([await limiter.take('once', 1), (await direct.take('once', 1)) > 0]).toEqual([0, true]);
  });

  it('limits requests and sign-ins of two servers together', async () => {
    const db = await testDatabase();
    const prefix = newPrefix();
    const processes = [newProcess(url, prefix), newProcess(url, prefix)];
    const apps = await Promise.all(
      processes.map(({ newRateLimiter }) => appOn(db, { requests: 4, signInTries: 2 }, { newRateLimiter })),
    );
    const [one, other] = processes.map(({ newRateLimiter }) => newRateLimiter('meeting', 60_000)) as [
      RateLimiter,
      RateLimiter,
    ];
    await bothConnected(one, other);
    const { key } = await newPerson(db);
    const statuses = [];
    for (let index = 0; index < 6; index++) {
      const answer = await apps[index % 2]?.request('/api/v1/organizations', {
        headers: { authorization: `Bearer ${key}` },
      });
      statuses.push(answer?.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    const body = 'email=nobody@example.test&password=wrong';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const signIns = [];
    for (let index = 0; index < 4; index++)
      signIns.push((await apps[index % 2]?.request('/sign-in', { method: 'POST', headers, body }))?.status);
    expect(signIns).toEqual([422, 422, 429, 429]);
  });
});
