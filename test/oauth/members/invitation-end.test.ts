import { beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/transaction.ts';
import { setPassword } from '../../../src/domain/accounts/password.ts';
import { acceptInvitation } from '../../../src/domain/membership/invitation-change.ts';
import { endAuthorizations } from '../../../src/domain/oauth/client-authorizations.ts';
import { deleteClients } from '../../../src/domain/oauth/client-change.ts';
import { revokeAuthorization } from '../../../src/domain/oauth/grant.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newClient } from '../../support/oauth.ts';
import { newPerson } from '../../support/world.ts';
import { ALL, type MembersWorld, newMembersWorld, run } from './members-world.ts';

beforeEach(() => dropJobs());

/** What an application made, and what it did not: invitations to the organization and to a project. */
async function invitedWorld(application?: (world: MembersWorld) => Promise<MembersWorld['application']>) {
  const world = await newMembersWorld();
  const { db, owner, organizationId, projectId, invite, inviteInPerson } = world;
  const acting = (await application?.(world)) ?? world.application;
  const [accepting, waiting] = [await newPerson(db), await newPerson(db)];
  const toProject = (invitationId: string) =>
    run(acting, 'addProjectMembers', { projectId, members: [{ person: { invitationId }, role: 'EDITOR' }] });
  for (const { email } of [accepting, waiting])
    await toProject((await invite(acting, email)).data.inviteMembers.invitations[0].id);
  const byHand = await inviteInPerson('in-person@example.test');
  await toProject(byHand);
  const invitationOf = async (email: string) =>
    (await db.prisma.invitation.findFirstOrThrow({ where: { organizationId, email } })).id;
  await acceptInvitation(await accepting.context(), { invitationId: await invitationOf(accepting.email) });
  const invitationId = await invitationOf(waiting.email);
  const left = async () => ({
    invitations: await world.invited(),
    toProjects: await db.prisma.projectInvitation.count({ where: { organizationId } }),
    members: await db.prisma.projectMember.count({ where: { organizationId, userId: accepting.id } }),
  });
  const events = (kinds: string[]) =>
    db.prisma.event.findMany({
      where: { organizationId, kind: { in: kinds } },
      orderBy: { sequence: 'asc' },
    });
  return { ...world, owner, acting, waiting, byHand, invitationId, left, events };
}

type Invited = Awaited<ReturnType<typeof invitedWorld>>;

const ENDED = { invitations: ['in-person@example.test'], toProjects: 0, members: 1 };

const replay = async ({ code, redeemCode }: Invited) => {
  const secret = await code();
  await redeemCode(secret);
  await redeemCode(secret);
};

const WAYS: [way: string, end: (world: Invited) => Promise<unknown>][] = [
  [
    'its user revokes it',
    async ({ owner, client }) => revokeAuthorization(await owner.context(), { clientId: client.id }),
  ],
  [
    'the organization ends it',
    async ({ owner, client }) => endAuthorizations(await owner.context(), { clientId: client.id }),
  ],
  [
    'the application is deleted',
    async ({ owner, client }) => deleteClients(await owner.context(), { clientIds: [client.id] }),
  ],
  ['the application revokes its token', ({ revoke, client, refreshToken }) => revoke(client, refreshToken)],
  [
    'a refresh token is used again',
    async ({ db, refresh, client, refreshToken }) => {
      await refresh(client, refreshToken);
      await db.prisma.refreshToken.updateMany({
        data: { usedAt: new Date(0) },
        where: { usedAt: { not: null } },
      });
      await refresh(client, refreshToken);
    },
  ],
  [
    'the password of its user is reset',
    ({ db, owner: { id: userId, email } }) =>
      inTransaction(db, (tx) =>
        setPassword(tx, { userId, email, passwordHash: '', kind: 'password.reset', ipAddress: null }),
      ),
  ],
];

describe('what an application invited to, and nobody accepted', () => {
  it.each(WAYS)('ends with the authorization, when %s', async (_, end) => {
    const world = await invitedWorld();
    await end(world);
    expect(await world.left()).toEqual(ENDED);
    const { waiting, byHand, client, projectId, invitationId } = world;
    const data = { reason: 'authorization_ended', clientId: client.id };
    expect(await world.events(['invitation.withdrawn', 'projectInvitation.removed'])).toMatchObject([
      {
        kind: 'invitation.withdrawn',
        subjectId: invitationId,
        data: { ...data, before: { email: waiting.email, role: 'MEMBER' } },
      },
      {
        kind: 'projectInvitation.removed',
        ...{ subjectId: byHand, projectId },
        data: { ...data, before: { email: 'in-person@example.test', role: 'EDITOR' } },
      },
    ]);
  });

  it('is not mailed any more', async () => {
    const { db, owner, client, organizationId, waiting } = await invitedWorld();
    await revokeAuthorization(await owner.context(), { clientId: client.id });
    while (await sendNextMail(await jobContext(db)));
    const mails = await db.prisma.mail.findMany({ where: { organizationId, kind: 'INVITATION' } });
    expect(mails.find(({ toEmail }) => toEmail === waiting.email)?.state).toBe('CANCELLED');
    expect(mails.find(({ toEmail }) => toEmail === 'in-person@example.test')?.state).toBe('OUTBOX');
  });

  it('stays while another authorization of the same application lives', async () => {
    const world = await invitedWorld();
    const before = await world.left();
    await world.tokensFor(ALL);
    await world.revoke(world.client, world.refreshToken);
    expect(await world.left()).toEqual(before);
    await replay(world);
    expect(await world.left()).toEqual(before);
  });

  it('stays with another application, whose authorization lives', async () => {
    const { owner, invite, invited, organizationId, client, tokensFor } = await invitedWorld();
    const other = await newClient(owner, organizationId, { scopes: ['members:write'] });
    const { access_token } = await tokensFor('members:write', other);
    await invite(await owner.with(access_token), 'other@example.test');
    await revokeAuthorization(await owner.context(), { clientId: client.id });
    expect(await invited()).toEqual(['in-person@example.test', 'other@example.test']);
  });

  it('is of the person who sends it again, and of the application that does', async () => {
    const { db, owner, acting, client, organizationId, invitationId, byHand, invited } = await invitedWorld();
    await db.prisma.invitation.updateMany({ data: { sentAt: new Date(0) } });
    await run(owner, 'resendInvitations', { organizationId, invitationIds: [invitationId] });
    await run(acting, 'resendInvitations', { organizationId, invitationIds: [byHand] });
    await revokeAuthorization(await owner.context(), { clientId: client.id });
    const left = await db.prisma.invitation.findMany({ where: { organizationId } });
    expect([left.map(({ id }) => id), await invited()]).toEqual([[invitationId], expect.any(Array)]);
  });
});

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
