import { createClient } from '@redis/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Tries } from '../../src/auth/tries.ts';
import { triesInRedis } from '../../src/auth/tries-in-redis.ts';
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

/** What a process has: its own connection, and what it said. */
function member(url: string, prefix: string) {
  const said: string[] = [];
  const { countTries, close } = triesInRedis({ url, prefix, say: (line) => said.push(line) });
  closing.push(close);
  return { countTries, said };
}

/** Until both reach Redis. */
async function meet(one: Tries, other: Tries) {
  for (let index = 0; ; index++) {
    await one.take(`meet ${index}`, 1);
    if ((await other.wait(`meet ${index}`, 1)) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.runIf(REDIS_URL)('tries in Redis', () => {
  const url = REDIS_URL as string;

  it('are counted together by all that share it, however many ask at once', async () => {
    const prefix = newPrefix();
    const [one, other] = [member(url, prefix), member(url, prefix)].map(({ countTries }) =>
      countTries('kind', 60_000),
    ) as [Tries, Tries];
    await meet(one, other);
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).take('key', 10)),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(Math.max(...(waits as number[]))).toBeLessThanOrEqual(6_000);
    await one.giveBack('key', 10);
    expect(await Promise.all([other.wait('key', 10), other.take('key', 10)])).toEqual([0, 0]);
    expect(await one.wait('key', 10)).toBeGreaterThan(0);
  });

  it('tell how many are left, and are apart by kind', async () => {
    const prefix = newPrefix();
    const { countTries } = member(url, prefix);
    const tries = countTries('a', 60_000);
    await meet(tries, member(url, prefix).countTries('a', 60_000));
    expect(await tries.spend('key', 600)).toEqual({ wait: 0, left: 599, whole: 100 });
    await tries.take('one', 1);
    expect([await tries.take('one', 1), await countTries('b', 60_000).take('one', 1)]).toEqual([
      expect.any(Number),
      0,
    ]);
  });

  it('leave no name in Redis, and nothing at all once all tries are back', async () => {
    const prefix = newPrefix();
    const { countTries } = member(url, prefix);
    const tries = countTries('a', 300);
    const redis = await createClient({ url }).connect();
    closing.push(async () => redis.destroy());
    await until(async () => {
      await tries.take('both 192.0.2.1 ada@example.test', 1);
      return (await redis.keys(`${prefix}*`)).length > 0;
    });
    expect((await redis.keys(`${prefix}*`)).join()).not.toMatch(/ada|192/);
    await until(async () => (await redis.keys(`${prefix}*`)).length === 0);
  });

  it.each([
    'cut',
    'silence',
  ] as const)('go on in the process when Redis is away (%s), and come back', async (fault) => {
    const way = await wayTo(url);
    closing.push(() => way.close());
    const prefix = newPrefix();
    const { countTries, said } = member(way.url, prefix);
    const tries = countTries('a', 60_000);
    const straight = member(url, prefix).countTries('a', 60_000);
    await meet(tries, straight);
    way[fault]();
    const meanwhile = [];
    for (let index = 0; index < 3; index++) meanwhile.push((await tries.take('key', 2)) > 0);
    expect(meanwhile).toEqual([false, false, true]);
    expect(said).toEqual([expect.stringMatching(/^Redis is away .*each process counts by itself/)]);
    way.mend();
    await until(async () => {
      await tries.take('probe', 1_000_000);
      return said.length > 1;
    });
    expect(said[1]).toBe('Redis is back, and counts for all processes.');
    expect([await tries.take('once', 1), (await straight.take('once', 1)) > 0]).toEqual([0, true]);
  });

  it('hold for two servers as one, for requests and for sign-ins', async () => {
    const db = await testDatabase();
    const prefix = newPrefix();
    const members = [member(url, prefix), member(url, prefix)];
    const apps = await Promise.all(
      members.map(({ countTries }) => appOn(db, { requests: 4, signInTries: 2 }, { countTries })),
    );
    const [one, other] = members.map(({ countTries }) => countTries('meeting', 60_000)) as [Tries, Tries];
    await meet(one, other);
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
