import { describe, expect, it } from 'vitest';
import { killAgainAndAgain } from '../soak/kill.ts';
import { restartInTurn } from '../soak/rolling.ts';

const server = process.env.TEST_DATABASE_URL;

/** Short rounds of what `npm run soak` does at length. */
describe('a server that is killed while it writes', () => {
  it('has every acknowledged write after a restart, and an unbroken chain of events', async () => {
    const killing = { kills: 2, writes: 100, writers: 4, batch: 5, minutes: 4 };
    const { acked, lost, torn, chain } = await killAgainAndAgain(killing, server);
    expect([lost, torn, chain]).toEqual([0, 0, undefined]);
    expect(acked).toBeGreaterThanOrEqual(100);
  }, 300_000);
});

describe.runIf(server)('two processes that are restarted in turn (needs PostgreSQL)', () => {
  it('fail no request, and lose no write', async () => {
    const rolling = { restarts: 2, requests: 100, writers: 4, minutes: 4 };
    const { statuses, acked, lost } = await restartInTurn(rolling, server as string);
    expect([Object.keys(statuses), lost]).toEqual([['200'], 0]);
    expect(acked).toBeGreaterThan(0);
  }, 300_000);
});
