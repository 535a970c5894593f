import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, it } from 'vitest';
import { outboxMessages } from '../../../src/domain/mails/mail.ts';
import type { MailKind } from '../../../src/domain/mails/mail-kind.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { headerOf } from '../../support/mail/inspect.ts';
import { CAUSES, newMailWorld } from '../../support/mail/kinds.ts';
import { newMember } from '../../support/world.ts';

beforeEach(() => dropJobs());

/** Links that act for the person who got them. */
const PERSONAL = /\/(notifications\/stop|reminders\/stop|password\/reset|sign-up|email)\//;

describe.each(Object.keys(CAUSES) as MailKind[])('a mail of the kind %s in the outbox', (kind) => {
  it('is read by an administrator only without a link that acts for its recipient', async () => {
    const world = await newMailWorld();
    const { db, organization } = world;
    const admin = await newMember(db, organization.id, 'ADMIN');
    await CAUSES[kind](world);
    await db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
    while (await sendNextMail(await jobContext(db)));
    const mails = await db.prisma.mail.findMany({ where: { kind, state: 'OUTBOX' }, select: { id: true } });
    expect(mails.length).toBeGreaterThan(0);
    const ids = mails.map(({ id }) => id);
    for (const message of (await outboxMessages(await admin.context(), ids)).values()) {
      const mail = await PostalMime.parse(message);
      expect(headerOf(mail, 'list-unsubscribe')).toBeUndefined();
      expect(mail.text).not.toMatch(PERSONAL);
    }
  });
});

it('a notification in the outbox is read by its recipient', async () => {
  const world = await newMailWorld();
  await CAUSES.NOTIFICATION(world);
  await world.db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
  while (await sendNextMail(await jobContext(world.db)));
  const where = { kind: 'NOTIFICATION', toUserId: world.member.id };
  const [mail] = await world.db.prisma.mail.findMany({ where });
  const read = async (person: typeof world.member) =>
    (await outboxMessages(await person.context(), [mail?.id as string])).size;
  expect([await read(world.member), await read(world.owner)]).toEqual([1, 0]);
});
