import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/files/store/store.ts';
import { heldSource, readAll } from '../store/objects.ts';
import {
  eventually,
  hex,
  LIMIT,
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

describe('two concurrent writers', () => {
  it('are one that writes and one that has to wait', async () => {
    const { store } = server;
    let begun = () => {};
    const writing = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const write: typeof store.write = (...object) => {
      begun();
      return store.write(...object);
    };
    const watched = await listening({ store: { ...store, write } });
    const { key, address, reserved } = await startSession(watched);
    const slow = request(address, { method: 'PUT', headers: { 'Content-Length': 10 } });
    const answer = once(slow, 'response');
    slow.write('first');
    await writing;
    for (const refused of [
      await send(address, 'PUT', range('0-4/*'), 'other'),
      await send(address, 'PUT', {}, 'other'),
      await send(reserved, 'PUT', START),
    ])
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    slow.end('+last');
    expect((await readAnswer((await answer)[0])).status).toBe(200);
    expect((await readAll(store, key)).toString()).toBe('first+last');
    await watched.close();
  });

  it('store one complete file when both send all of it', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const { key, address } = await server.reserve();
      const files = [randomBytes(200_000), randomBytes(200_000)];
      const answers = await Promise.all(files.map((bytes) => send(address, 'PUT', {}, bytes)));
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      for (const [position, { status, body }] of answers.entries()) {
        expect([200, 409, 503]).toContain(status);
        if (status !== 200) continue;
        expect(await whole(key)).toBe(hex(files[position] as Buffer));
        expect(JSON.parse(body.toString()).sha256).toBe(hex(files[position] as Buffer));
      }
    }
  });
});

describe('a connection that breaks', () => {
  /** Sends the beginning of a longer request, and hangs up. */
  async function breakOff(address: string, headers: string[], body: Buffer): Promise<void> {
    const { hostname, port, pathname } = new URL(address);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`PUT ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${headers.join('\r\n')}\r\n\r\n`);
    socket.end(body);
    await once(socket.resume(), 'close');
  }

  it.each([
    ['a chunk', ['Content-Length: 900000', 'Content-Range: bytes 0-899999/900000']],
    ['a whole file', ['Content-Length: 900000']],
    ['a whole file in HTTP chunks', ['Transfer-Encoding: chunked']],
  ])('within %s leaves what arrived, and the client goes on behind it', async (_, headers) => {
    const { key, address } = await session();
    const bytes = randomBytes(900_000);
    const begun = bytes.subarray(0, 700_000);
    const chunked = headers[0]?.startsWith('Transfer');
    await breakOff(address, headers, chunked ? Buffer.concat([Buffer.from('dbba0\r\n'), begun]) : begun);
    const there = await eventually(async () => {
      const { status, headers } = await send(address, 'PUT', range('*/*'));
      expect(status).toBe(308);
      return headers.range;
    });
    const next = Number(/^bytes=0-(\d+)$/.exec(there)?.[1]) + 1;
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(700_000);
    const last = await eventually(async () => {
      const answer = await send(address, 'PUT', range(`${next}-899999/900000`), bytes.subarray(next));
      return answer.status === 503 ? undefined : answer;
    });
    expect([last.status, await whole(key)]).toEqual([200, hex(bytes)]);
    expect(server.reported).toEqual([]);
  });

  it('is closed by the server when no more bytes arrive', async () => {
    const impatient = await listening({ limits: { uploadBytes: LIMIT, reservation: 60_000, idle: 50 } });
    const { address } = await impatient.reserve();
    const silent = request(address, { method: 'PUT', headers: { 'Content-Length': 10 } });
    silent.write('first');
    expect((await once(silent, 'error'))[0].code).toBe('ECONNRESET');
    const last = await eventually(async () => {
      const { status } = await send(address, 'PUT', range('5-9/10'), '+last');
      // What had come may still be on its way into the store.
      return [308, 503].includes(status) ? undefined : status;
    });
    expect(last).toBe(200);
    await impatient.close();
  });
});

describe('a sender below the least rate', () => {
  const limits = { uploadBytes: LIMIT, reservation: 60_000, leastRate: 1_000, grace: 300 };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('is cut off, and the upload goes on at its offset', async () => {
    const strict = await listening({ limits });
    const { key, address } = await startSession(strict);
    const slow = request(address, {
      method: 'PUT',
      headers: { ...range('0-9999/10000'), 'Content-Length': 10_000 },
    });
    const cut = once(slow, 'error');
    let isCut = false;
    cut.then(() => {
      isCut = true;
    });
    while (!isCut) {
      slow.write('x');
      await pause();
    }
    const next = await eventually(async () => {
      const { headers } = await send(address, 'PUT', range('*/10000'));
      return headers.range && Number(/^bytes=0-(\d+)$/.exec(headers.range)?.[1]) + 1;
    });
    const rest = 'x'.repeat(10_000 - Number(next));
    const last = await eventually(async () => {
      const answer = await send(address, 'PUT', range(`${next}-9999/10000`), rest);
      return answer.status === 503 ? undefined : answer;
    });
    expect([last.status, (await readAll(strict.store, key)).toString()]).toEqual([200, 'x'.repeat(10_000)]);
    await strict.close();
  });

  it('is not one that is slow, but above it, for longer than the grace', async () => {
    const strict = await listening({ limits });
    const { address } = await strict.reserve();
    const steady = request(address, { method: 'PUT', headers: { 'Content-Length': 5_000 } });
    const answer = once(steady, 'response');
    for (let sent = 0; sent < 5_000; sent += 100) {
      steady.write('x'.repeat(100));
      await pause();
    }
    expect((await readAnswer((await answer)[0])).status).toBe(200);
    await strict.close();
  });

  it('may not rest for long on what it sent fast', async () => {
    const strict = await listening({ limits });
    const { address } = await startSession(strict);
    const rests = request(address, { method: 'PUT', headers: { 'Content-Length': LIMIT } });
    rests.write('x'.repeat(Math.min(LIMIT - 1, 500_000)));
    expect((await once(rests, 'error'))[0].code).toBe('ECONNRESET');
    await strict.close();
  });
});

describe('listeners of an upload', () => {
  it('are notified again after a failure', async () => {
    const failure = new Error('the database is down');
    let down = true;
    const failing = await listening({
      received: async () => {
        if (down) throw failure;
        return true;
      },
    });
    const { address } = await failing.reserve();
    const first = await send(address, 'PUT', {}, 'contents');
    expect([first.status, first.headers['retry-after'], failing.reported]).toEqual([503, '1', [failure]]);
    expect((await send(address, 'PUT', range('*/8'))).status).toBe(503);
    down = false;
    expect((await send(address, 'PUT', range('*/8'))).status).toBe(200);
    expect((await send(address, 'PUT', {}, 'contents')).status).toBe(200);
    await failing.close();
  });

  it('may no longer exist: 410', async () => {
    const late = await listening({ received: async () => false });
    const { address } = await late.reserve();
    expect(await send(address, 'PUT', {}, 'contents')).toMatchObject({
      status: 410,
      message: expect.any(String),
    });
    expect(late.reported).toEqual([]);
    await late.close();
  });
});

describe('a store that fails', () => {
  it.each([
    ['for want of room', new StoreError('full', 'blb_x'), 507],
    ['for reasons of its own', new Error('EIO: /secret/path'), 500],
  ])('%s is reported, and the answer has no word of it', async (_, failure, status) => {
    const { store } = server;
    const broken = await listening({ store: { ...store, write: () => Promise.reject(failure) } });
    const { address } = await broken.reserve();
    const answer = await send(address, 'PUT', {}, 'contents');
    expect([answer.status, broken.reported]).toEqual([status, [failure]]);
    expect(answer.body.toString()).not.toMatch(/secret|blb_|at .*:\d+/);
    expect(JSON.parse(answer.body.toString())).toEqual({
      message: answer.message,
      type: 'about:blank',
      title: answer.message,
      status,
      detail: answer.message,
      requestId: expect.any(String),
    });
    await broken.close();
  });

  it('that is slow slows the client down', async () => {
    const paused = heldSource(Buffer.alloc(0), Buffer.alloc(0));
    const slow = await listening({
      limits: { uploadBytes: 64 * MIB, reservation: 60_000 },
      store: {
        ...server.store,
        write: async (key, bytes) => {
          for await (const _ of paused.bytes);
          return server.store.write(key, bytes);
        },
      },
    });
    const { address } = await slow.reserve(64 * MIB);
    const outgoing = request(address, { method: 'PUT', headers: { 'Content-Length': 64 * MIB } });
    const answer = once(outgoing, 'response');
    outgoing.flushHeaders();
    await paused.reached;
    let sent = 0;
    const stuck = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 300));
    const room = () => once(outgoing, 'drain').then(() => false);
    do {
      outgoing.write(Buffer.alloc(MIB));
      sent += MIB;
    } while (!(await Promise.race([stuck(), room()])));
    expect(sent).toBeLessThan(32 * MIB);
    paused.goOn();
    outgoing.end(Buffer.alloc(64 * MIB - sent));
    expect((await readAnswer((await answer)[0])).status).toBe(200);
    await slow.close();
  });
});
