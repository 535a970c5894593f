import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { put, readAll } from '../store/objects.ts';
import { LIMIT, type Listening, listening, range, readAnswer, START, send } from './byte-server.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

describe('a size above the limit', () => {
  it.each([
    ['announced as length', { 'Content-Length': 101 }, Buffer.alloc(101)],
    ['announced as end', range('0-100/*'), Buffer.alloc(101)],
    ['announced as total', range('0-9/101'), Buffer.alloc(10)],
    ['asked for', range('*/101'), ''],
  ])('%s is refused before a byte is taken', async (_, headers, body) => {
    const { key, address } = await server.reserve(100);
    expect(await send(address, 'PUT', headers, body)).toMatchObject({
      status: 413,
      message: 'An upload to this URL has at most 100 bytes.',
    });
    expect(await server.store.stat(key)).toBeUndefined();
  });

  it('without an announced length is refused while it arrives, and nothing is stored', async () => {
    const { key, address } = await server.reserve();
    const outgoing = request(address, { method: 'PUT' });
    outgoing.on('error', () => {});
    const answer = once(outgoing, 'response');
    let sent = 0;
    const sending = setInterval(() => {
      outgoing.write(Buffer.alloc(256 * 1024));
      sent += 256 * 1024;
    }, 1);
    const { status } = await readAnswer((await answer)[0]);
    clearInterval(sending);
    outgoing.destroy();
    expect(status).toBe(413);
    expect(sent).toBeGreaterThan(LIMIT);
    expect(await server.store.stat(key)).toBeUndefined();
  });

  it('is above the smaller one of the limits of the URL and the server, to the byte', async () => {
    const { address } = await server.reserve(100);
    expect((await send(address, 'PUT', {}, [Buffer.alloc(101)])).status).toBe(413);
    expect((await send(address, 'PUT', {}, [Buffer.alloc(100)])).status).toBe(200);
    const wide = await server.reserve(LIMIT * 2);
    expect((await send(wide.address, 'PUT', {}, Buffer.alloc(LIMIT + 1))).status).toBe(413);
    expect((await send(wide.address, 'PUT', {}, Buffer.alloc(LIMIT))).status).toBe(200);
  });
});

describe('a body that is not a plain file', () => {
  it.each([
    ['gzip', { 'Content-Encoding': 'gzip' }],
    ['one coding behind another', { 'Content-Encoding': 'identity, br' }],
    ['a compressed transfer', { 'Transfer-Encoding': 'gzip, chunked' }],
    ['a form', { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ])('(%s) is refused', async (_, headers) => {
    const { key, address } = await server.reserve();
    const answer = await send(address, 'PUT', headers, [gzipSync('a small bomb')]);
    expect(answer).toMatchObject({ status: 415, message: expect.any(String) });
    expect(await server.store.stat(key)).toBeUndefined();
  });

  it('is accepted with Content-Encoding identity', async () => {
    const { address } = await server.reserve();
    expect((await send(address, 'PUT', { 'Content-Encoding': 'identity' }, 'plain')).status).toBe(200);
  });
});

describe('a signed URL', () => {
  it('that is not valid for uploads is refused with the same text', async () => {
    const { key, address } = await server.reserve();
    const { address: download } = await server.publish(Buffer.from('x'));
    const token = address.split('/').at(-1) as string;
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    const expired = await server.addresses.upload({ key, maxSize: 9 }, -1_000);
    const bad = [
      expired,
      download.replace('downloads', 'uploads'),
      ...[changed, 'x', 'a.b.c', '%00', '..%2f..', `${token}.`, 'x'.repeat(8_000)].map(
        (each) => `${server.url}/uploads/${each}`,
      ),
    ];
    for (const each of bad) {
      const start = await send(each, 'PUT', START);
      const { status, message } = await send(each, 'PUT', {}, 'contents');
      expect([each, start.status, status, message]).toEqual([
        each,
        403,
        403,
        'This URL is invalid or has expired.',
      ]);
    }
    expect(await server.store.stat(key)).toBeUndefined();
  });

  it('refuses other methods, and lists the allowed ones', async () => {
    const { address } = await server.reserve();
    for (const method of ['GET', 'HEAD', 'PATCH']) {
      const { status, headers } = await send(address, method);
      expect([method, status, headers.allow]).toEqual([method, 405, 'POST, PUT, DELETE, OPTIONS']);
    }
  });

  it('is neither cached nor sent as a referrer', async () => {
    const { address } = await server.reserve();
    for (const { headers } of [await send(address, 'PUT', START), await send(address, 'GET')])
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
  });

  it('allows any origin without credentials', async () => {
    const { address } = await server.reserve();
    const preflightHeaders = {
      Origin: 'https://app.example.com',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'content-range,x-goog-resumable',
    };
    const preflight = await send(address, 'OPTIONS', preflightHeaders);
    expect([preflight.status, preflight.headers]).toEqual([
      204,
      expect.objectContaining({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': 'content-range,x-goog-resumable',
      }),
    ]);
    const answers = [
      await send(address, 'PUT', { ...START, Origin: 'https://app.example.com' }),
      await send(`${address}x`, 'PUT', { Origin: 'https://app.example.com' }, 'x'),
    ];
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      for (const name of ['Location', 'Range', 'ETag', 'Content-Disposition', 'Retry-After'])
        expect(headers['access-control-expose-headers']?.split(',')).toContain(name);
    }
  });
});

describe('an upload of one key', () => {
  it('does not affect the upload of another key', async () => {
    const untouched = await put(server.store, Buffer.from('untouched'));
    const { address } = await server.reserve();
    await send(address, 'PUT', {}, 'mine');
    expect((await readAll(server.store, untouched)).toString()).toBe('untouched');
  });
});
