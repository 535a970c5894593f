import { describe, expect, it } from 'vitest';
import { base32 } from '../../../src/domain/accounts/base32.ts';
import { matchingTotpStep, totpCode, totpStep } from '../../../src/domain/accounts/totp.ts';

/** RFC 6238, appendix B, for SHA-1. */
const SEED = Buffer.from('12345678901234567890');
const VECTORS: [seconds: number, code: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

const TIME = 1_234_567_890_000;
const NOW = totpStep(TIME);
const code = (distance: number) => totpCode(SEED, NOW + distance);

describe('a code of an authenticator app', () => {
  it.each(VECTORS)('at %i s is that of RFC 6238', (seconds, expected) => {
    expect(totpCode(SEED, totpStep(seconds * 1_000), 8)).toBe(expected);
  });

  it('is accepted one step before and after its own, and no further', () => {
    const steps = [-2, -1, 0, 1, 2].map((distance) =>
      matchingTotpStep(SEED, { code: code(distance), time: TIME, after: 0 }),
    );
    expect(steps).toEqual([undefined, NOW - 1, NOW, NOW + 1, undefined]);
  });

  it('is not accepted for a step up to the last one that was used', () => {
    const match = (after: number) => matchingTotpStep(SEED, { code: code(0), time: TIME, after });
    expect([match(NOW - 1), match(NOW), match(NOW + 1)]).toEqual([NOW, undefined, undefined]);
  });

  it.each(['', '12345', '1234567', '12345a', '١٢٣٤٥٦', ' 123456'])('is not %j', (text) => {
    expect(matchingTotpStep(SEED, { code: text, time: TIME, after: 0 })).toBeUndefined();
  });
});

describe('base32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of %j is %j, as in RFC 4648', (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected);
  });
});
