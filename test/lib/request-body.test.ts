import { expect, it } from 'vitest';
import { readWithin } from '../../src/lib/request-body.ts';

const refuse = (): never => {
  throw new Error('too large');
};

/** A body of pieces of 10 bytes, which counts how many of them were read. */
function request(pieces: number, headers: Record<string, string> = {}) {
  const read = { pieces: 0 };
  const body = new ReadableStream(
    { pull: (to) => (read.pieces++ < pieces ? to.enqueue(new Uint8Array(10)) : to.close()) },
    { highWaterMark: 0 },
  );
  const init = { method: 'POST', body, headers, duplex: 'half' };
  return { read, request: new Request('http://docgraph.test', init as RequestInit) };
}

it.each([
  [0, 0],
  [1, 10],
  [10, 100],
])('reads %i pieces without a length', async (pieces, bytes) => {
  expect((await readWithin(request(pieces).request, 100, refuse)).byteLength).toBe(bytes);
});

it('reads nothing of a body whose Content-Length is too large', async () => {
  const { read, request: sent } = request(1, { 'content-length': '101' });
  await expect(readWithin(sent, 100, refuse)).rejects.toThrow('too large');
  expect(read.pieces).toBe(0);
});

it.each<Record<string, string>>([
  {},
  { 'content-length': '10', 'transfer-encoding': 'chunked' },
])('stops at the first byte too many, with the headers %j', async (headers) => {
  const { read, request: sent } = request(1_000, headers);
  await expect(readWithin(sent, 100, refuse)).rejects.toThrow('too large');
  expect(read.pieces).toBe(11);
});

it('reads a GET, and a POST without a body, as nothing', async () => {
  for (const method of ['GET', 'HEAD', 'POST'])
    expect((await readWithin(new Request('http://docgraph.test', { method }), 100, refuse)).byteLength).toBe(
      0,
    );
});
