import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listening, range, send, startSession } from './byte-server.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

describe('DELETE on the signed URL of an upload', () => {
  it('ends it with 499 and discards its bytes, also if repeated', async () => {
    const { key, address } = await startSession(server);
    await send(address, 'PUT', range('0-4/10'), 'abcde');
    for (let time = 0; time < 2; time++) {
      const { status, body } = await send(address, 'DELETE');
      expect([status, body.length, await server.store.stat(key)]).toEqual([499, 0, undefined]);
    }
    expect(server.cancelled).toEqual([key, key]);
  });

  it('works at the URL of the reservation before the first byte', async () => {
    const { address } = await server.reserve();
    expect((await send(address, 'DELETE')).status).toBe(499);
  });

  it('is refused for an upload that is already a document', async () => {
    const confirmed = await listening({ cancelled: async () => false });
    const { key, address } = await confirmed.reserve();
    await send(address, 'PUT', {}, 'contents');
    const { status, message } = await send(address, 'DELETE');
    expect([status, message]).toEqual([409, expect.stringContaining('is a document already')]);
    expect(await confirmed.store.stat(key)).toMatchObject({ size: 8, finished: true });
    await confirmed.close();
  });

  it('is refused with a URL that is not for uploads', async () => {
    const { address } = await server.publish(Buffer.from('contents'));
    const other = address.replace('/downloads/', '/uploads/');
    expect((await send(other, 'DELETE')).status).toBe(403);
  });

  it('is allowed from any origin', async () => {
    const { address } = await server.reserve();
    const { headers } = await send(address, 'OPTIONS', {
      Origin: 'https://app.example.com',
      'Access-Control-Request-Method': 'DELETE',
    });
    expect(headers['access-control-allow-methods']).toContain('DELETE');
  });
});
