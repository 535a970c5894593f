import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAll } from '../store/objects.ts';
import { hex, type Listening, listening, range, send, startSession } from './byte-server.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

const session = () => startSession(server);
const whole = async (key: string) => hex(await readAll(server.store, key));

describe('a chunk', () => {
  it('that was already received changes nothing', async () => {
    const { key, address } = await session();
    for (let turn = 0; turn < 3; turn++) {
      const { status, headers } = await send(address, 'PUT', range('0-4/*'), 'first');
      expect([status, headers.range]).toEqual([308, 'bytes=0-4']);
    }
    expect((await send(address, 'PUT', range('5-5/6'), '!')).status).toBe(200);
    expect((await readAll(server.store, key)).toString()).toBe('first!');
  });

  it('that was received in part is stored from its first new byte', async () => {
    const { key, address } = await session();
    await send(address, 'PUT', range('0-4/*'), 'abcde');
    const overlap = await send(address, 'PUT', range('3-6/*'), ['d', 'ef', 'g']);
    expect([overlap.status, overlap.headers.range]).toEqual([308, 'bytes=0-6']);
    expect((await send(address, 'PUT', range('0-7/8'), 'abcdefgh')).status).toBe(200);
    expect((await readAll(server.store, key)).toString()).toBe('abcdefgh');
  });

  it('after a gap is ignored, and the response has the offset to continue at', async () => {
    const { address } = await session();
    const early = await send(address, 'PUT', range('5-9/10'), '56789');
    expect([early.status, early.headers.range]).toEqual([308, undefined]);
    await send(address, 'PUT', range('0-3/10'), '0123');
    const gap = await send(address, 'PUT', range('5-9/10'), '56789');
    expect([gap.status, gap.headers.range]).toEqual([308, 'bytes=0-3']);
  });

  it('of one byte is not an empty end request', async () => {
    for (const body of ['x', ['x']]) {
      const { key, address } = await session();
      expect((await send(address, 'PUT', range('0-0/1'), body)).status).toBe(200);
      expect((await readAll(server.store, key)).toString()).toBe('x');
    }
  });

  it('whose body ends early is stored up to its end', async () => {
    const { address } = await session();
    const { status, headers } = await send(address, 'PUT', range('0-9/10'), ['0123']);
    expect([status, headers.range]).toEqual([308, 'bytes=0-3']);
  });

  it.each([
    ['no range', 'bytes'],
    ['another unit', 'items 0-4/5'],
    ['an end before its start', 'bytes 4-0/5'],
    ['an end behind the total', 'bytes 0-4/4'],
    ['a negative start', 'bytes -1-3/5'],
    ['no end', 'bytes 0-/5'],
    ['two ranges', 'bytes 0-1/5, bytes 2-4/5'],
    ['a number beyond any file', `bytes 0-${'9'.repeat(40)}/*`],
    ['another length than the body', 'bytes 0-3/*'],
    ['a range longer than the body', 'bytes 0-9/*'],
  ])('with %s is refused, and nothing is kept', async (_, text) => {
    const { key, address } = await session();
    const answer = await send(address, 'PUT', { 'Content-Range': text }, '01234');
    expect(answer).toMatchObject({ status: 400, message: expect.any(String) });
    expect(await server.store.stat(key)).toBeUndefined();
  });

  it('whose body is longer than its range fails the upload', async () => {
    const { key, address } = await session();
    await send(address, 'PUT', range('0-2/*'), 'abc');
    expect((await send(address, 'PUT', range('3-5/6'), ['def', 'g'])).status).toBe(400);
    expect(await server.store.stat(key)).toBeUndefined();
  });

  it('with a total below the received bytes is refused', async () => {
    const { key, address } = await session();
    await send(address, 'PUT', range('0-9/*'), '0123456789');
    expect((await send(address, 'PUT', range('0-3/4'), '0123')).status).toBe(400);
    expect(await server.store.stat(key)).toMatchObject({ size: 10, finished: false });
  });
});

describe('a random client', () => {
  /** Numbers below `most`, the same ones for the same seed (a linear congruential generator). */
  function dice(seed: number) {
    let state = seed;
    return (most: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * most);
    };
  }

  const seeds = Array.from({ length: 25 }, () => Math.floor(Math.random() * 2 ** 32));
  it.each(
    seeds,
  )('that cuts, repeats, skips and asks as it likes ends with its file (seed %i)', async (seed) => {
    const roll = dice(seed);
    const { key, address } = await session();
    const bytes = randomBytes(roll(300_000));
    const total = () => (roll(2) ? `${bytes.length}` : '*');
    let received = 0;
    for (let turn = 0; turn < 40 && received < bytes.length; turn++) {
      const start = Math.max(0, received + ([0, 0, 0, -roll(1_000), roll(1_000)][roll(5)] ?? 0));
      const end = Math.min(bytes.length, start + 1 + roll(60_000));
      if (start >= end) continue;
      const piece = bytes.subarray(start, end);
      const cut = roll(piece.length);
      const body = roll(2) ? piece : [piece.subarray(0, cut), piece.subarray(cut)];
      const { status, headers } = await send(address, 'PUT', range(`${start}-${end - 1}/${total()}`), body);
      if (status === 200) break;
      expect(status).toBe(308);
      const now = Number(/^bytes=0-(\d+)$/.exec(headers.range ?? 'bytes=0--1')?.[1] ?? -1) + 1;
      expect(now).toBe(start > received ? received : Math.max(received, end));
      received = now;
    }
    if (received < bytes.length)
      await send(address, 'PUT', range(`${received}-${bytes.length - 1}/*`), bytes.subarray(received));
    const { body } = await send(address, 'PUT', range(`*/${bytes.length}`));
    expect(JSON.parse(body.toString())).toEqual({ size: bytes.length, sha256: hex(bytes) });
    expect(await whole(key)).toBe(hex(bytes));
  });
});
