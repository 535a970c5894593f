import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { PRESETS } from '../../src/config/presets.ts';
import { MINUTE } from '../../src/lib/time.ts';

describe('LIMITS', () => {
  it('is standard unless it is set, which is the defaults', () => {
    expect(readConfig({ LIMITS: 'standard' })).toEqual(readConfig({}));
  });

  it.each(PRESETS)('of %s is overridden by single variables', (LIMITS) => {
    const set = { LIMITS, REQUESTS_PER_MINUTE: '77', UNREAD_BYTES: '5000000', DATABASE_POOL: '3' };
    const { limits, databasePool } = readConfig(set);
    expect([limits.requests, limits.requestsUser, limits.unreadBytes, databasePool]).toEqual([
      77, 154, 5_000_000, 3,
    ]);
  });

  it('of small is nowhere above the defaults', () => {
    const standard: Record<string, unknown> = readConfig({}).limits;
    const above = Object.entries(readConfig({ LIMITS: 'small' }).limits).filter(
      ([name, value]) => typeof value === 'number' && value > (standard[name] as number),
    );
    expect(above).toEqual([]);
  });

  it('of off keeps the bounds of one request, of what is under way, and of attempts to guess a secret', () => {
    const { limits } = readConfig({ LIMITS: 'off' });
    const { queryCost, queryDepth, responseBytes, requestsAtOnce, signInTries, clientTries } = readConfig(
      {},
    ).limits;
    expect(limits).toMatchObject({
      queryCost,
      queryDepth,
      responseBytes,
      requestsAtOnce,
      signInTries,
      clientTries,
    });
  });

  it('refuses another value, with those that there are', () => {
    expect(() => readConfig({ LIMITS: 'large' })).toThrow(ConfigError);
    expect(() => readConfig({ LIMITS: 'large' })).toThrow(
      'LIMITS: must be small or standard or off, not "large"',
    );
  });

  it('reads a variable by its former name', () => {
    expect(readConfig({ SIGNED_ADDRESS_MINUTES: '5' }).limits.signedUrl).toBe(5 * MINUTE);
    const both = { SIGNED_ADDRESS_MINUTES: '5', SIGNED_URL_MINUTES: '6' };
    expect(readConfig(both).limits.signedUrl).toBe(6 * MINUTE);
  });
});
