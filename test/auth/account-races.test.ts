import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { runRace } from '../soak/accounts/race.ts';
import { ACCOUNT_RACES } from '../soak/accounts/races.ts';
import { newScene, type Scene } from '../soak/accounts/scene.ts';
import { newApp } from '../support/browser.ts';
import { secondPool, testDatabase } from '../support/database.ts';

/** Of each race; `npm run soak -- accounts` runs 300, over processes. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3);

describe.runIf(process.env.TEST_DATABASE_URL)('of twenty browsers that use it at once, one wins', () => {
  let other: Database;
  let scene: Scene;
  beforeAll(async () => {
    const db = await testDatabase();
    other = await secondPool();
    // Each permits five wrong codes of an account.
    scene = await newScene(db, await Promise.all([db, other, db, other].map((each) => newApp(each))));
  });
  afterAll(() => other?.close());

  it.each(Object.entries(ACCOUNT_RACES))('%s', { timeout: 60_000 + ROUNDS * 5_000 }, async (_, race) => {
    const { statuses, ...tally } = await runRace(race, scene, ROUNDS);
    expect(tally).toEqual({ rounds: ROUNDS, wrong: 0, vain: 0, unclear: 0, changed: 0 });
  });
});
