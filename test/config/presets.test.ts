import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { PRESETS } from '../../src/config/presets.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { newDataFolder } from '../support/servers/embedded-folder.ts';
import { freePort, start } from '../support/servers/processes.ts';

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

/** Costs 6,111 points. */
const LARGE_QUERY =
  '{ viewer { organizations(first: 100) { nodes { projects(first: 50) { nodes { name } } } } } }';

/** What a server with this preset answers to the query with the key, and the header about its limits. */
async function answerOf(LIMITS: string, DATA_DIR: string, key: string) {
  const server = await start(await freePort(), { LIMITS, DATA_DIR, DATABASE_URL: '', LOG_LEVEL: 'error' });
  try {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: LARGE_QUERY }),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    const [, requests] = /q=(\d+);w=60/.exec(response.headers.get('ratelimit-policy') ?? '') ?? [];
    return { code: errors?.[0]?.extensions.code, requests };
  } finally {
    await server.stop();
  }
}

describe('a server', () => {
  it('refuses under small what it answers under standard, and counts no requests under off', {
    timeout: 10 * MINUTE,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docgraph-presets-'));
    try {
      const { owner } = await newDataFolder(folder);
      expect(await answerOf('small', folder, owner.key)).toEqual({
        code: 'COST_LIMIT_EXCEEDED',
        requests: '300',
      });
      expect(await answerOf('standard', folder, owner.key)).toEqual({ code: undefined, requests: '600' });
      expect(await answerOf('off', folder, owner.key)).toEqual({ code: undefined, requests: undefined });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
