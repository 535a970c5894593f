import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outboxMessages } from '../../src/domain/mails/mail.ts';
import { originOfLink } from '../../src/domain/membership/invitation-link.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
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
      subject: 'Invitation to \u2068Harbor\u2069',
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
    expect(originOfLink(ctx.storage, invitation.id, secret)).toBe(origin);
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

  it('shows its delivery to managers only', async () => {
    const person = await newPerson((await newWorld()).db);
    const { invitation } = await invite(person.email);
    const { data } = await person.graph(DELIVERY, { id: invitation.id });
    expect(data.node.delivery).toBeNull();
  });
});
