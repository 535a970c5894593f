import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { recycleDocuments, restoreDocuments } from '../../src/domain/documents/document-bin.ts';
import { renewSignatureLinks } from '../../src/domain/signatures/signature-link.ts';
import { stopSignatureSession } from '../../src/domain/signatures/signature-session-change.ts';
import { pages, pdf } from '../files/content/pdf-source.ts';
import { Browser, newApp, ORIGIN, SAME } from '../support/browser.ts';
import { newSigningWorld, type SignerOf } from '../support/signatures.ts';
import { config } from '../support/world.ts';

let world: Awaited<ReturnType<typeof newSigningWorld>>;
let app: Hono;

beforeAll(async () => {
  world = await newSigningWorld();
  app = await newApp(world.db);
});

const ANNA: SignerOf = {
  name: 'Anna Berg',
  email: 'anna@signers.test',
  fields: ['SIGNATURE', 'DATE', 'TITLE'],
};
const BEN: SignerOf = { name: 'Ben Cole', rank: 2, email: 'ben@signers.test' };

/** A contract of two pages to be signed by Anna, and then by Ben. */
async function contract(signers: SignerOf[] = [ANNA, BEN], options: Parameters<typeof world.active>[1] = {}) {
  const documentId = await world.document('contract.pdf', pdf(pages(2)));
  const session = await world.active(signers, options, documentId);
  const recipients = await world.signersOf(session.sessionId);
  const [anna, ben] = recipients as [(typeof recipients)[0], (typeof recipients)[0]];
  return { ...session, anna, ben, link: linkOf(anna) };
}

const linkOf = (recipient: { id: string; linkVersion: number }) =>
  `/sign/${recipient.id}/${world.secretOf(recipient)}`;

type Recipient = Awaited<ReturnType<typeof world.signersOf>>[0];

const filled = ({ fields }: Recipient, more: Record<string, string> = {}) => ({
  ...Object.fromEntries(
    fields.map(({ id, type }) => [`field.${id}`, type === 'DATE' ? '2031-03-04' : 'Anna Berg']),
  ),
  consent: 'yes',
  ...more,
});

const stateOf = async (id: string) =>
  (await world.db.prisma.signatureRecipient.findUnique({ where: { id } }))?.state;

describe('the page of a signer', () => {
  it('shows the sender, the pages, and each field with its label', async () => {
    const { link, anna } = await contract();
    const { status, text, headers } = await new Browser(app).open(link);
    expect(status).toBe(200);
    expect(text).toContain('contract.pdf');
    expect(text).toContain(`${link}/pages/2?width=900`);
    expect(text).not.toContain('/pages/3?');
    for (const { id } of anna.fields) expect(text).toContain(`for="input-${id}"`);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  it.each([
    ['de-DE,de;q=0.9', '4.3.2031'],
    ['en-US', '3/4/2031'],
    ['ar-EG', '٤/٣/٢٠٣١'],
  ])('reads a date as %s writes it', async (language, typed) => {
    const { link, anna } = await contract();
    const date = anna.fields.find(({ type }) => type === 'DATE');
    const form = filled(anna, { [`field.${date?.id}`]: typed });
    const { status } = await new Browser(app).post(link, form, { ...SAME, 'accept-language': language });
    expect(status).toBe(303);
    expect(
      await world.db.prisma.signatureField.findUnique({ where: { id: date?.id as string } }),
    ).toMatchObject({
      value: '2031-03-04',
    });
  });

  it('says until when one can sign: until the link ends, or the session before it', async () => {
    const { link, anna } = await contract();
    const [first, second] = [new Date('2099-04-05T06:07:08Z'), new Date('2099-05-06T07:08:09Z')];
    const { sessionId } = await world.db.prisma.signatureRecipient.update({
      where: { id: anna.id },
      data: { linkExpiresAt: second },
    });
    const setEnd = (expiresAt: Date) =>
      world.db.prisma.signatureSession.update({ where: { id: sessionId }, data: { expiresAt } });
    await setEnd(first);
    const before = (await new Browser(app).open(link)).text;
    await setEnd(new Date('2100-01-01'));
    const after = (await new Browser(app).open(link)).text;
    expect(before).toContain('<time datetime="2099-04-05T06:07:08.000Z">2099-04-05 06:07</time>');
    expect(after).toContain('<time datetime="2099-05-06T07:08:09.000Z">2099-05-06 07:08</time>');
  });

  it('is at the URL that GraphQL and REST v1 return', async () => {
    const { documentId, sessionId, link } = await contract();
    const { data } = await world.owner.graph(
      `query ($id: ID!) { signatureSession(id: $id) { recipients { nodes { signingUrl } } } }`,
      { id: sessionId },
    );
    expect(data.signatureSession.recipients.nodes).toEqual([
      { signingUrl: ORIGIN + link },
      { signingUrl: null },
    ]);
    const { body } = await world.owner.rest(
      'GET',
      `${world.base}/documents/${documentId}/signatureSessionPackages`,
    );
    expect(body.Recipients.map((each: { SigningUrl: string }) => each.SigningUrl)).toEqual([
      ORIGIN + link,
      '',
    ]);
  });

  it('accepts a typed signature once, and requests the next signer', async () => {
    const { link, anna, ben, documentId } = await contract();
    const browser = new Browser(app, '192.0.2.9');
    expect((await browser.post(link, filled(anna))).headers.get('location')).toBe(link);
    const values = await world.db.prisma.signatureField.findMany({
      where: { recipientId: anna.id },
      orderBy: { rank: 'asc' },
    });
    expect(values.map(({ value }) => value)).toEqual(['Anna Berg', '2031-03-04', 'Anna Berg']);
    expect((await browser.open(link)).text).toContain('You have signed');
    const [event] = await world.db.prisma.event.findMany({
      where: { subjectId: documentId, kind: 'document.signed' },
    });
    expect(event?.data).toMatchObject({
      ipAddress: '192.0.2.9',
      consent: expect.stringContaining('I agree'),
    });
    await browser.post(link, filled(anna));
    expect((await world.kinds(documentId)).filter((kind) => kind === 'document.signed')).toHaveLength(1);
    expect(await stateOf(ben.id)).toBe('REQUESTED');
    expect((await browser.open(linkOf(ben))).text).toContain('Anna Berg');
  });

  it('accepts a drawn signature if drawing was chosen', async () => {
    const { link, anna } = await contract([{ ...ANNA, fields: ['SIGNATURE'] }]);
    const [field] = anna.fields;
    const drawn =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
    const form = { [`mode.${field?.id}`]: 'draw', [`drawn.${field?.id}`]: drawn, consent: 'yes' };
    await new Browser(app).post(link, form);
    expect((await world.db.prisma.signatureField.findUnique({ where: { id: field?.id } }))?.value).toBe(
      drawn,
    );
    expect((await new Browser(app).open(link)).text).toContain(`src="${drawn}"`);
  });

  it('shows errors beside each field, and keeps the entered values', async () => {
    const { link, anna } = await contract();
    const [signature, date] = anna.fields as [Recipient['fields'][0], Recipient['fields'][0]];
    const form = { [`field.${date.id}`]: '31 March', consent: '' };
    const { status, text } = await new Browser(app).post(link, form);
    expect(status).toBe(422);
    expect(text).toContain(`id="input-${signature.id}-error">Must be filled in.`);
    expect(text).toContain(`id="input-${date.id}-error">Must be a date`);
    expect(text).toContain('value="31 March"');
    expect(text).toContain('Agree to sign electronically.');
    expect(await stateOf(anna.id)).toBe('REQUESTED');
  });

  it.each([
    ['\u2800', 'has no visible character'],
    ['Anna 𓀀', 'has a character that cannot be drawn: 𓀀 (U+13000)'],
  ])('shows beside the field that a value cannot be drawn: %j', async (value, error) => {
    const { link, anna } = await contract();
    const [field] = anna.fields;
    const { status, text } = await new Browser(app).post(
      link,
      filled(anna, { [`field.${field?.id}`]: value }),
    );
    expect(status).toBe(422);
    expect(text).toContain(error);
    expect(await stateOf(anna.id)).toBe('REQUESTED');
  });

  it('accepts a refusal with a reason, and shows it from then on', async () => {
    const { link, anna, ben } = await contract();
    const browser = new Browser(app);
    await browser.post(`${link}/decline`, { reason: 'The sum is wrong.' });
    const row = await world.db.prisma.signatureRecipient.findUnique({ where: { id: anna.id } });
    expect(row).toMatchObject({ state: 'DECLINED', declinedReason: 'The sum is wrong.' });
    expect((await browser.open(link)).text).toContain('You declined to sign');
    const [page] = [await browser.open(linkOf(ben))];
    expect(page.text).toContain('Signing was stopped');
    expect(page.text).not.toContain('contract.pdf');
  });

  it('escapes texts of users', async () => {
    const { link } = await contract([{ ...ANNA, name: '<img src=x onerror=alert(1)>' }]);
    const { text } = await new Browser(app).open(link);
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('&lt;img src=x');
  });
});

describe('an invalid link of a signer', () => {
  it('does not disclose the document before the turn of the signer', async () => {
    const { ben } = await contract();
    const { status, text } = await new Browser(app).open(linkOf(ben));
    expect(status).toBe(200);
    expect(text).toContain('It is not your turn yet');
    expect(text).not.toContain('contract.pdf');
    for (const path of ['/pages/1', '/copy'])
      expect((await new Browser(app).open(linkOf(ben) + path)).status).toBe(409);
  });

  it('answers that the session was stopped, and cannot sign', async () => {
    const { documentId, link, anna } = await contract();
    await stopSignatureSession(world.ctx, { documentId });
    expect((await new Browser(app).open(link)).text).toContain('Signing was stopped');
    await new Browser(app).post(link, filled(anna));
    expect(await stateOf(anna.id)).toBe('REQUESTED');
    expect((await new Browser(app).open(`${link}/pages/1`)).status).toBe(409);
  });

  it('answers that it has expired', async () => {
    const { link, anna } = await contract();
    const past = { linkExpiresAt: new Date(Date.now() - 1000) };
    await world.db.prisma.signatureRecipient.update({ where: { id: anna.id }, data: past });
    const { status, text } = await new Browser(app).open(link);
    expect(status).toBe(410);
    expect(text).toContain('This link has expired');
    await new Browser(app).post(link, filled(anna));
    expect(await stateOf(anna.id)).toBe('REQUESTED');
  });

  it('is answered equally if it is unknown, replaced or of another session', async () => {
    const { documentId, link, anna } = await contract();
    const other = await contract();
    const secret = world.secretOf(other.anna);
    const dead = [`/sign/${anna.id}/${secret}`, `/sign/${anna.id}/dgl_${'a'.repeat(43)}`, `/sign/sgr_x/y`];
    for (const path of dead) expect((await new Browser(app).open(path)).status).toBe(404);
    await renewSignatureLinks(world.ctx, { documentId, recipientIds: [anna.id] });
    expect((await new Browser(app).open(link)).text).toContain('This link is not valid');
  });

  it('answers that the sender withdrew the document, also after it was restored', async () => {
    const { documentId, link, anna } = await contract();
    await recycleDocuments(world.ctx, { documentIds: [documentId] });
    const { status, text } = await new Browser(app).open(link);
    expect(status).toBe(410);
    expect(text).toContain('The document was withdrawn');
    expect(text).not.toContain('contract.pdf');
    await new Browser(app).post(link, filled(anna));
    expect(await stateOf(anna.id)).toBe('REQUESTED');
    expect((await new Browser(app).open(`${link}/pages/1`)).status).toBe(409);
    await restoreDocuments(world.ctx, { documentIds: [documentId] });
    expect((await new Browser(app).open(link)).text).toContain('The document was withdrawn');
  });

  it('is locked after too many wrong access codes, and a new link opens again', async () => {
    const { documentId, link, anna } = await contract([ANNA], {
      useAccessCode: true,
      accessCode: 'harbor-7',
    });
    const where = { id: anna.id };
    await world.db.prisma.signatureRecipient.update({
      where,
      data: { codeFailures: config.limits.codeFailures - 1 },
    });
    const tried = await new Browser(app).post(`${link}/code`, { code: 'wrong' });
    expect([tried.status, tried.text.includes('This access code is wrong')]).toEqual([422, true]);
    const again = await new Browser(app).post(`${link}/code`, { code: 'harbor-7' });
    expect([again.status, again.text.includes('This link is locked')]).toEqual([403, true]);
    const shown = await new Browser(app).open(link);
    expect([shown.status, shown.text.includes('This link is locked')]).toEqual([403, true]);
    const [renewed] = await renewSignatureLinks(world.ctx, { documentId, recipientIds: [anna.id] });
    const fresh = linkOf(renewed as Pick<Recipient, 'id' | 'linkVersion'>);
    expect((await new Browser(app).post(`${fresh}/code`, { code: 'harbor-7' })).status).toBe(303);
  });
});

describe('an access code', () => {
  const locked = () => contract([ANNA], { useAccessCode: true, accessCode: 'harbour-7' });

  it('is required for the document, its pages, its copy and the signature', async () => {
    const { link, anna } = await locked();
    const browser = new Browser(app);
    const { text } = await browser.open(link);
    expect(text).toContain('Enter the access code');
    expect(text).not.toContain('contract.pdf');
    for (const path of ['/pages/1', '/copy']) expect((await browser.open(link + path)).status).toBe(403);
    await browser.post(link, filled(anna));
    await browser.post(`${link}/decline`, {});
    expect(await stateOf(anna.id)).toBe('REQUESTED');
  });

  it('opens the document only in the browser in which it was entered', async () => {
    const { link, anna } = await locked();
    const browser = new Browser(app);
    const { status, headers } = await browser.post(`${link}/code`, { code: 'harbour-7' });
    expect(status).toBe(303);
    expect(headers.get('set-cookie')).toMatch(new RegExp(`Path=${link}; HttpOnly; SameSite=Lax`));
    expect((await browser.open(link)).text).toContain('contract.pdf');
    expect((await browser.open(`${link}/pages/1`)).status).toBe(200);
    expect((await new Browser(app).open(link)).text).toContain('Enter the access code');
    const forged = new Browser(app);
    forged.cookie = browser.cookie.replace(/=\d+/, `=${Date.now() + 9e9}`);
    expect((await forged.open(link)).text).toContain('Enter the access code');
    await browser.post(link, filled(anna));
    expect(await stateOf(anna.id)).toBe('COMPLETED');
  });

  it('is refused beside its field if it is wrong, and after too many attempts', async () => {
    const { link } = await locked();
    const browser = new Browser(app);
    const answers = [];
    for (let tries = 0; tries < 6; tries++)
      answers.push(await browser.post(`${link}/code`, { code: 'quay' }));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429]);
    expect(answers[0]?.text).toContain('id="code-error">This access code is wrong.');
    expect((await browser.post(`${link}/code`, { code: 'harbour-7' })).status).toBe(429);
  });
});

describe('the page images and the copy', () => {
  it('show a page as an image with a short private cache lifetime', async () => {
    const { link } = await contract();
    const answer = await app.request(`${ORIGIN}${link}/pages/2?width=1600`);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=300');
    const { format, width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect({ format, width }).toEqual({ format: 'webp', width: 1600 });
  });

  it('refuse unknown pages and other widths', async () => {
    const { link } = await contract();
    for (const path of ['/pages/3', '/pages/0', '/pages/x', '/pages/1?width=4000'])
      expect((await new Browser(app).open(link + path)).status).toBe(404);
  });

  it('return the copy that is signed, whose digest the page shows', async () => {
    const { link } = await contract();
    const { text } = await new Browser(app).open(link);
    const { status, headers } = await new Browser(app).open(`${link}/copy`);
    expect(status).toBe(303);
    const file = await app.request(headers.get('location') as string);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(text).toContain(createHash('sha256').update(bytes).digest('hex'));
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('show a picture upright, as it is sealed', async () => {
    const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'white' } })
      .composite([
        { input: { create: { width: 30, height: 20, channels: 3, background: 'red' } }, left: 0, top: 0 },
      ])
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const documentId = await world.document('deed.jpg', photo);
    const { sessionId } = await world.active([ANNA], {}, documentId);
    const [anna] = await world.signersOf(sessionId);
    const link = linkOf(anna as Recipient);
    expect((await new Browser(app).open(link)).text).toContain(`${link}/pages/1?width=900`);
    const answer = await app.request(`${ORIGIN}${link}/pages/1?width=900`);
    const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([60, 90]);
    const greenAt = (x: number, y: number) => Number(data[(y * info.width + x) * 3 + 1]);
    expect([greenAt(5, 5) > 200, greenAt(50, 10) < 60]).toEqual([true, true]);
    expect((await new Browser(app).open(`${link}/pages/2`)).status).toBe(404);
  });

  it('offer other files as a download', async () => {
    const { sessionId } = await world.active([ANNA]);
    const [anna] = await world.signersOf(sessionId);
    const { text } = await new Browser(app).open(linkOf(anna as Recipient));
    expect(text).toContain('This document cannot be shown here');
    expect((await new Browser(app).open(`${linkOf(anna as Recipient)}/pages/1`)).status).toBe(404);
  });
});

describe('requests of other sites and of programs', () => {
  it.each([
    ['another site', { ...SAME, 'sec-fetch-site': 'cross-site' }],
    ['another origin', { origin: 'https://evil.example' }],
  ])('cannot sign from %s', async (_, headers) => {
    const { link, anna } = await contract();
    expect((await new Browser(app).post(link, filled(anna), headers)).status).toBe(403);
    expect(await stateOf(anna.id)).toBe('REQUESTED');
  });

  it('may hide the origin, as browsers without secure contexts do', async () => {
    const { link, anna } = await contract();
    await new Browser(app).post(link, filled(anna), { origin: 'null' });
    expect(await stateOf(anna.id)).toBe('COMPLETED');
  });

  it('are rate limited for each network', async () => {
    const { link } = await contract();
    const slow = await newApp(world.db, { env: { PUBLIC_REQUESTS: '3' } });
    const statuses = [];
    for (let call = 0; call < 4; call++) statuses.push((await new Browser(slow).open(link)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await new Browser(slow, '203.0.113.1').open(link)).status).toBe(200);
  });
});
