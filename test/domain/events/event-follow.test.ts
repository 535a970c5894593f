import { describe, expect, it } from 'vitest';
import { followEvents } from '../../../src/domain/events/event-follow.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { unauthenticated } from '../../../src/domain/kernel/errors.ts';
import { newWorld } from '../../support/world.ts';

/** A follower of an organization in which something has happened that was not read yet; `renew` gives later rights. */
async function waiting(renew: (ctx: Context, stranger: Context) => Context) {
  const { owner, organization, project, stranger } = await newWorld();
  const [ctx, other] = [await owner.context(), await stranger.context()];
  let calls = 0;
  const follower = {
    renew: async () => (calls++ === 0 ? ctx : renew(ctx, other)),
    signal: new AbortController().signal,
  };
  const { events } = await followEvents(follower, { organizationId: organization.id });
  await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Plans' }] });
  return events;
}

describe('a follower of events', () => {
  it('gets what happens', async () => {
    const events = await waiting((ctx) => ctx);
    expect((await events.next()).value.event.kind).toBe('folder.created');
    await events.return(undefined);
  });

  it('gets nothing that was read while its credential ended', async () => {
    const events = await waiting(() => {
      throw unauthenticated('The credential was revoked.');
    });
    await expect(events.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('gets nothing that was read while its rights ended', async () => {
    const events = await waiting((_, stranger) => stranger);
    await expect(events.next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
