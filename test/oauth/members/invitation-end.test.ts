import { beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/transaction.ts';
import { setPassword } from '../../../src/domain/accounts/password.ts';
import { endAuthorizations } from '../../../src/domain/oauth/client-authorizations.ts';
import { revokeAuthorization } from '../../../src/domain/oauth/grant.ts';
import { deleteClients } from '../../../src/domain/service-accounts/client-deletion.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newClient } from '../../support/oauth.ts';
import { ENDED, type Invited, invitedWorld } from './invited-world.ts';
import { ALL, run } from './members-world.ts';

beforeEach(() => dropJobs());

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
