import { beforeEach, describe, expect, it } from 'vitest';
import { recycleDocuments } from '../../../src/domain/documents/document-bin.ts';
import { expireNextSession } from '../../../src/domain/signatures/signature-expiry.ts';
import { remindNextSigner } from '../../../src/domain/signatures/signature-reminder.ts';
import { stopSignatureSession } from '../../../src/domain/signatures/signature-session-change.ts';
import { declineSignature, signDocument } from '../../../src/domain/signing/sign.ts';
import { DAY, HOUR } from '../../../src/lib/time.ts';
import { dropJobs } from '../../support/jobs.ts';
import { passTime } from '../../support/passed-time.ts';
import { newSigningWorld, type SignerOf } from '../../support/signatures.ts';
import { config, joinProject, newMember } from '../../support/world.ts';

beforeEach(() => dropJobs());

const REMIND = `mutation ($input: RemindSignersInput!) { remindSigners(input: $input) {
  recipients { id remindersSent nextReminderAt remindableFrom } } }`;

async function setUp(signers: SignerOf[] = [{ name: 'Ann' }], options = {}) {
  const world = await newSigningWorld();
  const { db, organization } = world;
  const { documentId, sessionId } = await world.active(signers, options);
  const pass = (ms: number) => passTime(db, organization.id, ms);
  const remind = async () => {
    while (await remindNextSigner(db, config.limits));
  };
  /** How many reminders are queued for each signer. */
  const reminders = async () => (await world.signersOf(sessionId)).map((each) => each.reminders);
  const next = async () => (await world.signersOf(sessionId)).map((each) => daysTo(each.nextReminderAt));
  const recipient = async (index = 0) => {
    const signer = (await world.signersOf(sessionId))[index];
    if (!signer) throw new Error('no signer');
    return signer;
  };
  const sign = async (index = 0) => {
    const signer = await recipient(index);
    const values = signer.fields.map(({ id: fieldId }) => ({ fieldId, value: 'Signed' }));
    return signDocument(world.through(signer), { sessionId, recipientId: signer.id, values });
  };
  const remindNow = async (person = world.owner, index = 0) =>
    person.graph(REMIND, { input: { documentId, recipientIds: [(await recipient(index)).id] } });
  return { ...world, documentId, sessionId, pass, remind, reminders, next, recipient, sign, remindNow };
}

const daysTo = (time: Date | null) => time && Math.round((time.getTime() - Date.now()) / DAY);

describe('a signer who does not answer', () => {
  it('is reminded after 5 days and then every 2, for 30 days', async () => {
    const { pass, remind, reminders, next } = await setUp();
    const days: number[] = [];
    for (let day = 1; day <= 29; day++) {
      await pass(DAY);
      const [before] = await reminders();
      await remind();
      if ((await reminders())[0] !== before) days.push(day);
    }
    expect(days).toEqual([5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29]);
    expect(await next()).toEqual([null]);
  });

  it('is reminded once of what became due while no server ran, and goes on in the same rhythm', async () => {
    const { pass, remind, reminders, next } = await setUp();
    await pass(10 * DAY);
    await remind();
    expect(await reminders()).toEqual([1]);
    expect(await next()).toEqual([1]);
  });

  it('is reminded once, however many processes run', async () => {
    const { db, pass, reminders, kinds, documentId } = await setUp();
    await pass(5 * DAY + HOUR);
    await Promise.all(Array.from({ length: 8 }, () => remindNextSigner(db, config.limits)));
    expect(await reminders()).toEqual([1]);
    expect((await kinds(documentId)).filter((kind) => kind === 'document.signersReminded')).toHaveLength(1);
    expect(await db.prisma.mail.count({ where: { kind: 'SIGNATURE_REMINDER', state: 'WAITING' } })).toBe(1);
  });

  it('is not reminded where reminders are off', async () => {
    const { db, pass, reminders } = await setUp();
    await pass(6 * DAY);
    expect(await remindNextSigner(db, {})).toBe(false);
    expect(await reminders()).toEqual([0]);
  });

  it('is not reminded while it is not their turn, and from their turn on', async () => {
    const { pass, remind, reminders, next, sign } = await setUp([
      { name: 'Ann', rank: 1 },
      { name: 'Bob', rank: 2 },
    ]);
    await pass(6 * DAY);
    await remind();
    expect(await reminders()).toEqual([1, 0]);
    await sign(0);
    expect(await next()).toEqual([null, 5]);
    await pass(6 * DAY);
    await remind();
    expect(await reminders()).toEqual([1, 1]);
  });
});

describe('nobody is reminded', () => {
  it.each<[string, (world: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>]>([
    ['who has signed', ({ sign }) => sign()],
    [
      'who has declined',
      async ({ through, recipient, sessionId }) =>
        declineSignature(through(await recipient()), { sessionId, recipientId: (await recipient()).id }),
    ],
    ['after the session was stopped', ({ ctx, documentId }) => stopSignatureSession(ctx, { documentId })],
    ['of a recycled document', ({ ctx, documentId }) => recycleDocuments(ctx, { documentIds: [documentId] })],
    [
      'in a disabled project',
      ({ db, project: { id } }) =>
        db.prisma.project.update({ where: { id }, data: { disabledAt: new Date() } }),
    ],
  ])('%s', async (_, end) => {
    const world = await setUp();
    await end(world);
    await world.pass(6 * DAY);
    await world.remind();
    expect(await world.reminders()).toEqual([0]);
  });
});

describe('remindSigners', () => {
  it('queues a reminder, at least 24 hours after the last mail, and says from when it works', async () => {
    const { pass, reminders, next, remindNow } = await setUp();
    const early = await remindNow();
    expect(early.errors?.[0]).toMatchObject({
      extensions: { code: 'CONFLICT', at: 'recipientIds.0' },
      message: expect.stringMatching(/remind them from \d{4}-\d\d-\d\dT[\d:.]+Z on/),
    });
    await pass(DAY);
    const { data } = await remindNow();
    expect(data.remindSigners.recipients).toMatchObject([{ remindersSent: 0 }]);
    expect(await reminders()).toEqual([1]);
    expect(await next()).toEqual([2]);
    expect((await remindNow()).errors?.[0]?.extensions.code).toBe('CONFLICT');
  });

  it('is once for twenty calls at once', async () => {
    const { pass, reminders, remindNow } = await setUp();
    await pass(2 * DAY);
    const answers = await Promise.all(Array.from({ length: 20 }, () => remindNow()));
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(await reminders()).toEqual([1]);
  });

  it('is refused for a signer whose turn it is not, and to whom may not edit the project', async () => {
    const { db, organization, project, stranger, pass, remindNow } = await setUp([
      { name: 'Ann', rank: 1 },
      { name: 'Bob', rank: 2 },
    ]);
    await pass(2 * DAY);
    const viewer = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, viewer, 'VIEWER');
    const code = async (answer: ReturnType<typeof remindNow>) => (await answer).errors?.[0]?.extensions.code;
    expect(await code(remindNow(undefined, 1))).toBe('CONFLICT');
    expect(await code(remindNow(viewer))).toBe('FORBIDDEN');
    expect(await code(remindNow(stranger))).toBe('NOT_FOUND');
  });
});

describe('a signing session', () => {
  const expire = async ({ db }: Awaited<ReturnType<typeof setUp>>) => {
    while (await expireNextSession(db));
  };

  it('expires with its last link: nobody can sign, and its sender gets a mail', async () => {
    const world = await setUp();
    const { db, owner, pass, sign, documentId, sessionId, kinds } = world;
    await pass(30 * DAY + HOUR);
    await expect(sign()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await Promise.all(Array.from({ length: 4 }, () => expireNextSession(db)));
    await expire(world);
    const session = await db.prisma.signatureSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(session).toMatchObject({ state: 'STOPPED', stopReason: 'EXPIRED' });
    expect((await kinds(documentId)).filter((kind) => kind === 'document.signingStopped')).toHaveLength(1);
    const mails = await db.prisma.mail.findMany({ where: { subjectId: sessionId } });
    expect(mails).toMatchObject([{ kind: 'SIGNATURE_EXPIRED', toEmail: owner.email }]);
  });

  it('ends at the time that its sender chose, also where the link lives longer', async () => {
    const expiresAt = new Date(Date.now() + 3 * DAY);
    const world = await setUp([{ name: 'Ann' }], { expiresAt });
    await world.pass(2 * DAY);
    await expire(world);
    await expect(world.sign()).resolves.toMatchObject({ state: 'COMPLETED' });
    const late = await setUp([{ name: 'Ann' }], { expiresAt });
    await late.pass(3 * DAY + HOUR);
    await expect(late.sign()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['has passed', -DAY],
    ['must be within a year', 400 * DAY],
  ])('does not begin with an end that %s', async (text, ms) => {
    const world = await newSigningWorld();
    const expiresAt = new Date(Date.now() + ms);
    await expect(world.active([{ name: 'Ann' }], { expiresAt })).rejects.toThrow(`expiresAt: ${text}`);
  });
});
