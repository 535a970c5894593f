import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createComments } from '../../src/domain/comments/comment.ts';
import { notifyNext } from '../../src/domain/notifications/notify.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { DAY } from '../../src/lib/time.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';
import { newDocuments } from '../support/storage.ts';
import { joinProject, newMember, newWorld, testApp } from '../support/world.ts';

const UPDATE = `mutation ($input: UpdateNotificationPreferencesInput!) {
  updateNotificationPreferences(input: $input) { timeZone preferences { kind delivery } } }`;
const SHOWN = '{ viewer { timeZone notificationPreferences { kind delivery } } }';

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'plan.txt' }]);
  const mention = async (text: string) => {
    await createComments(ctx, { documentId: document?.id as string, texts: [`@${member.email} ${text}`] });
    while (await notifyNext(db));
  };
  const change = async (input: object) => member.graph(UPDATE, { input });
  const choose = (delivery: string) => change({ preferences: [{ kind: 'MENTIONED', delivery }] });
  const digests = () => db.prisma.mail.findMany({ where: { toUserId: member.id, kind: 'DIGEST' } });
  /** Sends what is queued as if it were a day later, by so many processes at once. */
  const tomorrow = async (processes = 1) => {
    await db.prisma.mail.updateMany({
      where: { toUserId: member.id, state: 'WAITING' },
      data: { nextAt: new Date(0) },
    });
    const mail = mailService(server.settings);
    const job = { ...(await jobContext(db)), mail };
    const run = async () => {
      while (await sendNextMail(job));
    };
    await Promise.all(Array.from({ length: processes }, run));
    mail.smtp.close();
    return server.arrived.splice(0).filter(({ to }) => to[0] === member.email);
  };
  await choose('DIGEST');
  return { ...world, ctx, document, member, mention, change, choose, digests, tomorrow };
}

describe('a daily mail', () => {
  it('lists what was not read, once, at eight o’clock in the time zone of its reader', async () => {
    const { mention, change, digests, tomorrow } = await setUp();
    await change({ timeZone: 'Asia/Kolkata' });
    await mention('one');
    await mention('two');
    const queued = await digests();
    expect(queued).toHaveLength(1);
    const at = queued[0]?.nextAt as Date;
    expect(Math.ceil(at.getTime() / 1_000) % 86_400).toBe(2.5 * 3_600);
    expect(at.getTime() - Date.now()).toBeLessThanOrEqual(DAY + 60_000);
    const [arrived, ...others] = await tomorrow(4);
    expect(others).toEqual([]);
    expect(arrived?.mail.subject).toBe('Your day in Docgraph: 2 new notifications');
    expect(arrived?.mail.html?.match(/You were mentioned/g)).toHaveLength(2);
    expect(arrived?.mail.html).toContain('/console/inbox"');
    expect(await tomorrow()).toEqual([]);
  });

  it('is not sent when all was read, or is not visible any more', async () => {
    const { db, member, mention, tomorrow, digests } = await setUp();
    await mention('one');
    await db.prisma.notification.updateMany({ where: { userId: member.id }, data: { readAt: new Date() } });
    expect(await tomorrow()).toEqual([]);
    expect(await digests()).toMatchObject([{ state: 'CANCELLED' }]);
  });

  it('says nothing of what its reader lost access to before it is sent', async () => {
    const { db, member, mention, tomorrow } = await setUp();
    await mention('secret');
    await db.prisma.membership.deleteMany({ where: { userId: member.id } });
    expect(await tomorrow()).toEqual([]);
  });

  it('is ended by its link, by a POST without a cookie', async () => {
    const { db, member, mention, tomorrow } = await setUp();
    await mention('one');
    const [arrived] = await tomorrow();
    const path = /\/notifications\/stop\/[^\s>)]+/.exec(arrived?.mail.text ?? '')?.[0] as string;
    const app = await testApp(db);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'List-Unsubscribe=One-Click';
    expect((await app.request(path, { method: 'POST', headers: form, body })).status).toBe(200);
    const { data } = await member.graph(SHOWN);
    expect(data.viewer.notificationPreferences).toContainEqual({ kind: 'MENTIONED', delivery: 'INBOX' });
    await mention('two');
    expect(await tomorrow()).toEqual([]);
  });

  it('is still written for who wants each mail at once from now on, and not for who wants none', async () => {
    const { mention, choose, tomorrow } = await setUp();
    await mention('one');
    await choose('MAIL');
    expect(await tomorrow()).toHaveLength(1);
    await choose('DIGEST');
    await mention('two');
    await choose('INBOX');
    expect(await tomorrow()).toEqual([]);
  });
});

describe('the time zone', () => {
  it('is a name of the IANA database, and one’s own', async () => {
    const { owner, member, change } = await setUp();
    const { errors } = await change({ timeZone: 'Mars/Base' });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', at: 'timeZone' } });
    await change({ timeZone: 'Europe/Berlin' });
    expect((await member.graph(SHOWN)).data.viewer.timeZone).toBe('Europe/Berlin');
    expect((await owner.graph(SHOWN)).data.viewer.timeZone).toBe('UTC');
    expect((await change({})).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});
