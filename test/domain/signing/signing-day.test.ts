import { beforeAll, describe, expect, it } from 'vitest';
import { updateNotificationPreferences } from '../../../src/domain/notifications/notification-preference.ts';
import { writeEvidenceOf } from '../../../src/domain/sealing/evidence.ts';
import { checkEvidence } from '../../../src/domain/sealing/evidence-check.ts';
import { sealSession } from '../../../src/domain/sealing/sealing.ts';
import { signDocument } from '../../../src/domain/signing/sign.ts';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { storedSource } from '../../../src/files/store/store.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { Browser, newApp } from '../../support/browser.ts';
import { newSigningWorld, type SignerOf } from '../../support/signatures.ts';

/** At every moment it is another day in one of them than in the other, and in one of them than in UTC. */
const EAST = 'Pacific/Kiritimati';
const WEST = 'Etc/GMT+12';

/** Written by another formatter than the product's. */
const dayThere = (timeZone: string, at = new Date()) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);

let world: Awaited<ReturnType<typeof newSigningWorld>>;

beforeAll(async () => {
  world = await newSigningWorld();
});

const ANN: SignerOf = { name: 'Ann', fields: ['SIGNATURE', 'DATE'] };

async function requested(signer = ANN) {
  const session = await world.active([signer]);
  const [recipient] = await world.signersOf(session.sessionId);
  if (!recipient) throw new Error('no signer');
  const [signature, date] = recipient.fields;
  const values = [{ fieldId: signature?.id as string, value: 'Ann' }];
  return { ...session, recipient, date: date?.id as string, values };
}

type Requested = Awaited<ReturnType<typeof requested>>;

const sign = async ({ recipient, sessionId, values }: Requested, timeZone?: string | null) =>
  signDocument(world.through(recipient), { sessionId, recipientId: recipient.id, values, timeZone });

const written = async ({ date, recipient, documentId }: Requested) => {
  const { prisma } = world.db;
  const field = await prisma.signatureField.findUnique({ where: { id: date } });
  const signer = await prisma.signatureRecipient.findUnique({ where: { id: recipient.id } });
  const event = await prisma.event.findFirst({ where: { subjectId: documentId, kind: 'document.signed' } });
  const at = signer?.completedAt as Date;
  return {
    day: field?.value,
    timeZone: signer?.timeZone,
    at,
    inEvent: (event?.data as { timeZone?: string })?.timeZone,
  };
};

describe('a date that is left to the server', () => {
  it.each([
    EAST,
    WEST,
    'Pacific/Auckland',
    'Asia/Kolkata',
  ])('is the day of the signer in %s', async (timeZone) => {
    const session = await requested();
    await sign(session, timeZone);
    const { at, ...rest } = await written(session);
    expect(rest).toEqual({ day: dayThere(timeZone, at), timeZone, inEvent: timeZone });
  });

  it('is the day in UTC without a zone', async () => {
    const session = await requested();
    await sign(session);
    const { at, ...rest } = await written(session);
    expect(rest).toEqual({ day: dayThere('UTC', at), timeZone: null, inEvent: undefined });
  });

  it.each([EAST, WEST])('is the day in the zone of an account that chose one: %s', async (timeZone) => {
    await updateNotificationPreferences(world.ctx, { timeZone });
    const { email } = world.ctx.viewer;
    const session = await requested({ ...ANN, email });
    const input = { sessionId: session.sessionId, recipientId: session.recipient.id, values: session.values };
    const { errors } = await world.owner.graph(SIGN, { input });
    expect(errors).toBeUndefined();
    const { at, day, timeZone: stored } = await written(session);
    expect([day, stored]).toEqual([dayThere(timeZone, at), timeZone]);
  });

  it('is what the signer writes, whatever the zone', async () => {
    const session = await requested();
    session.values.push({ fieldId: session.date, value: '2031-03-04' });
    await sign(session, EAST);
    expect((await written(session)).day).toBe('2031-03-04');
  });
});

const SIGN = 'mutation($input: SignDocumentInput!) { signDocument(input: $input) { state } }';

describe('the zone of a signer', () => {
  it.each([
    'Mars/Olympus',
    '+05:00',
    'Europe',
    '../etc',
  ])('is refused where there is none of that name: %s', async (timeZone) => {
    const session = await requested();
    await expect(sign(session, timeZone)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      at: 'timeZone',
      message: 'timeZone: must be a time zone such as Europe/Berlin',
    });
  });

  it('may be given over REST v1, where an error names it', async () => {
    const session = await requested();
    const path = `/documentSignatureSessions/${session.sessionId}/signingRecipients/${session.recipient.id}/fields`;
    const body = session.values.map(({ fieldId, value }) => ({
      DocumentSignatureFormFieldID: fieldId,
      Value: value,
    }));
    const put = (timeZone: string) =>
      world.anonymous(
        'PUT',
        `${path}?uniqueId=${world.secretOf(session.recipient)}&timeZone=${encodeURIComponent(timeZone)}`,
        body,
      );
    const refused = await put('Mars/Olympus');
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('timeZone'),
    ]);
    expect((await put(WEST)).status).toBe(200);
    const { at, day } = await written(session);
    expect(day).toBe(dayThere(WEST, at));
  });

  it('may be given over GraphQL', async () => {
    const { email } = world.ctx.viewer;
    const session = await requested({ ...ANN, email });
    const input = { sessionId: session.sessionId, recipientId: session.recipient.id, values: session.values };
    const refused = await world.owner.graph(SIGN, { input: { ...input, timeZone: 'Mars/Olympus' } });
    expect(refused.errors?.[0]?.message).toContain('timeZone');
    await world.owner.graph(SIGN, { input: { ...input, timeZone: EAST } });
    const { at, day, timeZone } = await written(session);
    expect([day, timeZone]).toEqual([dayThere(EAST, at), EAST]);
  });

  it('is sent by the page of the signer, which shows the day without a script, too', async () => {
    const app = await newApp(world.db);
    const session = await requested();
    const link = `/sign/${session.recipient.id}/${world.secretOf(session.recipient)}`;
    const { text } = await new Browser(app).open(link);
    expect(text).toContain(`<time datetime="${dayThere('UTC')}">${dayThere('UTC')}</time>`);
    expect(text).toContain('name="timeZone"');
    const form = { [`field.${session.values[0]?.fieldId}`]: 'Ann', consent: 'yes', timeZone: EAST };
    expect((await new Browser(app).post(link, form)).status).toBe(303);
    const { at, day, timeZone } = await written(session);
    expect([day, timeZone]).toEqual([dayThere(EAST, at), EAST]);
  });

  it('keeps nobody from signing on the page where the browser has one that is not known here', async () => {
    const app = await newApp(world.db);
    const session = await requested();
    const link = `/sign/${session.recipient.id}/${world.secretOf(session.recipient)}`;
    const form = { [`field.${session.values[0]?.fieldId}`]: 'Ann', consent: 'yes', timeZone: 'Mars/Olympus' };
    expect((await new Browser(app).post(link, form)).status).toBe(303);
    expect((await written(session)).timeZone).toBeNull();
  });

  it('is on the record page with the day and the time in UTC, and in the evidence', async () => {
    const session = await requested();
    await sign(session, EAST);
    await sealSession(world.ctx, session.sessionId);
    const revision = await world.db.prisma.revision.findFirstOrThrow({
      where: { documentId: session.documentId, number: 2 },
      include: { blob: true },
    });
    const { size, blobId, organizationId } = revision;
    const source = storedSource(world.ctx.storage.store, blobId, Number(size), organizationId);
    const bytes = await source.read(0, source.size - 1);
    const { pages } = await readPdfText(sourceOf(bytes));
    const { at } = await written(session);
    expect(pages.at(-1)).toContain(`${dayThere(EAST, at)} (${EAST})`);
    expect(pages.at(-1)).toContain(`${at.toISOString().replace('T', ' ').replace('Z', '')} UTC`);
    const evidence = (await writeEvidenceOf(world.ctx, session.documentId)) as string;
    expect(JSON.parse(evidence).sessions[0].signers[0]).toMatchObject({ timeZone: EAST });
    expect((await checkEvidence(evidence, bytes)).errors).toEqual([]);
  });
});
