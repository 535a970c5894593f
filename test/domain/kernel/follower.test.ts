import { setMaxListeners } from 'node:events';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { watchOrganization } from '../../../src/domain/kernel/follower.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { leaveTurns } from '../../../src/lib/fair-slots.ts';
import { testDatabase } from '../../support/database.ts';
import { newWorld } from '../../support/world.ts';

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
});

/** So many followers of a new organization that wait for its next change, and a function that makes one. */
async function newFollowers(count: number) {
  const { owner, organization, project } = await newWorld(db);
  const { id: projectId } = project;
  const ctx = await owner.context();
  const aborting = new AbortController();
  setMaxListeners(0, aborting.signal);
  const followers = Array.from({ length: count }, () =>
    watchOrganization(ctx, organization.id, aborting.signal),
  );
  onTestFinished(() => {
    aborting.abort();
    for (const follower of followers) follower.end();
  });
  const change = async () => createTasks(await owner.context(), { projectId, tasks: [{ name: 'One' }] });
  return { followers, change, aborting };
}

describe('followers of an organization', () => {
  it('go on after a change a few at a time, so that others have their turn', async () => {
    const { followers, change } = await newFollowers(30);
    let [underWay, most] = [0, 0];
    const done = followers.map(async (follower) => {
      await follower.waitForChange();
      most = Math.max(most, ++underWay);
      await leaveTurns();
      underWay--;
      follower.end();
    });
    await change();
    await Promise.all(done);
    expect(most).toBeLessThan(30);
  });

  it('go on although those before them wait for slow readers', async () => {
    const { followers, change } = await newFollowers(30);
    const woken = followers.map((follower) => follower.waitForChange());
    await change();
    expect(await Promise.all(woken)).toHaveLength(30);
  });

  it('wait for no turn once their subscription has ended', async () => {
    const { followers, change, aborting } = await newFollowers(30);
    const woken = followers.map((follower) => follower.waitForChange());
    await change();
    aborting.abort();
    expect(await Promise.all(woken)).toHaveLength(30);
  });
});
