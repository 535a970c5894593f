import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Notifications } from '../../src/db/notifications.ts';

/** One whose messages are collected. */
function collecting() {
  const sent: string[][] = [];
  const send = async (organizationIds: string[]) => sent.push(organizationIds);
  return { sent, notifications: new Notifications({ send, listen: () => {} }) };
}

describe('messages to other processes', () => {
  it('leave at once for the first commit', () => {
    const { sent, notifications } = collecting();
    notifications.publish('org_1');
    expect(sent).toEqual([['org_1']]);
  });

  it('name each organization, and are few however many commits follow each other', async () => {
    const { sent, notifications } = collecting();
    const begun = performance.now();
    const published = Array.from({ length: 100 }, (_, at) => `org_${at}`);
    for (const each of published) {
      notifications.publish(each);
      await delay(2);
    }
    await expect.poll(() => new Set(sent.flat())).toEqual(new Set(published));
    expect(sent.length).toBeLessThanOrEqual((performance.now() - begun) / 50 + 2);
  });
});
