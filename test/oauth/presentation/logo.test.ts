import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { ask } from '../../support/oauth.ts';
import { newPresentedWorld, picture, refusal } from './presented.ts';

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');

/** A PNG whose header claims a size, with a body of zeros that is as short as zeros compress. */
function emptyPng(width: number, height: number): string {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8);
  const rows = deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)), { level: 9 });
  return base64(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('IDAT', rows),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

function crc32(bytes: Buffer): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ -1) >>> 0;
}

describe('the logo of an application', () => {
  it.each([
    ['png', 300, 100],
    ['jpeg', 40, 60],
    ['webp', 500, 500],
  ] as const)('is stored as a square WebP picture without metadata, from a %s of %i × %i pixels', async (format, width, height) => {
    const { updated, open } = await newPresentedWorld();
    const { logoPath } = await updated({ logo: await picture(format, width, height) });
    const response = await open(logoPath);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
    expect(bytes.includes('Acme')).toBe(false);
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      200,
      {
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
      },
    ]);
  });

  it('is read by anyone, once while it is cached, and another one has another path', async () => {
    const { updated, open } = await newPresentedWorld();
    const first = (await updated({ logo: await picture('png', 64, 64) })).logoPath as string;
    const second = (await updated({ logo: await picture('png', 64, 32) })).logoPath as string;
    expect(second).not.toBe(first);
    const current = await open(second);
    const etag = current.headers.get('etag') as string;
    const outdated = await open(first);
    expect([outdated.headers.get('etag'), outdated.headers.get('cache-control')]).toEqual([
      etag,
      'public, no-cache',
    ]);
    const again = await open(second, { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is removed, also with the application, and unknown ones have none', async () => {
    const { db, owner, updated, open, confidential, stored } = await newPresentedWorld();
    const logo = await picture('png', 64, 64);
    const { logoPath } = await updated({ logo });
    const path = logoPath.split('?')[0] as string;
    expect(await updated({ removeLogo: true })).toMatchObject({ logoPath: null });
    expect((await open(path)).status).toBe(404);
    expect(await db.prisma.clientLogo.count({ where: { clientId: confidential.id } })).toBe(0);
    await updated({ logo });
    expect((await stored()).logoHash).toMatch(/^[0-9a-f]{64}$/);
    await owner.graph(
      'mutation ($input: DeleteClientsInput!) { deleteClients(input: $input) { clientIds } }',
      { input: { clientIds: [confidential.id] } },
    );
    const none = ['x', '%00', '%ff', newId('Client')].map((id) => `/oauth/logos/${id}`);
    for (const each of [path, ...none]) expect([each, (await open(each)).status]).toEqual([each, 404]);
  });

  it('is refused for a picture that is hostile, broken or of another format, and nothing is changed', async () => {
    const { update, stored } = await newPresentedWorld();
    const png = Buffer.from(await picture('png', 200, 200), 'base64');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [what, logo] of [
      ['a bomb of 20,000 × 20,000 pixels', emptyPng(20_000, 20_000)],
      ['a bomb of 5,000 × 5,000 pixels', emptyPng(5_000, 5_000)],
      ['an SVG', base64(svg)],
      ['an SVG behind the head of a PNG', base64(Buffer.concat([png.subarray(0, 8), Buffer.from(svg)]))],
      ['a truncated PNG', base64(png.subarray(0, png.length / 2))],
      ['a GIF', await picture('gif', 64, 64)],
      ['no picture', base64('hello')],
      ['nothing', ''],
      ['no base64', `data:image/png;base64,${base64(png)}`],
      ['URL-safe base64', '__8_'],
      ['more than 256 KiB', 'A'.repeat(360_000)],
    ] as const) {
      const answer = await update({ name: 'Other', logo });
      expect([what, ...(refusal(answer) ?? [])]).toEqual([what, 'BAD_USER_INPUT', 'logo']);
    }
    const both = await update({ logo: base64(png), removeLogo: true });
    expect(refusal(both)).toEqual(['BAD_USER_INPUT', 'removeLogo']);
    expect(await stored()).toMatchObject({ name: 'Planner', logoHash: null, version: 1 });
  });

  it('is not decoded for those who may not change it', async () => {
    const { owner, stranger, update, tokens } = await newPresentedWorld();
    const application = await owner.with((await tokens()).access_token);
    const broken = { logo: base64('no picture') };
    expect(refusal(await update(broken, application))?.[0]).toBe('FORBIDDEN');
    expect(refusal(await update(broken, stranger))?.[0]).toBe('NOT_FOUND');
  });

  it('is on the consent page, which its policy allows', async () => {
    const { user, confidential, updated } = await newPresentedWorld();
    const { logoPath } = await updated({ logo: await picture('png', 64, 64) });
    const page = await user.authorize(ask(confidential));
    expect(await page.text()).toContain(
      `<img class="logo" src="${logoPath}" width="48" height="48" alt=""/>`,
    );
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self'");
  });
});
