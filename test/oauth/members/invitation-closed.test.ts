import { describe, expect, it } from 'vitest';
import { newClient } from '../../support/oauth.ts';
import { ENDED, type Invited, invitedWorld } from './invited-world.ts';
import { ALL, type MembersWorld, run } from './members-world.ts';

/** The application of another organization, which acts for the owner. */
const foreign = async (world: MembersWorld) => {
  const { db, stranger, tokensFor, owner } = world;
  const { organizationId } = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const client = await newClient(stranger, organizationId, { scopes: ['read', 'write', 'members:write'] });
  world.client = client;
  return owner.with((await tokensFor(ALL, client)).access_token);
};

const setPolicy = ({ owner, organizationId }: Invited, applicationPolicy: string) =>
  run(owner, 'updateOrganization', { organizationId, applicationPolicy });

const decide = ({ owner, organizationId }: Invited, clientId: string, decision: string | null) =>
  run(owner, 'decideApplication', { organizationId, clientId, decision });

describe('what the application of another organization invited to', () => {
  const clientOf = async ({ db, organizationId }: Invited) =>
    (await db.prisma.invitation.findFirstOrThrow({ where: { organizationId, clientId: { not: null } } }))
      .clientId as string;

  it.each<[string, string, (world: Invited, clientId: string) => Promise<unknown>]>([
    ['application_closed', 'the policy becomes NONE', (world) => setPolicy(world, 'NONE')],
    ['application_closed', 'the policy becomes APPROVED_ONLY', (world) => setPolicy(world, 'APPROVED_ONLY')],
    ['application_closed', 'it is refused', (world, clientId) => decide(world, clientId, 'REFUSED')],
    [
      'application_closed',
      'its approval is taken back',
      async (world, clientId) => {
        await decide(world, clientId, 'APPROVED');
        await setPolicy(world, 'APPROVED_ONLY');
        expect((await world.left()).toProjects).toBe(2);
        await decide(world, clientId, null);
      },
    ],
    [
      'application_revoked',
      'the organization revokes it',
      ({ owner, organizationId }, clientId) => run(owner, 'revokeApplication', { organizationId, clientId }),
    ],
  ])('ends with the event %s when %s', async (reason, _, end) => {
    const world = await invitedWorld(foreign);
    const clientId = await clientOf(world);
    await end(world, clientId);
    expect(await world.left()).toEqual(ENDED);
    const events = await world.events(['invitation.withdrawn', 'projectInvitation.removed']);
    expect(events.map(({ kind, actorId, data }) => [kind, actorId, data])).toMatchObject([
      ['invitation.withdrawn', world.owner.id, { reason, clientId }],
      ['projectInvitation.removed', world.owner.id, { reason, clientId }],
    ]);
  });

  it('stays while the organization allows it, and what its own applications invited to in any case', async () => {
    const world = await invitedWorld(foreign);
    await decide(world, await clientOf(world), 'APPROVED');
    await world.invite(world.application, 'own@example.test');
    await setPolicy(world, 'APPROVED_ONLY');
    expect((await world.left()).invitations).toHaveLength(3);
    await setPolicy(world, 'NONE');
    expect(await world.invited()).toEqual(['in-person@example.test', 'own@example.test']);
  });
});
