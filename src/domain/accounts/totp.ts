import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SECOND } from '../../lib/time.ts';

/** In ms, and in digits: what every authenticator app supports. */
const STEP = 30 * SECOND;
const DIGITS = 6;

/** Steps before and after the present one whose codes are accepted, as clocks differ (RFC 6238 §5.2). */
const TOLERANCE = 1;

/** A new seed of 160 bits, the length that RFC 4226 §4 recommends. */
export const newTotpSeed = (): Uint8Array => randomBytes(20);

/** The step of a time in ms since 1970. */
export const totpStep = (time: number): number => Math.floor(time / STEP);

/** The code of a step, with HMAC-SHA-1 (RFC 6238 §4, RFC 4226 §5.3). */
export function totpCode(seed: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', seed).update(counter).digest();
  const value = hash.readUInt32BE((hash.at(-1) as number) & 15) & 0x7fffffff;
  return String(value % 10 ** digits).padStart(digits, '0');
}

/** The step around `time` (ms since 1970) that has this code, and is later than `after`; undefined if there is none. */
export function matchingTotpStep(
  seed: Uint8Array,
  { code, time, after }: { code: string; time: number; after: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = totpStep(time);
  const steps = Array.from({ length: 2 * TOLERANCE + 1 }, (_, index) => now - TOLERANCE + index);
  const matching = steps.filter((step) =>
    timingSafeEqual(Buffer.from(totpCode(seed, step)), Buffer.from(code)),
  );
  return matching.find((step) => step > after);
}
