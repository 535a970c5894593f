import { existsSync, readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildFailed } from '../../../src/files/child/child-pool.ts';
import { isPicture, shrinkImage } from '../../../src/files/content/pictures/image-picture.ts';
import { TooCostly } from '../../../src/files/content/pictures/page-pictures.ts';
import { PICTURE_LIMITS } from '../../../src/files/content/pictures/pictures.ts';
import { DRAWABLE_TYPES } from '../../../src/files/content/sniff/inspect.ts';
import { Busy } from '../../../src/lib/fair-slots.ts';
import { type Listening, listening, send } from '../transfer/byte-server.ts';
import { sourceOf } from './bytes.ts';
import { textPdf } from './pdf-source.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } });

/** The processes that one of them has begun with picture-task.js. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter(
      (child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('picture-task'),
    )
    .map(Number);

/** What an address gives of a page of new bytes. */
async function image(bytes: Uint8Array, contentType: string, page = 1, width = 200) {
  const { key } = await server.publish(bytes);
  return send(await server.addresses.image({ key, contentType, page, width }, 60_000), 'GET');
}

describe('a picture of a file', () => {
  it('is a page of a PDF in the requested width', async () => {
    const { status, headers, body } = await image(textPdf([['one'], ['two']]), 'application/pdf', 2);
    const { format, width } = await sharp(body).metadata();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=900, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect({ format, width }).toEqual({ format: 'webp', width: 200 });
  });

  it.each([
    'jpeg',
    'png',
    'webp',
    'gif',
  ] as const)('is a smaller one of a %s, never a larger one', async (format) => {
    const wide = await plain(900, 300).toFormat(format).toBuffer();
    const narrow = await plain(90, 30).toFormat(format).toBuffer();
    const sizes = [];
    for (const bytes of [wide, narrow]) {
      const { width, height } = await sharp((await image(bytes, `image/${format}`)).body).metadata();
      sizes.push([width, height]);
    }
    expect(sizes).toEqual([
      [200, 67],
      [90, 30],
    ]);
  });

  it('is missing for files without pictures, broken files, and files that declare a huge size', async () => {
    const png = await plain(10, 10).png().toBuffer();
    const huge = Buffer.from(png);
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const requests = [
      image(png.subarray(0, 40), 'image/png'),
      image(huge, 'image/png'),
      image(svg, 'image/png'),
      image(png, 'image/png', 2),
      image(textPdf([['one']]), 'application/pdf', 2),
      image(Buffer.from('text'), 'text/plain'),
    ];
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
    expect(server.reported).toEqual([]);
  });

  it.each([
    ['time', { time: 200, memory: PICTURE_LIMITS.memory }],
    ['memory', { time: PICTURE_LIMITS.time, memory: 1 }],
  ])('is refused where it takes too much %s, and the next one is made all the same', async (reason, limits) => {
    const large = sourceOf(await plain(5_000, 5_000).jpeg().toBuffer());
    await expect(shrinkImage(large, 1, 4_096, limits)).rejects.toMatchObject({ reason });
    expect(await shrinkImage(large, 1, 10)).toMatchObject({ width: 10, height: 10 });
  });

  it.runIf(existsSync('/proc/self/task'))(
    'is not made of what its decoder crashes on, and nobody else notices',
    async () => {
      const large = sourceOf(await plain(5_000, 5_000).jpeg().toBuffer());
      await shrinkImage(large, 1, 10);
      const dying = shrinkImage(large, 1, 4_096);
      for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGSEGV');
      await expect(dying).rejects.toMatchObject({ reason: 'died' });
      expect(await shrinkImage(large, 1, 10)).toMatchObject({ width: 10, height: 10 });
    },
  );

  it('requires a valid URL of its kind that has not expired, and GET', async () => {
    const { key, address } = await server.publish(textPdf([['one']]));
    const ticket = { key, contentType: 'application/pdf', page: 1, width: 100 };
    const good = await server.addresses.image(ticket, 60_000);
    const statuses = [];
    for (const [url, method] of [
      [good, 'GET'],
      [good, 'POST'],
      [`${good}x`, 'GET'],
      [await server.addresses.image(ticket, -1_000), 'GET'],
      [address.replace('/downloads/', '/images/'), 'GET'],
      [good.replace('/images/', '/downloads/'), 'GET'],
    ] as const)
      statuses.push((await send(url, method)).status);
    expect(statuses).toEqual([200, 405, 403, 403, 403, 403]);
  });

  it('is not drawn beyond the limits by network and by file, and stored pictures are still sent', async () => {
    const counted: string[] = [];
    const limited = await listening({
      store: server.store,
      countDrawing: async (_, key) => (counted.push(key) > 1 ? 1_500 : 0),
    });
    const { key } = await limited.publish(textPdf([['one'], ['two']]));
    const statusOf = async (page: number) => {
      const ticket = { key, contentType: 'application/pdf', page, width: 100 };
      return send(await limited.addresses.image(ticket, 60_000), 'GET');
    };
    expect((await statusOf(1)).status).toBe(200);
    expect(await statusOf(2)).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
    expect((await statusOf(1)).status).toBe(200);
    expect(counted).toEqual([key, key]);
    await limited.close();
  });

  it.each([
    ['no process is free', new Busy(), '5'],
    ['its process ended', new ChildFailed('died'), '5'],
    ['it takes too long', new TooCostly(new ChildFailed('time')), '60'],
  ])('is unavailable, not absent, while %s', async (_, error, retryAfter) => {
    const busy = await listening({ store: server.store, pictures: () => Promise.reject(error) });
    const { key } = await busy.publish(textPdf([['one']]));
    const ticket = { key, contentType: 'application/pdf', page: 1, width: 100 };
    const answer = await send(await busy.addresses.image(ticket, 60_000), 'GET');
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': retryAfter, 'cache-control': 'private, no-store' },
    });
    await busy.close();
  });

  it('is returned for URLs of earlier releases, which name no organization', async () => {
    const { key } = await server.publish(textPdf([['one']]));
    const ticket = { contentType: 'application/pdf', page: 1, width: 100 };
    const addresses = [undefined, 'org_a'].map((organizationId) =>
      server.addresses.image({ key, organizationId, ...ticket }, 60_000),
    );
    for (const address of addresses) expect((await send(await address, 'GET')).status).toBe(200);
  });

  it('is offered for the supported types', () => {
    expect(DRAWABLE_TYPES.every(isPicture)).toBe(true);
    expect(isPicture('image/svg+xml')).toBe(false);
  });
});
