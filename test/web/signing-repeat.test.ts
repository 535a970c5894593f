import { describe, expect, it } from 'vitest';
import { Browser, newApp } from '../support/browser.ts';
import { newSigningWorld, type SignerOf } from '../support/signatures.ts';

const server = process.env.TEST_DATABASE_URL !== undefined;

async function scene(fields: SignerOf['fields'] = ['SIGNATURE', 'TITLE', 'DATE']) {
  const world = await newSigningWorld();
  const app = await newApp(world.db);
  const { sessionId, documentId } = await world.active([
    { name: 'Anna', fields },
    { name: 'Ben', rank: 2 },
  ]);
  const [anna] = await world.signersOf(sessionId);
  if (!anna) throw new Error('no signer');
  const link = `/sign/${anna.id}/${world.secretOf(anna)}`;
  const form = (title: string, more: Record<string, string> = {}) => ({
    ...Object.fromEntries(
      anna.fields.map(({ id, type }) => [
        `field.${id}`,
        type === 'DATE' ? '' : type === 'TITLE' ? title : 'Anna',
      ]),
    ),
    ...{ consent: 'yes', ...more },
  });
  const devices = [new Browser(app, '192.0.2.1'), new Browser(app, '198.51.100.1')] as const;
  const titleIn = async () =>
    (await world.signersOf(sessionId))[0]?.fields.find(({ type }) => type === 'TITLE')?.value;
  return { world, documentId, link, form, devices, titleIn, anna };
}

describe('the page of a signer who signed on another device', () => {
  it('says what was signed, when in the time zone of this device, and that this was not used', async () => {
    const { world, link, form, devices, titleIn, anna } = await scene();
    const [phone, laptop] = devices;
    await phone.post(link, form('Chair'));
    const completedAt = new Date('2031-06-30T22:30:00Z');
    await world.db.prisma.signatureRecipient.update({ where: { id: anna.id }, data: { completedAt } });
    const { status, text } = await laptop.post(link, form('Treasurer', { timeZone: 'Asia/Tokyo' }));
    expect(status).toBe(409);
    expect(text).toContain('You signed already; this was not used');
    expect(text).toContain('1 July 2031 at 07:30 (Asia/Tokyo)');
    expect(text).toContain('<bdi>Job title</bdi>: <bdi>Chair</bdi>');
    expect(text).not.toContain('Treasurer');
    expect(await titleIn()).toBe('Chair');
  });

  it('reports success for the same values again, also with a date that the server filled in', async () => {
    const { link, form, devices } = await scene();
    const [phone, laptop] = devices;
    await phone.post(link, form('Chair'));
    const again = await laptop.post(link, form('Chair'));
    expect([again.status, again.headers.get('location')]).toEqual([303, link]);
    expect((await laptop.open(link)).text).toContain('You have signed');
  });

  it('says that a refusal came too late', async () => {
    const { link, form, devices, world, documentId } = await scene();
    const [phone, laptop] = devices;
    await phone.post(link, form('Chair'));
    const { status, text } = await laptop.post(`${link}/decline`, { reason: 'Not yet' });
    expect([status, text]).toEqual([409, expect.stringContaining('this was not used')]);
    expect(await world.kinds(documentId)).not.toContain('document.signatureDeclined');
  });

  it('shows nothing of that without the link', async () => {
    const { link, form, devices } = await scene();
    const [phone, laptop] = devices;
    await phone.post(link, form('Chair'));
    const { status, text } = await laptop.post(`${link}x`, form('Treasurer'));
    expect([status, text.includes('Chair')]).toEqual([404, false]);
  });

  it.runIf(server)('is shown to one of two that sign at once with different values', async () => {
    for (let round = 0; round < 5; round++) {
      const { link, form, devices, titleIn } = await scene(['SIGNATURE', 'TITLE']);
      const titles = ['Chair', 'Treasurer'];
      const answers = await Promise.all(
        devices.map((device, index) => device.post(link, form(titles[index] as string))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
      const winner = titles[answers.findIndex(({ status }) => status === 303)];
      expect(await titleIn()).toBe(winner);
      expect(answers.find(({ status }) => status === 409)?.text).toContain(`<bdi>${winner}</bdi>`);
    }
  });
});
