import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listening, send } from './byte-server.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

const CONTENTS = Buffer.from('0123456789');
const get = (address: string, headers = {}) => send(address, 'GET', headers);

describe('a download', () => {
  it('returns the bytes with all headers', async () => {
    const bytes = randomBytes(1_000_000);
    const { key, address } = await server.publish(bytes, { filename: 'Ünited “report”.pdf' });
    const { status, headers, body } = await get(address);
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cache-control': 'private, no-cache, no-transform',
      'content-disposition': `attachment; filename="_nited _report_.pdf"; filename*=UTF-8''%C3%9Cnited%20%E2%80%9Creport%E2%80%9D.pdf`,
      'content-length': '1000000',
      'content-security-policy': expect.stringMatching(/^sandbox;/),
      'content-type': 'application/pdf',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${key}"`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['transfer-encoding']).toBeUndefined();
  });

  it('of nothing is empty', async () => {
    const { address } = await server.publish(Buffer.alloc(0));
    const { status, headers, body } = await get(address, { Range: 'bytes=-5' });
    expect([status, headers['content-length'], body.length]).toEqual([200, '0', 0]);
  });

  it('by HEAD has the same headers and no bytes, and opens no file', async () => {
    let opened = 0;
    const { store } = server;
    const counting = await listening({
      store: { ...store, read: (...part) => ++opened && store.read(...part) } as typeof store,
    });
    const { address } = await counting.publish(CONTENTS);
    const full = await get(address);
    expect(opened).toBe(1);
    const head = await send(address, 'HEAD', { Range: 'bytes=0-3' });
    const { date: _, ...expected } = full.headers;
    expect([head.status, head.body.length, opened]).toEqual([200, 0, 1]);
    expect(head.headers).toMatchObject(expected);
    await counting.close();
  });

  it.each([
    ['text/html', true, 'attachment', true],
    ['image/svg+xml', true, 'attachment', true],
    ['application/pdf', false, 'attachment', true],
    ['application/pdf', true, 'inline', false],
    ['image/png', true, 'inline', true],
    ['text/plain', true, 'inline', true],
  ])('of %s (inline: %s) is an %s, sandboxed: %s', async (contentType, inline, disposition, sandboxed) => {
    const { address } = await server.publish(CONTENTS, { contentType, inline });
    const { headers } = await get(address);
    expect(headers['content-disposition']?.split(';')[0]).toBe(disposition);
    expect(/^sandbox;/.test(`${headers['content-security-policy']}`)).toBe(sandboxed);
  });

  it('has no header lines from the name of the file', async () => {
    const { address } = await server.publish(CONTENTS, {
      filename: 'a\r\nSet-Cookie: x=1\r\n\r\n<script>.txt',
      contentType: 'text/plain\r\nSet-Cookie: x=1',
    });
    const { status, headers } = await get(address);
    expect([status, headers['set-cookie'], headers['content-type']]).toEqual([
      200,
      undefined,
      'application/octet-stream',
    ]);
    expect(headers['content-disposition']).toBe('attachment; filename="a_Set-Cookie_ x=1_script_.txt"');
  });
});

describe('a range', () => {
  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=3-', '3456789', 'bytes 3-9/10'],
    ['bytes=3-5', '345', 'bytes 3-5/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('%s gives that part', async (Range, part, contentRange) => {
    const { address } = await server.publish(CONTENTS);
    const { status, headers, body } = await get(address, { Range });
    expect([status, body.toString(), headers['content-range'], headers['content-length']]).toEqual([
      206,
      part,
      contentRange,
      `${part.length}`,
    ]);
  });

  it.each([
    'bytes=5-3',
    'bytes=a-b',
    'bytes=',
    'items=0-3',
    'bytes=0-1,3-4',
    'bytes=--1',
  ])('%s is not one to serve: the whole comes', async (Range) => {
    const { address } = await server.publish(CONTENTS);
    const { status, body } = await get(address, { Range });
    expect([status, body.toString()]).toEqual([200, '0123456789']);
  });

  it.each([
    'bytes=10-',
    'bytes=10-20',
    'bytes=-0',
    `bytes=${'9'.repeat(30)}-`,
  ])('%s lies outside: 416 with the size, and nothing of the file', async (Range) => {
    const { address } = await server.publish(CONTENTS);
    const { status, headers, message } = await get(address, { Range });
    expect([status, headers['content-range'], message]).toEqual([
      416,
      'bytes */10',
      'The file has 10 bytes.',
    ]);
    expect(headers['content-disposition']).toBeUndefined();
  });

  it('follows If-Range', async () => {
    const { key, address } = await server.publish(CONTENTS);
    const status = async (ifRange: string) =>
      (await get(address, { Range: 'bytes=0-1', 'If-Range': ifRange })).status;
    expect(await status(`"${key}"`)).toBe(206);
    for (const other of [`W/"${key}"`, '"other"', new Date().toUTCString()])
      expect(await status(other)).toBe(200);
  });
});

describe('a precondition', () => {
  it('If-None-Match answers 304 without a body if the ETag matches', async () => {
    const { key, address } = await server.publish(CONTENTS);
    for (const etags of [`"${key}"`, `W/"${key}"`, `"other", "${key}"`, '*']) {
      const { status, headers, body } = await get(address, { 'If-None-Match': etags, Range: 'bytes=0-1' });
      expect([status, headers.etag, body.length]).toEqual([304, `"${key}"`, 0]);
    }
    for (const other of ['"other"', key])
      expect((await get(address, { 'If-None-Match': other })).status).toBe(200);
  });

  it('If-Match answers 412 if the ETag differs', async () => {
    const { key, address } = await server.publish(CONTENTS);
    const status = async (match: string) => (await get(address, { 'If-Match': match })).status;
    expect([await status(`"${key}"`), await status('*')]).toEqual([200, 200]);
    expect([await status('"other"'), await status(`W/"${key}"`)]).toEqual([412, 412]);
  });
});

describe('a signed URL', () => {
  it('that is not valid for downloads is refused with the same text', async () => {
    const { key, address } = await server.publish(CONTENTS);
    const { address: upload } = await server.reserve();
    const file = { key, filename: 'x', contentType: 'text/plain', inline: false };
    const token = address.split('/').at(-1) as string;
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    for (const each of [
      await server.addresses.download(file, -1_000),
      upload.replace('uploads', 'downloads'),
      `${server.url}/downloads/${changed}`,
      `${server.url}/downloads/${key}`,
      `${server.url}/downloads/%2e%2e%2fblobs`,
    ]) {
      const { status, message } = await get(each);
      expect([each, status, message]).toEqual([each, 403, 'This URL is invalid or has expired.']);
    }
  });

  it('of a deleted or unfinished file answers 404', async () => {
    const { key, address } = await server.publish(CONTENTS);
    await server.store.remove(key);
    expect((await get(address)).status).toBe(404);
    await server.store.append(key, 0, Readable.from([CONTENTS]));
    const { status, headers } = await get(address);
    expect([status, headers['content-length'] === '10', headers.etag]).toEqual([404, false, undefined]);
    expect(server.reported).toEqual([]);
  });

  it('refuses other methods, and lists the allowed ones', async () => {
    const { address } = await server.publish(CONTENTS);
    for (const method of ['PUT', 'POST', 'DELETE']) {
      const { status, headers } = await send(address, method, {}, 'x');
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
    }
    expect((await get(address)).body.toString()).toBe('0123456789');
  });

  it('allows any origin', async () => {
    const { address } = await server.publish(CONTENTS);
    const { status, headers } = await send(address, 'OPTIONS', {
      Origin: 'https://app.example.com',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'range',
    });
    expect([status, headers['access-control-allow-origin'], headers['access-control-allow-headers']]).toEqual(
      [204, '*', 'range'],
    );
  });
});
