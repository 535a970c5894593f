import PostalMime from 'postal-mime';
import { beforeEach, expect, it } from 'vitest';
import { outboxMessages } from '../../../src/domain/mails/mail.ts';
import { redactEvents } from '../../../src/domain/redaction/redaction.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { CAUSES, newMailWorld } from '../../support/mail/kinds.ts';

beforeEach(dropJobs);

/** Two comments that mention a member, and a way to send what is queued. */
async function setUp(kind: 'NOTIFICATION' | 'DIGEST') {
  const world = await newMailWorld();
  const { db, ctx, organization, member } = world;
  await CAUSES[kind](world);
  await world.mention();
  const organizationId = organization.id;
  const where = { organizationId, kind: 'document.commented' };
  const [first] = await db.prisma.event.findMany({ where, orderBy: { sequence: 'asc' } });
  const send = async () => {
    await db.prisma.mail.updateMany({ where: { state: 'WAITING' }, data: { nextAt: new Date(0) } });
    while (await sendNextMail(await jobContext(db)));
    const where = { kind, toUserId: member.id, state: 'OUTBOX' as const };
    const ids = (await db.prisma.mail.findMany({ where })).map(({ id }) => id);
    return [...(await outboxMessages(await member.context(), ids)).values()];
  };
  const redact = () =>
    redactEvents(ctx, { organizationId, eventIds: [first?.id as string], reason: 'Asked for' });
  const read = () => db.prisma.mail.count({ where: { kind, toUserId: member.id, state: 'OUTBOX' } });
  return { send, redact, read };
}

it('a mail in the outbox is deleted with the content of the event that it quotes, and no other', async () => {
  const { send, redact, read } = await setUp('NOTIFICATION');
  expect(await send()).toHaveLength(2);
  await redact();
  expect(await read()).toBe(1);
});

it('a daily mail in the outbox is deleted with the content of an event in it', async () => {
  const { send, redact, read } = await setUp('DIGEST');
  expect(await send()).toHaveLength(1);
  await redact();
  expect(await read()).toBe(0);
});

it('a mail that waits is sent without the content that was removed meanwhile', async () => {
  const { send, redact } = await setUp('NOTIFICATION');
  await redact();
  const texts = await Promise.all(
    (await send()).map(async (message) => (await PostalMime.parse(message)).text),
  );
  expect(texts.map((text) => text?.includes('Message from')).sort()).toEqual([false, true]);
});
