import { describe, expect, it } from 'vitest';
import { compare } from '../soak/enumeration/ranks.ts';

const range = (begin: number, end: number) =>
  Array.from({ length: end - begin }, (_, index) => begin + index);

describe('the Mann-Whitney test', () => {
  it('finds no difference between a sample and itself', () => {
    expect(compare(range(1, 41), range(1, 41))).toEqual({ ratio: 1, greater: 0.5, p: expect.closeTo(1, 6) });
  });

  // SciPy 1: mannwhitneyu(x, y, use_continuity=False, method='asymptotic')
  it.each([
    { first: range(6, 36), second: range(1, 31), ratio: 20.5 / 15.5, greater: 587.5 / 900, p: 0.0419955 },
    {
      first: [...range(1, 21), ...range(1, 21)],
      second: [...range(3, 23), ...range(5, 25)],
      ...{ ratio: 10.5 / 13.5, greater: 580 / 1600, p: 0.034083 },
    },
  ])('gives the share and the probability of $greater', ({ first, second, ratio, greater, p }) => {
    expect(compare(first, second)).toEqual({ ratio, greater, p: expect.closeTo(p, 6) });
  });
});
