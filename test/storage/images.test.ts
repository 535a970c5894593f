import { existsSync, readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPicture, shrinkImage } from '../../src/storage/image-picture.ts';
import { DRAWN } from '../../src/storage/inspect.ts';
import { LIMITS } from '../../src/storage/picture-processes.ts';
import { type Listening, listening, send } from './byte-server.ts';
import { sourceOf } from './bytes.ts';
import { textPdf } from './pdf-source.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } });

/** The processes that one of them has begun with picture-process.js. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter(
      (child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('picture-process'),
    )
    .map(Number);

/** What an address gives of a page of new bytes. */
async function image(bytes: Uint8Array, contentType: string, page = 1, width = 200) {
  const { key } = await server.publish(bytes);
  return send(await server.addresses.image({ key, contentType, page, width }, 60_000), 'GET');
}

describe('a picture of a file', () => {
  it('is a page of a PDF, as wide as asked', async () => {
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

  it('is none of what has none, is broken, or claims to be huge', async () => {
    const png = await plain(10, 10).png().toBuffer();
    const huge = Buffer.from(png);
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const asked = [
      image(png.subarray(0, 40), 'image/png'),
      image(huge, 'image/png'),
      image(svg, 'image/png'),
      image(png, 'image/png', 2),
      image(textPdf([['one']]), 'application/pdf', 2),
      image(Buffer.from('text'), 'text/plain'),
    ];
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
    expect(server.reported).toEqual([]);
  });

  it.each([
    ['takes too long', { time: 5, memory: LIMITS.memory }],
    ['takes too much memory', { time: LIMITS.time, memory: 1 }],
  ])('is none of what %s, and the next one is made all the same', async (_, limits) => {
    const large = sourceOf(await plain(5_000, 5_000).jpeg().toBuffer());
    expect(await shrinkImage(large, 1, 4_096, limits)).toBeNull();
    expect(await shrinkImage(large, 1, 10)).toMatchObject({ width: 10, height: 10 });
  });

  it.runIf(existsSync('/proc/self/task'))(
    'is none of what its decoder crashes on, and nobody else notices',
    async () => {
      const large = sourceOf(await plain(5_000, 5_000).jpeg().toBuffer());
      await shrinkImage(large, 1, 10);
      const dying = shrinkImage(large, 1, 4_096);
      for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGSEGV');
      expect(await dying).toBeNull();
      expect(await shrinkImage(large, 1, 10)).toMatchObject({ width: 10, height: 10 });
    },
  );

  it('takes an address of its own kind, whole, in time, and GET alone', async () => {
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

  it('is offered of the types that it can be made of', () => {
    expect(DRAWN.every(isPicture)).toBe(true);
    expect(isPicture('image/svg+xml')).toBe(false);
  });
});
