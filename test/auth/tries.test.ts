import { describe, expect, it } from 'vitest';
import { countInMemory, triesInMemory } from '../../src/auth/tries.ts';

/** With a clock that the test turns. */
function counting(keys?: number) {
  let time = 1_000_000;
  const tries = triesInMemory({ window: 1_000, keys, now: () => time });
  const pass = (ms: number) => {
    time += ms;
  };
  return { tries, pass };
}

const take = async (tries: ReturnType<typeof triesInMemory>, key: string, times: number, most = 4) =>
  Promise.all(Array.from({ length: times }, () => tries.take(key, most)));

describe('tries', () => {
  it('are as many as said, however many ask at once, and then tell how long to wait', async () => {
    const { tries } = counting();
    expect(await take(tries, 'a', 6)).toEqual([0, 0, 0, 0, 250, 250]);
  });

  it('come back one by one', async () => {
    const { tries, pass } = counting();
    await take(tries, 'a', 4);
    pass(250);
    expect(await take(tries, 'a', 2)).toEqual([0, 250]);
    pass(10_000);
    expect(await take(tries, 'a', 5)).toEqual([0, 0, 0, 0, 250]);
  });

  it('are not prolonged by asking while there are none', async () => {
    const { tries, pass } = counting();
    await take(tries, 'a', 100);
    pass(250);
    expect(await tries.take('a', 4)).toBe(0);
  });

  it('can be looked at, which takes none', async () => {
    const { tries, pass } = counting();
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => tries.wait('a', 4)))).toEqual([0, 0, 0, 0, 0]);
    await take(tries, 'a', 4);
    expect([await tries.wait('a', 4), await tries.wait('a', 4)]).toEqual([250, 250]);
    pass(250);
    expect(await tries.wait('a', 4)).toBe(0);
  });

  it('tell how many are left, and when all will be back', async () => {
    const { tries, pass } = counting();
    expect(await tries.spend('a', 4)).toEqual({ wait: 0, left: 3, whole: 250 });
    expect(await tries.spend('a', 4)).toEqual({ wait: 0, left: 2, whole: 500 });
    await take(tries, 'a', 2);
    expect(await tries.spend('a', 4)).toEqual({ wait: 250, left: 0, whole: 1_000 });
    pass(10_000);
    expect(await tries.spend('a', 4)).toEqual({ wait: 0, left: 3, whole: 250 });
  });

  it('have no end where there is no limit', async () => {
    const { tries } = counting();
    expect(await take(tries, 'a', 100, 0)).toEqual(Array(100).fill(0));
    expect(await tries.spend('a', 0)).toEqual({ wait: 0, left: Number.POSITIVE_INFINITY, whole: 0 });
  });

  it('are counted by key', async () => {
    const { tries } = counting();
    await take(tries, 'a', 5);
    expect(await tries.take('b', 4)).toBe(0);
  });

  it('are counted apart by kind', async () => {
    const [one, other] = [countInMemory('one', 60_000), countInMemory('other', 60_000)];
    expect(await one.take('a', 1)).toBe(0);
    expect(await one.take('a', 1)).toBeGreaterThan(0);
    expect(await other.take('a', 1)).toBe(0);
  });

  it('can be given back, and never grow above what was', async () => {
    const { tries } = counting();
    await take(tries, 'a', 4);
    await tries.giveBack('a', 4);
    expect(await take(tries, 'a', 2)).toEqual([0, 250]);
    for (let each = 0; each < 20; each++) await tries.giveBack('a', 4);
    expect(await take(tries, 'a', 5)).toEqual([0, 0, 0, 0, 250]);
    await tries.giveBack('b', 4);
    expect(await take(tries, 'b', 5)).toEqual([0, 0, 0, 0, 250]);
  });

  it('forget the key that was touched longest ago when there are too many', async () => {
    const { tries } = counting(2);
    await take(tries, 'a', 4);
    await take(tries, 'b', 4);
    expect(await tries.wait('a', 4)).toBe(250);
    await tries.giveBack('a', 4);
    await tries.take('c', 4);
    expect([await tries.take('b', 4), (await take(tries, 'a', 2))[1]]).toEqual([0, 0]);
  });
});
