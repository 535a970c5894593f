/** What two samples say of their distributions. */
export interface Comparison {
  /** Of the medians, the first by the second. */
  ratio: number;
  /** How often a value of the first is greater than one of the second: 0.5 for equal distributions. */
  greater: number;
  /** Two-sided, of the Mann-Whitney test: how probable such a difference is for equal distributions. */
  p: number;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
};

/** The ranks of the first sample among both, added up; equal values share their mean rank. `ties`: the sum of t³ - t over them. */
function rankSum(first: readonly number[], second: readonly number[]): { sum: number; ties: number } {
  const all = [...first.map((value) => ({ value, own: 1 })), ...second.map((value) => ({ value, own: 0 }))];
  all.sort((a, b) => a.value - b.value);
  let [sum, ties, begin] = [0, 0, 0];
  while (begin < all.length) {
    let end = begin;
    while (all[end]?.value === all[begin]?.value && end < all.length) end++;
    const count = end - begin;
    const own = all.slice(begin, end).reduce((total, each) => total + each.own, 0);
    sum += (own * (begin + 1 + end)) / 2;
    ties += count ** 3 - count;
    begin = end;
  }
  return { sum, ties };
}

/** P(|Z| ≥ z) of the normal distribution, to 1.5e-7 (Abramowitz and Stegun 7.1.26). */
function twoSided(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const coefficients = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  return coefficients.reduce((total, each) => total * t + each, 0) * t * Math.exp(-x * x);
}

/** The Mann-Whitney test by its normal approximation, corrected for ties; for samples of 20 and more. */
export function compare(first: readonly number[], second: readonly number[]): Comparison {
  const [n, m] = [first.length, second.length];
  const { sum, ties } = rankSum(first, second);
  const u = sum - (n * (n + 1)) / 2;
  const total = n + m;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = deviation > 0 ? (u - (n * m) / 2) / deviation : 0;
  return { ratio: median(first) / median(second), greater: u / (n * m), p: twoSided(z) };
}
