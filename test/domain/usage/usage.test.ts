import { describe, expect, it } from 'vitest';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { USAGE_DAYS } from '../../../src/domain/usage/usage.ts';
import { addUsage, durationStep, percentile } from '../../../src/domain/usage/usage-count.ts';
import { DAY } from '../../../src/lib/time.ts';
import { counted } from '../../support/database.ts';
import { newClient } from '../../support/oauth.ts';
import { testStorage } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

const durationsOf = (times: readonly number[]): number[] => {
  const counts: number[] = [];
  for (const ms of times) counts[durationStep(ms)] = (counts[durationStep(ms)] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
};

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

describe('the time in which 95 % of requests were answered', () => {
  it.each([
    ['of equal ones', Array(100).fill(10), 10],
    ['with five slow ones in a hundred', [...Array(95).fill(10), ...Array(5).fill(500)], 10],
    ['with six slow ones in a hundred', [...Array(94).fill(10), ...Array(6).fill(500)], 500],
    ['of one', [123], 123],
    ['of very short ones', [0, 0.01, 0.5], 1],
  ])('is rounded up by a fifth at most: %s', (_, times, expected) => {
    const answer = percentile(durationsOf(times), 0.95) as number;
    expect(answer).toBeGreaterThanOrEqual(expected);
    expect(answer).toBeLessThanOrEqual(Math.ceil(expected * 1.2));
  });

  it('is unknown without requests, and ends with the last step for endless ones', () => {
    expect(percentile([], 0.95)).toBeUndefined();
    expect(percentile([0, 0], 0.95)).toBeUndefined();
    expect(percentile(durationsOf([1e12]), 0.95)).toBe(2 ** 20);
  });
});

describe('use that is older than what is shown', () => {
  it('is left out, and deleted by the sweep', async () => {
    const { db, owner, organization } = await newWorld();
    const { id: usedBy } = await newClient(owner, organization.id);
    const days = [0, USAGE_DAYS - 1, USAGE_DAYS].map(dayBefore);
    const counts = { requests: 1, errors: 1, points: 1, durations: [1] };
    const marks = { kind: 'ERROR' as const, name: 'NOT_FOUND', count: 1, lastAt: new Date() };
    await addUsage(
      db,
      days.map((day) => ({ usedBy, day, ...counts })),
      days.map((day) => ({ usedBy, day, ...marks })),
    );
    const read = () =>
      owner.graph(
        'query ($id: ID!) { node(id: $id) { ... on Client { requestUsage { requests days { day } errorCodes { count } } } } }',
        { id: usedBy },
      );
    const shown = {
      requests: 2,
      days: days.slice(0, 2).map((day) => ({ day: `${day}T00:00:00.000Z` })),
      errorCodes: [{ count: 2 }],
    };
    expect((await read()).data.node.requestUsage).toEqual(shown);
    await sweep(db, (await testStorage(db)).store);
    expect((await read()).data.node.requestUsage).toEqual(shown);
    const stored = { usedBy };
    expect([
      await db.prisma.usageDay.count({ where: stored }),
      await db.prisma.usageMark.count({ where: stored }),
    ]).toEqual([2, 2]);
  });
});

it('the use of several applications is read by one statement', async () => {
  const { owner, organization } = await newWorld();
  for (let each = 0; each < 3; each++) await newClient(owner, organization.id);
  const { statements, result } = await counted(() =>
    owner.graph(
      'query ($id: ID!) { organization(id: $id) { clients { nodes { requestUsage { requests p95Milliseconds days { requests } errorCodes { code } deprecated { name } } } } } }',
      { id: organization.id },
    ),
  );
  expect(result.data.organization.clients.nodes).toHaveLength(3);
  expect(statements.filter((text) => text.includes('usage_days'))).toHaveLength(1);
});
