import { readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { describe, expect, it } from 'vitest';
import { passwordCheck } from '../../src/auth/password-strength.ts';
import { memoryRateLimiter } from '../../src/auth/rate-limiter.ts';
import { HOUR } from '../../src/lib/time.ts';

const newCheck = () => passwordCheck(memoryRateLimiter({ window: HOUR }));
const PERSON = { email: 'ada@example.com', name: 'Ada Lovelace', permittedBy: 'one', address: '192.0.2.1' };
const GOOD = 'gravel lantern otter quilt';

describe('a new password', () => {
  it('is checked while other requests are answered', async () => {
    const check = newCheck();
    await check({ ...PERSON, password: GOOD });
    const order: string[] = [];
    const checked = check({ ...PERSON, password: `${'p4ssw0rd!1|'.repeat(6)}` }).then(() =>
      order.push('password'),
    );
    await new Promise((resolve) => setImmediate(resolve)).then(() => order.push('event loop'));
    await checked;
    expect(order).toEqual(['event loop', 'password']);
  });

  it.each([
    'password1',
    'ada@example.com',
    'Ada Lovelace',
    'a'.repeat(1_000),
    'abc'.repeat(300),
    '19991231'.repeat(100),
    'qwertyuiop'.repeat(100),
  ])('is refused if it is easy to guess, however long it is: %#', async (password) => {
    expect(await newCheck()({ ...PERSON, password })).toContain('easy to guess');
  });

  it.each([GOOD, `${GOOD} `.repeat(30), 'x7#Kq9!vTz'])('is accepted otherwise: %#', async (password) => {
    expect(await newCheck()({ ...PERSON, password })).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('is checked by a thread that lets others go first', async () => {
    await newCheck()({ ...PERSON, password: GOOD });
    const priorities = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
    expect(priorities).toContain(constants.priority.PRIORITY_LOW);
    expect(getPriority()).toBeLessThan(constants.priority.PRIORITY_LOW);
  });

  it('is checked 30 times an hour for a link or an account, and 200 times for a network', async () => {
    const check = newCheck();
    const statuses = async (count: number, permit: (index: number) => string, address: string) => {
      const results = [];
      for (let index = 0; index < count; index++) {
        const entered = { ...PERSON, password: GOOD, permittedBy: permit(index), address };
        results.push(await check(entered).catch(({ code }) => code));
      }
      return results;
    };
    expect(await statuses(31, () => 'link', '192.0.2.1')).toEqual([
      ...Array(30).fill(undefined),
      'RATE_LIMITED',
    ]);
    expect(await statuses(1, () => 'other link', '192.0.2.1')).toEqual([undefined]);
    const ofNetwork = await statuses(201, (index) => `link ${index}`, '192.0.2.2');
    expect(ofNetwork).toEqual([...Array(200).fill(undefined), 'RATE_LIMITED']);
  });

  it('waits its turn behind no more than one of another network', async () => {
    const check = newCheck();
    const order: string[] = [];
    const send = (address: string, index: number) =>
      check({ ...PERSON, password: GOOD, permittedBy: `${address} ${index}`, address }).then(() =>
        order.push(address),
      );
    const many = Array.from({ length: 15 }, (_, index) => send('198.51.100.1', index));
    const one = send('203.0.113.1', 0);
    await Promise.all([...many, one]);
    expect(order.indexOf('203.0.113.1')).toBeLessThan(3);
  });

  it('is refused with "try again" when very many of a network wait', async () => {
    const check = newCheck();
    const tries = Array.from({ length: 40 }, (_, index) =>
      check({ ...PERSON, password: GOOD, permittedBy: `${index}` }),
    );
    const results = await Promise.allSettled(tries);
    const refused = results.flatMap((each) =>
      each.status === 'rejected' ? [each.reason.constructor.name] : [],
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused)).toEqual(new Set(['Busy']));
  });
});
