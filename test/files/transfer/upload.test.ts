import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAll } from '../store/objects.ts';
import {
  hex,
  type Listening,
  listening,
  range,
  readAnswer,
  START,
  send,
  startSession,
} from './byte-server.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

const MIB = 2 ** 20;
const session = () => startSession(server);
const whole = async (key: string) => hex(await readAll(server.store, key));
const receivedOf = (key: string) => server.received.filter((each) => each.key === key);

describe('a start', () => {
  it.each([
    ['PUT', '{}'],
    ['PUT', ''],
    ['POST', ''],
  ])('by %s with the body "%s" answers 200, and an absolute address without escapes', async (method, body) => {
    const { address } = await server.reserve();
    const { status, headers, body: answered } = await send(address, method, START, body);
    expect([status, answered.length]).toEqual([200, 0]);
    expect(headers.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/uploads\/[\w.-]+$/);
    expect(headers.location).not.toBe(address);
  });

  it('begins again after any earlier bytes', async () => {
    const { key, address, reserved } = await session();
    await send(address, 'PUT', range('0-4/*'), 'first');
    const again = (await send(reserved, 'PUT', START)).headers.location as string;
    expect((await send(again, 'PUT', range('*/*'))).headers.range).toBeUndefined();
    expect((await send(again, 'PUT', range('0-5/6'), 'second')).status).toBe(200);
    expect((await readAll(server.store, key)).toString()).toBe('second');
  });

  it('is refused at the URL of a session', async () => {
    const { address } = await session();
    expect(await send(address, 'PUT', START)).toMatchObject({ status: 400, message: expect.any(String) });
    expect((await send(address, 'PUT', { 'x-goog-resumable': 'stop' })).status).toBe(400);
  });
});

describe('the published clients', () => {
  it('the lenient one: full chunks of an unknown total, then a short one with the total', async () => {
    const { key, address } = await session();
    const bytes = randomBytes(2 * MIB + 77);
    const type = { 'Content-Type': 'application/pdf' };
    const first = await send(address, 'PUT', { ...type, ...range(`0-${MIB - 1}/*`) }, bytes.subarray(0, MIB));
    expect([first.status, first.headers.range, first.headers.location]).toEqual([
      308,
      `bytes=0-${MIB - 1}`,
      undefined,
    ]);
    const second = range(`${MIB}-${2 * MIB - 1}/*`);
    expect((await send(address, 'PUT', second, bytes.subarray(MIB, 2 * MIB))).status).toBe(308);
    expect(receivedOf(key)).toEqual([]);
    const last = range(`${2 * MIB}-${bytes.length - 1}/${bytes.length}`);
    expect((await send(address, 'PUT', last, bytes.subarray(2 * MIB))).status).toBe(200);
    expect(await whole(key)).toBe(hex(bytes));
    expect(receivedOf(key)).toHaveLength(1);
  });

  it.each([1, 2])('the lenient one: %i whole chunks, ended by an empty request', async (count) => {
    const { key, address } = await session();
    const bytes = randomBytes(count * MIB);
    for (let start = 0; start < bytes.length; start += MIB) {
      const piece = bytes.subarray(start, start + MIB);
      expect((await send(address, 'PUT', range(`${start}-${start + MIB - 1}/*`), piece)).status).toBe(308);
    }
    expect((await send(address, 'PUT', range(`0-0/${bytes.length}`))).status).toBe(200);
    expect(await whole(key)).toBe(hex(bytes));
  });

  it.each([
    ['with a length', ''],
    ['in HTTP chunks', []],
  ])('the lenient one: an empty file %s', async (_, body) => {
    const { key, address } = await session();
    expect((await send(address, 'PUT', range('0-0/0'), body)).status).toBe(200);
    expect((await send(address, 'PUT', range('0-0/0'), body)).status).toBe(200);
    expect(await whole(key)).toBe(hex(Buffer.alloc(0)));
  });

  it('the strict one: chunks that all name the total', async () => {
    const { key, address } = await session();
    const bytes = randomBytes(MIB + 5);
    const first = await send(address, 'PUT', range(`0-${MIB - 1}/${MIB + 5}`), bytes.subarray(0, MIB));
    expect(first.status).toBe(308);
    const last = await send(address, 'PUT', range(`${MIB}-${MIB + 4}/${MIB + 5}`), bytes.subarray(MIB));
    expect([last.status, await whole(key)]).toEqual([200, hex(bytes)]);
  });

  it('the service: the whole file without a range, in one request', async () => {
    const { key, address } = await session();
    const bytes = randomBytes(MIB + 5);
    const { status, body } = await send(address, 'PUT', { 'Content-Type': 'application/pdf' }, bytes);
    expect([status, JSON.parse(body.toString())]).toEqual([200, { size: bytes.length, sha256: hex(bytes) }]);
    expect(receivedOf(key).map(({ blob }) => [blob.size, Buffer.from(blob.sha256).toString('hex')])).toEqual([
      [bytes.length, hex(bytes)],
    ]);
  });
});

describe('a whole file', () => {
  it('may be sent to the reserved URL directly, and without a length', async () => {
    const bytes = randomBytes(300_000);
    for (const body of [bytes, [bytes.subarray(0, 1), bytes.subarray(1, 200_000), bytes.subarray(200_000)]]) {
      const { key, address } = await server.reserve();
      expect((await send(address, 'POST', {}, body)).status).toBe(200);
      expect(await whole(key)).toBe(hex(bytes));
    }
  });

  it('may be announced with Expect: 100-continue', async () => {
    const { key, address } = await server.reserve();
    const headers = { Expect: '100-continue', 'Content-Length': 9 };
    const outgoing = request(address, { method: 'PUT', headers });
    const [continued, answer] = [once(outgoing, 'continue'), once(outgoing, 'response')];
    outgoing.flushHeaders();
    await continued;
    outgoing.end('contents!');
    expect((await readAnswer((await answer)[0])).status).toBe(200);
    expect((await readAll(server.store, key)).toString()).toBe('contents!');
  });

  it('replaces an unfinished earlier attempt', async () => {
    const { key, address } = await session();
    await send(address, 'PUT', range('0-4/*'), 'parts');
    expect((await send(address, 'PUT', {}, 'whole')).status).toBe(200);
    expect((await readAll(server.store, key)).toString()).toBe('whole');
  });
});

describe('a status request', () => {
  it('is answered before, during and after', async () => {
    const { key, address } = await session();
    const ask = async (text: string) => {
      const { status, headers } = await send(address, 'PUT', range(text));
      return [status, headers.range];
    };
    expect(await ask('*/*')).toEqual([308, undefined]);
    await send(address, 'PUT', range('0-9/20'), '0123456789');
    expect(await ask('*/*')).toEqual([308, 'bytes=0-9']);
    expect(await ask('*/20')).toEqual([308, 'bytes=0-9']);
    expect(await ask('*/9')).toEqual([400, undefined]);
    await send(address, 'PUT', range('10-19/20'), '0123456789');
    expect([await ask('*/*'), await ask('*/20')]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect(await ask('*/21')).toEqual([400, undefined]);
    expect(receivedOf(key)).toHaveLength(3);
  });

  it('completes an upload that has all its bytes', async () => {
    const { key, address } = await session();
    await send(address, 'PUT', range('0-2/*'), 'abc');
    expect((await send(address, 'PUT', range('*/3'))).status).toBe(200);
    expect((await readAll(server.store, key)).toString()).toBe('abc');
  });
});

describe('a finished upload', () => {
  it('answers 200 to the same bytes again, and notifies listeners again', async () => {
    const { key, address, reserved } = await session();
    await send(address, 'PUT', {}, 'contents');
    for (const [text, body] of [
      ['0-7/8', 'contents'],
      ['4-7/8', 'ents'],
      ['0-3/*', 'cont'],
      ['0-0/8', ''],
      ['0-0/8', []],
    ] as const)
      expect((await send(address, 'PUT', range(text), body as string)).status).toBe(200);
    expect((await send(reserved, 'PUT', {}, 'contents')).status).toBe(200);
    expect((await send(reserved, 'PUT', {}, ['con', 'tents'])).status).toBe(200);
    expect(receivedOf(key)).toHaveLength(8);
    expect((await readAll(server.store, key)).toString()).toBe('contents');
  });

  it('answers 409 to other bytes, and does not change', async () => {
    const { key, address, reserved } = await session();
    await send(address, 'PUT', {}, 'contents');
    for (const body of ['Contents', 'content', 'contents and more', ''])
      expect((await send(reserved, 'PUT', {}, body)).status).toBe(409);
    expect((await send(address, 'PUT', range('0-7/8'), 'CONTENTS')).status).toBe(409);
    expect((await send(address, 'PUT', range('8-8/*'), '!')).status).toBe(409);
    expect((await send(address, 'PUT', range('8-8/9'), '!')).status).toBe(400);
    const again = (await send(reserved, 'PUT', START)).headers.location as string;
    expect((await send(again, 'PUT', {}, 'other')).status).toBe(409);
    expect((await readAll(server.store, key)).toString()).toBe('contents');
    expect(receivedOf(key)).toHaveLength(1);
  });

  it('is completed by the next process if one died between the bytes and the response', async () => {
    const { key, address } = await session();
    await send(address, 'PUT', range('0-7/*'), 'contents');
    await (await server.reopen()).finish(key, 8);
    expect((await send(address, 'PUT', range('*/8'))).status).toBe(200);
    expect(receivedOf(key)).toHaveLength(1);
  });
});
