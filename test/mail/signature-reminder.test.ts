import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireNextSession } from '../../src/domain/signatures/signature-expiry.ts';
import { remindNextSigner } from '../../src/domain/signatures/signature-reminder.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';
import { passTime } from '../support/passed-time.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { config, testApp } from '../support/world.ts';

const RECIPIENTS = `query ($id: ID!) { document(id: $id) { signatureSession { state stopReason expiresAt recipients { nodes {
  remindersSent nextReminderAt remindableFrom delivery { state } } } } } }`;

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

async function setUp() {
  const world = await newSigningWorld();
  const { db, organization, owner } = world;
  const { documentId, sessionId } = await world.active([{ name: 'Ann' }]);
  const send = async () => {
    const mail = mailService(server.settings);
    while (await sendNextMail({ ...(await jobContext(db)), mail }));
    mail.smtp.close();
    return server.arrived.splice(0);
  };
  await send();
  /** The mails that are sent after this time. */
  const sendAfter = async (ms: number) => {
    await passTime(db, organization.id, ms);
    while (await remindNextSigner(db, config.limits));
    while (await expireNextSession(db));
    return send();
  };
  const session = async () =>
    (await owner.graph(RECIPIENTS, { id: documentId })).data.document.signatureSession;
  return { ...world, documentId, sessionId, sendAfter, session };
}

const pathIn = (text = '', start: string): string =>
  new RegExp(`${start}[^\\s>)]+`).exec(text)?.[0] as string;

describe('a reminder of a signing request', () => {
  it('has the link of the request, and is counted once the mail server has accepted it', async () => {
    const { db, owner, sendAfter, session } = await setUp();
    const [arrived] = await sendAfter(5 * DAY + HOUR);
    expect(arrived).toMatchObject({
      to: ['ann@signers.test'],
      mail: {
        subject: 'Reminder: please sign \u2068contract.\u2060txt\u2069',
        replyTo: [{ address: owner.email }],
      },
    });
    const app = await testApp(db);
    expect((await app.request(pathIn(arrived?.mail.text, '/sign/'))).status).toBe(200);
    const { recipients } = await session();
    expect(recipients.nodes).toMatchObject([{ remindersSent: 1, delivery: { state: 'SENT' } }]);
  });

  it('is the last one for who ends the reminders, by a POST without a cookie; opening the link changes nothing', async () => {
    const { db, sendAfter, session } = await setUp();
    const [arrived] = await sendAfter(5 * DAY + HOUR);
    const path = pathIn(arrived?.mail.text, '/notifications/stop/');
    const header = arrived?.mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
    expect(header).toBe(`<http://docgraph.test${path}>`);
    const app = await testApp(db);
    for (const method of ['GET', 'HEAD']) expect((await app.request(path, { method })).status).toBe(200);
    expect((await session()).recipients.nodes[0].nextReminderAt).not.toBeNull();
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const posted = await app.request(path, { ...form, body: 'List-Unsubscribe=One-Click' });
    expect(posted.status).toBe(200);
    expect((await session()).recipients.nodes[0].nextReminderAt).toBeNull();
    expect(await sendAfter(10 * DAY)).toEqual([]);
    expect((await app.request(`${path}x`, { ...form, body: '' })).status).toBe(404);
  });
});

describe('the link in a reminder', () => {
  it('begins with PUBLIC_URL, whatever host the request that causes it names', async () => {
    const { db, owner, organization, documentId, sessionId, signersOf, sendAfter } = await setUp();
    await passTime(db, organization.id, 2 * DAY);
    const [signer] = await signersOf(sessionId);
    const query =
      'mutation ($input: RemindSignersInput!) { remindSigners(input: $input) { recipients { id } } }';
    const app = await testApp(db);
    const evil = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      forwarded: 'host=evil.test',
      origin: 'https://evil.test',
    };
    const answer = await app.request('http://evil.test/graphql', {
      method: 'POST',
      headers: { ...evil, authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input: { documentId, recipientIds: [signer?.id] } } }),
    });
    expect((await answer.json()).errors).toBeUndefined();
    const [arrived] = await sendAfter(0);
    expect(arrived?.mail.text).toContain('http://docgraph.test/sign/');
    expect(arrived?.raw.toString('latin1')).not.toContain('evil.test');
  });
});

describe('a signing session that expires', () => {
  it('is reported to the sender of the document, and shown on the page of the signer and in both APIs', async () => {
    const world = await setUp();
    const { db, owner, sendAfter, session, documentId, base } = world;
    const [signer] = await world.signersOf(world.sessionId);
    const arrived = await sendAfter(31 * DAY);
    const expired = arrived.find(({ to }) => to[0] === owner.email);
    expect(expired?.mail.subject).toBe('Not signed in time: \u2068contract.\u2060txt\u2069');
    expect(expired?.mail.text).toContain('ann@signers.test');
    expect(await session()).toMatchObject({ state: 'STOPPED', stopReason: 'EXPIRED' });
    const { body } = await owner.rest('GET', `${base}/documents/${documentId}/signatureSessionPackages`);
    expect(body.Session).toMatchObject({ IsActive: false, IsComplete: false, WasStopped: true });
    const app = await testApp(db);
    const page = await app.request(`/sign/${signer?.id}/${world.secretOf(signer as never)}`);
    expect(await page.text()).toContain('The time to sign has ended');
  });

  it('is not reported to a sender who no longer sees the document', async () => {
    const { db, owner, sendAfter } = await setUp();
    await db.prisma.membership.deleteMany({ where: { userId: owner.id } });
    expect(await sendAfter(31 * DAY)).toEqual([]);
    expect(
      await db.prisma.mail.findMany({ where: { kind: 'SIGNATURE_EXPIRED', toUserId: owner.id } }),
    ).toMatchObject([{ state: 'CANCELLED' }]);
  });
});
