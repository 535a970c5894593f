import { beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/transaction.ts';
import { newResetSecret, requestPasswordReset } from '../../../src/domain/accounts/password-reset.ts';
import { accountOfIdentity } from '../../../src/domain/accounts/provider-account.ts';
import { queueMails } from '../../../src/domain/mails/queue-mail.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { tellSecondFactorRequired } from '../../../src/domain/organizations/second-factor-required.ts';
import { beginErasure } from '../../../src/domain/personal-data/erase-person.ts';
import { listen } from '../../../src/http/listen.ts';
import { dropJobs } from '../../support/jobs.ts';
import { subscribe } from '../../support/sse.ts';
import { newServiceAccount } from './service-world.ts';

beforeAll(dropJobs);

type Account = Awaited<ReturnType<typeof newServiceAccount>>;

const mailsTo = ({ db, member }: Account) => db.prisma.mail.count({ where: { toEmail: member.user.email } });

describe('a service account', () => {
  it('gets no mail, whoever queues it', async () => {
    const world = await newServiceAccount();
    const { db, owner, organization, member } = world;
    await requestPasswordReset(db, member.user.email);
    await inTransaction(db, async (tx) => {
      await tellSecondFactorRequired(tx, organization.id, owner.id);
      await queueMails(tx, [
        { kind: 'PASSWORD_CHANGED', to: member.user.email, toUserId: member.user.id, organizationId: null },
      ]);
    });
    expect(await mailsTo(world)).toBe(0);
  });

  it('gets no notification of what it follows', async () => {
    const world = await newServiceAccount('ADMIN');
    const { db, owner, project, member } = world;
    await db.prisma.follow.createMany({
      data: [
        {
          ...{
            organizationId: world.organization.id,
            id: `flw_${member.id.slice(4)}`,
            userId: member.user.id,
          },
          ...{ projectId: project.id, subjectId: project.id },
        },
      ],
      skipDuplicates: true,
    });
    await owner.graph(
      `mutation { updateProject(input: { projectId: "${project.id}", name: "Renamed" }) { project { id } } }`,
    );
    while (await notifyNext(db));
    expect(await db.prisma.notification.count({ where: { userId: member.user.id } })).toBe(0);
    expect(await mailsTo(world)).toBe(0);
  });

  it('has no way to a password', async () => {
    const { db, app, member } = await newServiceAccount();
    expect(await newResetSecret(db, member.user.email)).toBeUndefined();
    const reset = await app.request('/password/forgot', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://docgraph.test' },
      body: new URLSearchParams({ email: member.user.email }),
    });
    const unknown = await app.request('/password/forgot', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://docgraph.test' },
      body: new URLSearchParams({ email: 'nobody@service-account.invalid' }),
    });
    expect([reset.status, reset.headers.get('location')]).toEqual([
      unknown.status,
      unknown.headers.get('location'),
    ]);
    const data = { passwordHash: 'x' };
    await expect(db.prisma.user.update({ where: { id: member.user.id }, data })).rejects.toThrow();
  });

  it('is not the account of a person at an identity provider that vouches for its address', async () => {
    const { db, member } = await newServiceAccount();
    const { email, id } = member.user;
    const answer = await accountOfIdentity(db, {
      ...{ issuer: 'https://idp.example', subject: 'mallory', email, name: 'Mallory', isProved: true },
      ...{ creates: 'open', ipAddress: '192.0.2.1' },
    });
    expect(answer).toEqual({ refused: 'ask' });
    expect(await db.prisma.user.findUnique({ where: { id } })).toMatchObject({
      email,
      emailVerifiedAt: null,
    });
  });

  it.each([
    ['an invitation', 'inviteMembers', 'members'],
    ['a task', 'createTasks', 'tasks'],
  ])('is not reached by %s to its address', async (_, mutation) => {
    const { owner, organization, project, member } = await newServiceAccount();
    const { email } = member.user;
    const input =
      mutation === 'inviteMembers'
        ? { organizationId: organization.id, members: [{ email, role: 'MEMBER' }] }
        : { projectId: project.id, tasks: [{ title: 'Sign', assigneeEmail: email }] };
    const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
    const { errors } = await owner.graph(
      `mutation ($input: ${type}!) { ${mutation}(input: $input) { __typename } }`,
      { input },
    );
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });

  it('is not erased as a person is', async () => {
    const { db, owner, member } = await newServiceAccount();
    const site = await owner.context();
    const cause = { by: 'OPERATOR' as const, reason: 'asked' };
    await expect(beginErasure(site, member.user.id, cause)).rejects.toThrow('service account');
    expect(await db.prisma.user.findUnique({ where: { id: member.user.id } })).toMatchObject({
      erasedAt: null,
    });
  });

  it('loses its subscriptions with the account', async () => {
    const { app, organization, token, remove } = await newServiceAccount('ADMIN');
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
    const query = 'subscription ($id: ID!) { eventAppended(organizationId: $id) { kind } }';
    const reader = await subscribe(`http://127.0.0.1:${port}`, token, query, { id: organization.id });
    await remove();
    const frames: unknown[] = [];
    for (let frame = await reader.next(); frame; frame = await reader.next())
      frames.push(frame.json ?? frame.event);
    expect(JSON.stringify(frames)).not.toContain('serviceAccount.deleted');
    reader.cut();
    await close();
  });
});
