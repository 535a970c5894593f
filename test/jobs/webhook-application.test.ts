import { beforeEach, describe, expect, it } from 'vitest';
import { revokeAuthorization } from '../../src/domain/oauth/grant.ts';
import { findWebhooks } from '../../src/domain/webhooks/webhook.ts';
import { deleteWebhooks, updateWebhook } from '../../src/domain/webhooks/webhook-change.ts';
import { sendDue } from '../../src/jobs/webhook-sender.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { happen, hooksFor, newApplication, receiver, through } from '../support/webhooks.ts';
import { newMember, newWorld, type Person } from '../support/world.ts';

beforeEach(dropJobs);

async function newHook() {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const { url, received } = await receiver();
  const application = await newApplication(db, organization.id, owner.id);
  const first = await application.grant(owner.id);
  const organizationId = organization.id;
  const [id] = await hooksFor(await through(owner, first), organizationId, [url]);
  const deliver = async () => {
    await happen(owner, organizationId);
    await sendDue(await jobContext(), [organizationId]);
  };
  const kinds = async (person: Person = owner) => {
    const { data } = await person.graph(
      'query ($id: ID!) { organization(id: $id) { events(first: 25) { nodes { kind changes { member after } } } } }',
      { id: organizationId },
    );
    return data.organization.events.nodes as {
      kind: string;
      changes: { member: string; after: unknown }[];
    }[];
  };
  const look = async () => (await findWebhooks(await owner.context(), [id as string]))[0];
  return { ...world, application, first, id: id as string, received, deliver, kinds, look };
}

describe('a webhook that an application created', () => {
  it.each<[string, (world: Awaited<ReturnType<typeof newHook>>) => Promise<unknown>]>([
    [
      'is revoked',
      ({ db, first }) => db.prisma.grant.update({ where: { id: first }, data: { revokedAt: new Date() } }),
    ],
    ['is swept', ({ db, first }) => db.prisma.grant.delete({ where: { id: first } })],
  ])('lives on with the next grant of the same user when the one that made it %s', async (_, end) => {
    const world = await newHook();
    await end(world);
    await world.application.grant(world.owner.id);
    await world.deliver();
    expect(world.received).toHaveLength(1);
    expect(await world.look()).toMatchObject({ state: 'ACTIVE' });
  });

  it.each<[string, (world: Awaited<ReturnType<typeof newHook>>) => Promise<unknown>]>([
    [
      'its user takes back what it was allowed',
      async ({ owner, application }) =>
        revokeAuthorization(await owner.context(), { clientId: application.id }),
    ],
    [
      'what is left does not let it read',
      async ({ db, owner, application, first }) => {
        await db.prisma.grant.delete({ where: { id: first } });
        await application.grant(owner.id, ['write']);
      },
    ],
    [
      'what is left is the grant of another user',
      async ({ db, organization, application, first }) => {
        await application.grant((await newMember(db, organization.id, 'ADMIN')).id);
        await db.prisma.grant.delete({ where: { id: first } });
      },
    ],
    [
      'the application is deleted',
      ({ db, application }) =>
        db.prisma.client.update({ where: { id: application.id }, data: { deletedAt: new Date() } }),
    ],
  ])('is suspended when %s, and an event tells an admin why, once', async (_, end) => {
    const world = await newHook();
    await end(world);
    await world.deliver();
    await world.deliver();
    expect(world.received).toEqual([]);
    const reason = expect.stringContaining('let the application that set it up read any more');
    expect(await world.look()).toMatchObject({ state: 'SUSPENDED', stateReason: reason });
    const admin = await newMember(world.db, world.organization.id, 'ADMIN');
    const suspended = (await world.kinds(admin)).filter(({ kind }) => kind === 'webhook.suspended');
    expect(suspended).toHaveLength(1);
    expect(suspended[0]?.changes).toContainEqual({ member: 'stateReason', after: reason });
  });

  it.each([
    ['the policy is NONE', { applicationPolicy: 'NONE' }, {}],
    ['it is not approved', { applicationPolicy: 'APPROVED_ONLY' }, {}],
    ['it is refused', {}, { decision: 'REFUSED' }],
    ['it is revoked for all members', {}, { revokedAt: new Date('2100-01-01') }],
  ] as const)('is suspended when the organization does not allow the application: %s', async (_, policy, decided) => {
    const world = await newHook();
    const { db, organization, application, stranger } = world;
    const elsewhere = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
    await db.prisma.client.update({
      where: { id: application.id },
      data: { organizationId: elsewhere.organizationId },
    });
    await world.deliver();
    expect(world.received).toHaveLength(1);
    await db.prisma.organization.update({ where: { id: organization.id }, data: policy });
    const path = { organizationId: organization.id, clientId: application.id };
    await db.prisma.organizationApplication.create({ data: { ...path, ...decided } });
    await world.deliver();
    expect(world.received).toHaveLength(1);
    expect(await world.look()).toMatchObject({
      state: 'SUSPENDED',
      stateReason: expect.stringContaining('does not allow the application'),
    });
  });

  it('is managed by the application with each grant of the same user, and with no other', async () => {
    const { db, owner, organization, application, first, id } = await newHook();
    const admin = await newMember(db, organization.id, 'ADMIN');
    const other = await newApplication(db, organization.id, owner.id);
    const countVisible = async (person: Person, grantId: string) =>
      (await findWebhooks(await through(person, grantId), [id])).length;
    await db.prisma.grant.update({ where: { id: first }, data: { revokedAt: new Date() } });
    expect(await countVisible(owner, await application.grant(owner.id))).toBe(1);
    const foreign = await application.grant(admin.id);
    expect(await countVisible(admin, foreign)).toBe(0);
    expect(await countVisible(owner, await other.grant(owner.id))).toBe(0);
    const stranger = await through(admin, foreign);
    await expect(deleteWebhooks(stranger, { webhookIds: [id] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is the admin\u2019s once they switch it on again, and the event says so', async () => {
    const { db, owner, organization, application, id, deliver, kinds, look, received } = await newHook();
    await revokeAuthorization(await owner.context(), { clientId: application.id });
    await deliver();
    const admin = await newMember(db, organization.id, 'ADMIN');
    await updateWebhook(await admin.context(), { webhookId: id, enabled: true });
    await deliver();
    expect(received.length).toBeGreaterThan(0);
    expect(await look()).toMatchObject({ state: 'ACTIVE', clientId: null, ownerId: admin.id });
    const updated = (await kinds()).find(({ kind }) => kind === 'webhook.updated');
    expect(updated?.changes).toContainEqual({ member: 'state', after: '"ACTIVE"' });
    expect(updated?.changes).toContainEqual({ member: 'stateReason', after: null });
  });
});
