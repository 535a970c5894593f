import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outboxMessages } from '../../src/domain/mails/mail.ts';
import {
  findLinkedInvitation,
  invitationUrl,
  readLink,
} from '../../src/domain/membership/invitation-link.ts';
import { resendInvitations } from '../../src/domain/membership/invitation-resend.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { HOUR } from '../../src/lib/time.ts';
import { Browser, newApp } from '../support/browser.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';
import { newPerson, newWorld, testApp } from '../support/world.ts';

const INVITE = `mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { invitations { id delivery { state attempts answer } } } }`;
const DELIVERY = `query ($id: ID!) { node(id: $id) { ... on Invitation { delivery { state attempts answer mayHaveArrived } } } }`;

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());

async function invite(email: string) {
  await dropJobs();
  const world = await newWorld();
  const input = { organizationId: world.organization.id, members: [{ email, role: 'MEMBER' }] };
  const { data } = await world.owner.graph(INVITE, { input });
  return { ...world, invitation: data.inviteMembers.invitations[0] };
}

async function mailedPath(db: Awaited<ReturnType<typeof newWorld>>['db']): Promise<string> {
  const mail = mailService(server.settings);
  while (await sendNextMail({ ...(await jobContext(db)), mail }));
  mail.smtp.close();
  const [arrived] = server.arrived.splice(0);
  return /\/invitations\/inv_\w+\/[\w-]+/.exec(arrived?.mail.text ?? '')?.[0] ?? '';
}

describe('an invitation', () => {
  it('is mailed to the address, over TLS and with a sign-in, and says so', async () => {
    const { db, owner, invitation } = await invite('carol@example.test');
    expect(invitation.delivery).toEqual({ state: 'WAITING', attempts: 0, answer: null });
    const mail = mailService(server.settings);
    const job = { ...(await jobContext(db)), mail };
    while (await sendNextMail(job));
    mail.smtp.close();
    const [arrived] = server.arrived.splice(0);
    expect(arrived).toMatchObject({
      from: 'docs@docgraph.test',
      to: ['carol@example.test'],
      secure: true,
      user: 'docgraph',
    });
    expect(arrived?.mail).toMatchObject({
      subject: 'You are invited to an organization in Docgraph',
      from: { name: 'Docgraph', address: 'docs@docgraph.test' },
      to: [{ address: 'carol@example.test' }],
      replyTo: [{ address: owner.email }],
    });
    const { data } = await owner.graph(DELIVERY, { id: invitation.id });
    expect(data.node.delivery).toMatchObject({ state: 'SENT', attempts: 1, mayHaveArrived: false });
    expect(data.node.delivery.answer).toMatch(/^250 /);
  });

  it('has a link on which the person with the address accepts by one click', async () => {
    const world = await newWorld();
    const person = await newPerson(world.db);
    const { db, organization } = await invite(person.email);
    const mail = mailService(server.settings);
    while (await sendNextMail({ ...(await jobContext(db)), mail }));
    mail.smtp.close();
    const [arrived] = server.arrived.splice(0);
    const [url = ''] = /http:\/\/docgraph\.test\/invitations\/\S+/.exec(arrived?.mail.text ?? '') ?? [];
    expect(arrived?.mail.html).toContain(`href="${url}"`);
    const app = await testApp(db);
    const opened = await app.request(url);
    expect(opened.status).toBe(200);
    expect(await opened.text()).toContain('You are invited to');
    expect(await db.prisma.membership.count({ where: { organizationId: organization.id } })).toBe(1);
    const changed = url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await app.request(changed)).status).toBe(410);
  });

  it.each([
    ['OUTBOX', 'copied'],
    ['SMTP', 'mailed'],
  ] as const)('has a link that counts, by %s, as %s', async (target, origin) => {
    const { db, owner, invitation } = await invite('erin@example.test');
    const mail = mailService(server.settings);
    const job = await jobContext(db);
    while (await sendNextMail({ ...job, mail: target === 'SMTP' ? mail : { target, sender: mail.sender } }));
    mail.smtp.close();
    const [row] = await db.prisma.mail.findMany({ where: { subjectId: invitation.id } });
    const ctx = await owner.context();
    const stored = (await outboxMessages(ctx, [row?.id as string])).get(row?.id as string);
    const text = stored
      ? Buffer.from(stored).toString('latin1').replaceAll('=\r\n', '')
      : server.arrived.splice(0)[0]?.mail.text;
    const [, secret = ''] = /\/invitations\/inv_\w+\/([\w-]+)/.exec(text ?? '') ?? [];
    const linked = { id: invitation.id, resends: 0 };
    expect(readLink(ctx.storage, linked, secret)).toEqual({ origin, isReplaced: false });
  });

  it('has a link that creates the account of a person without one, once, signs in and accepts', async () => {
    const email = 'fresh.person@example.test';
    const { db, organization, invitation } = await invite(email);
    const path = await mailedPath(db);
    const app = await newApp(db);
    const visitors = Array.from({ length: 20 }, (_, index) => new Browser(app, `198.51.100.${index}`));
    const form = { name: 'Fresh Person', password: 'gravel lantern otter quilt' };
    expect((await visitors[0]?.open(path))?.text).toContain('Choose a password');
    const easy = await visitors[0]?.post(path, { ...form, name: '', password: 'password1' });
    expect([easy?.status, easy?.text]).toEqual([422, expect.stringContaining('easy to guess')]);
    const answers = await Promise.all(visitors.map((visitor) => visitor.post(path, form)));
    expect(answers.filter(({ headers }) => headers.get('location') === '/account')).toHaveLength(1);
    expect(answers.every(({ status }) => status === 303 || status === 410)).toBe(true);
    const user = await db.prisma.user.findUniqueOrThrow({ where: { email } });
    const where = { organizationId: organization.id, userId: user.id };
    expect(await db.prisma.membership.findMany({ where })).toMatchObject([{ role: 'MEMBER' }]);
    expect(await db.prisma.invitation.count({ where: { id: invitation.id } })).toBe(0);
    const signedIn = await Promise.all(visitors.map(async (each) => (await each.open('/account')).status));
    expect(signedIn.filter((status) => status === 200)).toHaveLength(1);
  });

  it('has no account created by a link that was copied, or from another site', async () => {
    const email = 'someone.else@example.test';
    const { db, owner, invitation } = await invite(email);
    const { storage } = await owner.context();
    const browser = new Browser(await newApp(db));
    const form = { name: 'Somebody', password: 'gravel lantern otter quilt' };
    const copied = new URL(invitationUrl(storage, { id: invitation.id, resends: 0 }, 'copied')).pathname;
    const { text } = await browser.open(copied);
    expect(text).not.toContain('Choose a password');
    expect(text).toContain('admin -- create-user');
    await browser.post(copied, form);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await browser.post(await mailedPath(db), form, foreign)).status).toBe(403);
    expect(await db.prisma.user.count({ where: { email } })).toBe(0);
  });

  it('that is withdrawn before the mail goes out is not mailed', async () => {
    const { db, owner, organization, invitation } = await invite('dave@example.test');
    await owner.graph(
      `mutation ($input: WithdrawInvitationsInput!) { withdrawInvitations(input: $input) { invitationIds } }`,
      { input: { organizationId: organization.id, invitationIds: [invitation.id] } },
    );
    const mail = mailService(server.settings);
    while (await sendNextMail({ ...(await jobContext(db)), mail }));
    expect(server.arrived).toEqual([]);
    const [row] = await db.prisma.mail.findMany({ where: { subjectId: invitation.id } });
    expect(row).toMatchObject({ state: 'CANCELLED', answer: 'What it was about has ended.' });
  });

  it('says whom to ask once it has expired, creates no account, and works again once it was sent again', async () => {
    const email = 'late.person@example.test';
    const { db, owner, organization, invitation } = await invite(email);
    const path = await mailedPath(db);
    const where = { id: invitation.id };
    const longAgo = new Date(Date.now() - HOUR);
    await db.prisma.invitation.update({ where, data: { expiresAt: longAgo, sentAt: longAgo } });
    const browser = new Browser(await newApp(db));
    const form = { name: 'Late Person', password: 'gravel lantern otter quilt' };
    for (const answer of [await browser.open(path), await browser.post(path, form)]) {
      expect(answer.status).toBe(410);
      expect(answer.text).toContain('This invitation has expired');
      expect(answer.text).toContain(`mailto:${owner.email}`);
    }
    expect(await db.prisma.user.count({ where: { email } })).toBe(0);
    const input = { organizationId: organization.id, invitationIds: [invitation.id] };
    await resendInvitations(await owner.context(), input);
    const newer = await mailedPath(db);
    for (const answer of [await browser.open(path), await browser.post(path, form)])
      expect([answer.status, answer.text]).toEqual([410, expect.stringContaining('There is a newer link')]);
    expect((await browser.post(newer, form)).headers.get('location')).toBe('/account');
    expect(await db.prisma.invitation.count({ where })).toBe(0);
  });

  it('is mailed once when it is sent again before its first mail went out', async () => {
    const { db, owner, organization, invitation } = await invite('twice@example.test');
    const where = { id: invitation.id };
    await db.prisma.invitation.update({ where, data: { sentAt: new Date(Date.now() - HOUR) } });
    const input = { organizationId: organization.id, invitationIds: [invitation.id] };
    await resendInvitations(await owner.context(), input);
    const mail = mailService(server.settings);
    while (await sendNextMail({ ...(await jobContext(db)), mail }));
    mail.smtp.close();
    expect(server.arrived.splice(0)).toHaveLength(1);
    const rows = await db.prisma.mail.findMany({ where: { subjectId: invitation.id } });
    expect(rows.map(({ state }) => state).sort()).toEqual(['CANCELLED', 'SENT']);
    expect(await findLinkedInvitation(db, invitation.id)).toMatchObject({ resends: 1, isExpired: false });
  });

  it('shows its delivery to managers only', async () => {
    const person = await newPerson((await newWorld()).db);
    const { invitation } = await invite(person.email);
    const { data } = await person.graph(DELIVERY, { id: invitation.id });
    expect(data.node.delivery).toBeNull();
  });
});
