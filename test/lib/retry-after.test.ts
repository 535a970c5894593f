import { expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/lib/retry-after.ts';

const NOW = Date.UTC(2026, 10, 6, 8, 49, 0);

it.each([
  ['0', 0],
  ['120', 120_000],
  ['Fri, 06 Nov 2026 08:49:37 GMT', 37_000],
  ['Friday, 06-Nov-26 08:49:37 GMT', 37_000],
  ['Fri Nov  6 08:49:37 2026', 37_000],
  ['Fri, 06 Nov 2026 08:48:00 GMT', 0],
])('reads Retry-After: %s', (value, wait) => {
  expect(parseRetryAfter(value, NOW)).toBe(wait);
});

it.each([
  '',
  '-5',
  '1.5',
  'soon',
  '2026-11-06',
  'Fri, nonsense GMT',
  '5, 7',
])('ignores Retry-After: %j, which is neither seconds nor a date of HTTP', (value) => {
  expect(parseRetryAfter(value, NOW)).toBeUndefined();
});
