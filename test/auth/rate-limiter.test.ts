import { describe, expect, it } from 'vitest';
import { memoryRateLimiter, newMemoryRateLimiter, type RateLimiter } from '../../src/auth/rate-limiter.ts';

/** A rate limiter with a clock that the test advances. */
function setUp(maxKeys?: number) {
  let time = 1_000_000;
  const limiter = memoryRateLimiter({ window: 1_000, maxKeys, now: () => time });
  const advance = (ms: number) => {
    time += ms;
  };
  return { limiter, advance };
}

const takeMany = async (limiter: RateLimiter, key: string, times: number, limit = 4) =>
  Promise.all(Array.from({ length: times }, () => limiter.take(key, limit)));

describe('a rate limiter', () => {
  it('allows exactly the limit to concurrent requests, and returns how long the others have to wait', async () => {
    const { limiter } = setUp();
    expect(await takeMany(limiter, 'a', 6)).toEqual([0, 0, 0, 0, 250, 250]);
  });

  it('regains requests one by one', async () => {
    const { limiter, advance } = setUp();
    await takeMany(limiter, 'a', 4);
    advance(250);
    expect(await takeMany(limiter, 'a', 2)).toEqual([0, 250]);
    advance(10_000);
    expect(await takeMany(limiter, 'a', 5)).toEqual([0, 0, 0, 0, 250]);
  });

  it('is not delayed further by refused requests', async () => {
    const { limiter, advance } = setUp();
    await takeMany(limiter, 'a', 100);
    advance(250);
    expect(await limiter.take('a', 4)).toBe(0);
  });

  it('can be read without counting a request', async () => {
    const { limiter, advance } = setUp();
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => limiter.peek('a', 4)))).toEqual([0, 0, 0, 0, 0]);
    await takeMany(limiter, 'a', 4);
    expect([await limiter.peek('a', 4), await limiter.peek('a', 4)]).toEqual([250, 250]);
    advance(250);
    expect(await limiter.peek('a', 4)).toBe(0);
  });

  it('returns how many requests remain, and when the full limit is back', async () => {
    const { limiter, advance } = setUp();
    expect(await limiter.consume('a', 4)).toEqual({ wait: 0, remaining: 3, resetAfter: 250 });
    expect(await limiter.consume('a', 4)).toEqual({ wait: 0, remaining: 2, resetAfter: 500 });
    await takeMany(limiter, 'a', 2);
    expect(await limiter.consume('a', 4)).toEqual({ wait: 250, remaining: 0, resetAfter: 1_000 });
    advance(10_000);
    expect(await limiter.consume('a', 4)).toEqual({ wait: 0, remaining: 3, resetAfter: 250 });
  });

  it('can count units that were not allowed, of at most two limits', async () => {
    const { limiter, advance } = setUp();
    await takeMany(limiter, 'a', 3);
    expect(await limiter.add('a', 4, 2)).toMatchObject({ remaining: 0, resetAfter: 1_250 });
    expect(await limiter.peek('a', 4)).toBe(500);
    expect(await limiter.add('a', 4, 1_000)).toMatchObject({ resetAfter: 2_000 });
    advance(1_250);
    expect(await takeMany(limiter, 'a', 2)).toEqual([0, 250]);
  });

  it('counts several units at once, all or none', async () => {
    const { limiter, advance } = setUp();
    expect(await limiter.consume('a', 100, 60)).toMatchObject({ wait: 0, remaining: 40 });
    expect(await limiter.consume('a', 100, 60)).toMatchObject({ wait: 200, remaining: 40 });
    advance(200);
    expect(await limiter.consume('a', 100, 60)).toMatchObject({ wait: 0, remaining: 0 });
  });

  it('allows everything where the limit is 0', async () => {
    const { limiter } = setUp();
    expect(await takeMany(limiter, 'a', 100, 0)).toEqual(Array(100).fill(0));
    expect(await limiter.consume('a', 0)).toEqual({
      wait: 0,
      remaining: Number.POSITIVE_INFINITY,
      resetAfter: 0,
    });
  });

  it('counts each key separately', async () => {
    const { limiter } = setUp();
    await takeMany(limiter, 'a', 5);
    expect(await limiter.take('b', 4)).toBe(0);
  });

  it('counts each kind separately', async () => {
    const [one, other] = [newMemoryRateLimiter('one', 60_000), newMemoryRateLimiter('other', 60_000)];
    expect(await one.take('a', 1)).toBe(0);
    expect(await one.take('a', 1)).toBeGreaterThan(0);
    expect(await other.take('a', 1)).toBe(0);
  });

  it('can refund requests, never beyond the limit', async () => {
    const { limiter } = setUp();
    await takeMany(limiter, 'a', 4);
    await limiter.refund('a', 4);
    expect(await takeMany(limiter, 'a', 2)).toEqual([0, 250]);
    for (let time = 0; time < 20; time++) await limiter.refund('a', 4);
    expect(await takeMany(limiter, 'a', 5)).toEqual([0, 0, 0, 0, 250]);
    await limiter.refund('b', 4);
    expect(await takeMany(limiter, 'b', 5)).toEqual([0, 0, 0, 0, 250]);
  });

  it('drops the least recently used key when there are too many', async () => {
    const { limiter } = setUp(2);
    await takeMany(limiter, 'a', 4);
    await takeMany(limiter, 'b', 4);
    expect(await limiter.peek('a', 4)).toBe(250);
    await limiter.refund('a', 4);
    await limiter.take('c', 4);
    expect([await limiter.take('b', 4), (await takeMany(limiter, 'a', 2))[1]]).toEqual([0, 0]);
  });
});
