import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outboxMessages } from '../../src/domain/mails/mail.ts';
import { updateMember } from '../../src/domain/membership/member-change.ts';
import { renewSignatureLinks } from '../../src/domain/signatures/signature-link.ts';
import { stopSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { declineSignature, signDocument } from '../../src/domain/signing/sign.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { dropJobs, jobContext, runJobs } from '../support/jobs.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { newMember, testApp } from '../support/world.ts';

const RECIPIENTS = `query ($id: ID!) { document(id: $id) { signatureSession { recipients { nodes {
  id email requestSentAt delivery { mailId state } } } } } }`;

type Desk = Awaited<ReturnType<typeof newSigningWorld>>;
type Recipient = Awaited<ReturnType<Desk['signersOf']>>[number];

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

async function sendBySmtp({ db }: Desk) {
  const mail = mailService(server.settings);
  const job = { ...(await jobContext(db)), mail };
  while (await sendNextMail(job));
  mail.smtp.close();
  return server.arrived.splice(0);
}

/** The mails about an object in the outbox, by address. */
async function outbox({ db, ctx, organization }: Desk, kind: string) {
  const mails = await db.prisma.mail.findMany({
    where: { organizationId: organization.id, kind },
    orderBy: { toEmail: 'asc' },
  });
  const messages = await outboxMessages(
    ctx,
    mails.map(({ id }) => id),
  );
  return Promise.all(
    mails.map(async ({ id, toEmail, state }) => {
      const stored = messages.get(id);
      return { toEmail, state, mail: stored && (await PostalMime.parse(stored)) };
    }),
  );
}

const recipients = async ({ owner }: Desk, documentId: string) =>
  (await owner.graph(RECIPIENTS, { id: documentId })).data.document.signatureSession.recipients.nodes;

const sign = ({ through }: Desk, recipient: Recipient) =>
  signDocument(through(recipient), {
    sessionId: recipient.sessionId,
    recipientId: recipient.id,
    values: recipient.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Signed' })),
  });

const linkIn = (text = '') => /http:\/\/docgraph\.test\/sign\/\S+/.exec(text)?.[0] ?? '';

describe('a signing request', () => {
  it('is mailed to those whose turn it is, and was sent once the mail server has accepted it', async () => {
    const world = await newSigningWorld();
    const { documentId, sessionId } = await world.active([
      { name: 'Ann', rank: 1 },
      { name: 'Bob', rank: 2 },
    ]);
    const waiting = await recipients(world, documentId);
    expect(waiting).toMatchObject([
      { requestSentAt: null, delivery: { state: 'WAITING' } },
      { requestSentAt: null, delivery: null },
    ]);
    const arrived = await sendBySmtp(world);
    expect(arrived.map(({ to }) => to)).toEqual([['ann@signers.test']]);
    expect(arrived[0]?.mail).toMatchObject({
      subject: 'Please sign: \u2068contract.\u2060txt\u2069',
      replyTo: [{ address: world.owner.email }],
    });
    expect(await recipients(world, documentId)).toMatchObject([
      { requestSentAt: expect.any(String), delivery: { state: 'SENT' } },
      { requestSentAt: null, delivery: null },
    ]);
    const app = await testApp(world.db);
    expect((await app.request(linkIn(arrived[0]?.mail.text))).status).toBe(200);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    await sign(world, ann);
    expect((await sendBySmtp(world)).map(({ to }) => to)).toEqual([['bob@signers.test']]);
  });

  it('is stored in the outbox without a mail server, and was not sent', async () => {
    const world = await newSigningWorld();
    const { documentId } = await world.active([{ name: 'Ann' }]);
    await runJobs();
    expect(await recipients(world, documentId)).toMatchObject([
      { requestSentAt: null, delivery: { state: 'OUTBOX' } },
    ]);
    const [request] = await outbox(world, 'SIGNATURE_REQUEST');
    expect(linkIn(request?.mail?.text)).not.toBe('');
  });

  it('is not mailed after the session was stopped', async () => {
    const world = await newSigningWorld();
    const { documentId } = await world.active([{ name: 'Ann' }]);
    await stopSignatureSession(world.ctx, { documentId });
    expect(await sendBySmtp(world)).toEqual([]);
    expect(await outbox(world, 'SIGNATURE_REQUEST')).toMatchObject([{ state: 'CANCELLED' }]);
  });

  it('is mailed again with a renewed link, and the link in the first mail has ended', async () => {
    const world = await newSigningWorld();
    const { documentId, sessionId } = await world.active([{ name: 'Ann' }]);
    const [first] = await sendBySmtp(world);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    await renewSignatureLinks(world.ctx, { documentId, recipientIds: [ann.id] });
    const [second] = await sendBySmtp(world);
    const app = await testApp(world.db);
    const status = async (text?: string) => (await app.request(linkIn(text))).status;
    expect(await status(second?.mail.text)).toBe(200);
    expect(await status(first?.mail.text)).toBeGreaterThanOrEqual(400);
  });

  it('has the message of the sender marked as theirs, as plain text without links', async () => {
    const world = await newSigningWorld();
    await world.active([{ name: 'Ann' }], {
      useCustomMail: true,
      customSubject: 'Urgent http://evil.test',
      customBody: 'Look at https://evil.test\n<b>now</b>',
    });
    const [arrived] = await sendBySmtp(world);
    const { subject = '', html = '' } = arrived?.mail ?? {};
    expect(subject).toMatch(/^\u2068.*\u2069: \u2068Urgent/);
    expect(html).toContain(`Message from <bdi>${world.owner.email}</bdi>`);
    expect(html).toContain('&lt;b&gt;now&lt;/b&gt;');
    expect(`${subject}${html}`).not.toContain('://evil.test');
  });
});

describe('the end of a signing session', () => {
  it('is mailed to each signer with a link to the sealed copy, and to the sender', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([{ name: 'Ann' }]);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    await sign(world, ann);
    await runJobs();
    const mails = await outbox(world, 'SIGNATURE_COMPLETED');
    const copy = mails.find(({ toEmail }) => toEmail === 'ann@signers.test');
    expect(mails.map(({ toEmail }) => toEmail).sort()).toEqual(
      ['ann@signers.test', world.owner.email].sort(),
    );
    const app = await testApp(world.db);
    const page = await (await app.request(linkIn(copy?.mail?.text))).text();
    expect(page).toContain('/copy');
  });

  it('is not mailed to a sender who no longer sees the document', async () => {
    const world = await newSigningWorld();
    const admin = await newMember(world.db, world.organization.id, 'OWNER');
    const { sessionId } = await world.active([{ name: 'Ann' }]);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    const where = { organizationId: world.organization.id, userId: world.owner.id };
    const membership = await world.db.prisma.membership.findFirstOrThrow({ where });
    await updateMember(await admin.context(), { memberId: membership.id, role: 'GUEST' });
    await declineSignature(world.through(ann), { sessionId, recipientId: ann.id, reason: 'No' });
    await runJobs();
    expect(await outbox({ ...world, ctx: await admin.context() }, 'SIGNATURE_DECLINED')).toMatchObject([
      { toEmail: world.owner.email, state: 'CANCELLED' },
    ]);
  });

  it('by a refusal is mailed to the sender with the reason', async () => {
    const world = await newSigningWorld();
    const { sessionId } = await world.active([{ name: 'Ann' }]);
    const [ann] = (await world.signersOf(sessionId)) as [Recipient];
    await declineSignature(world.through(ann), {
      sessionId,
      recipientId: ann.id,
      reason: 'Clause 4 is wrong',
    });
    const arrived = await sendBySmtp(world);
    expect(arrived.map(({ to }) => to)).toEqual([[world.owner.email]]);
    expect(arrived[0]?.mail).toMatchObject({
      subject: 'Declined to sign: \u2068contract.\u2060txt\u2069',
      text: expect.stringContaining('Clause 4 is wrong'),
    });
  });
});

describe('a mail that was refused', () => {
  const RETRY = `mutation ($input: RetryMailInput!) { retryMail(input: $input) { mail { delivery { state } } } }`;

  it('is sent again by owners and admins, and a mail that was sent is not', async () => {
    const world = await newSigningWorld();
    const { documentId } = await world.active([{ name: 'Ann' }]);
    const [{ delivery }] = await recipients(world, documentId);
    const input = { mailId: delivery.mailId };
    await world.db.prisma.mail.update({
      where: { id: delivery.mailId },
      data: { state: 'REFUSED', nextAt: null, endedAt: new Date() },
    });
    const member = await newMember(world.db, world.organization.id, 'MEMBER');
    expect((await member.graph(RETRY, { input })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    const { data } = await world.owner.graph(RETRY, { input });
    expect(data.retryMail.mail.delivery.state).toBe('WAITING');
    expect((await sendBySmtp(world)).map(({ to }) => to)).toEqual([['ann@signers.test']]);
    expect((await world.owner.graph(RETRY, { input })).errors?.[0]?.extensions.code).toBe('CONFLICT');
  });
});
