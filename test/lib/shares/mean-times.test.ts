import { expect, it } from 'vitest';
import { MeanTimes } from '../../../src/lib/shares/mean-times.ts';

it('a mean approaches what the latest tasks took, and begins with the mean of all', () => {
  const times = new MeanTimes();
  expect(times.of('a')).toBe(1);
  for (let task = 0; task < 100; task++) times.add('a', 80);
  expect(times.of('a')).toBeCloseTo(80, 0);
  expect(times.of('b')).toBeCloseTo(80, 0);
  for (let task = 0; task < 100; task++) times.add('b', 8);
  expect([times.of('a'), times.of('b')].map(Math.round)).toEqual([80, 8]);
});

it('means are kept of the thousand keys that had tasks last', () => {
  const times = new MeanTimes();
  times.add('first', 5_000);
  for (let key = 0; key < 1_000; key++) times.add(`${key}`, 10);
  expect(times.of('first')).toBeLessThan(20);
  expect(times.of('0')).toBeLessThan(5_000);
});
