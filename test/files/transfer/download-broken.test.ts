import { once } from 'node:events';
import type { ReadStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually, type Listening, listening, send } from './byte-server.ts';

let server: Listening;
beforeAll(async () => {
  server = await listening();
});
afterAll(() => server.close());

describe('a client that does not read', () => {
  const SIZE = 64 * 2 ** 20;

  /** A server that notes the files it opens. */
  async function watched(idle?: number) {
    const opened: ReadStream[] = [];
    const { store } = server;
    const watching = await listening({
      limits: { uploadBytes: 1, reservation: 1, idle },
      store: {
        ...store,
        read: async (...part) => {
          const file = await store.read(...part);
          opened.push(file as ReadStream);
          return file;
        },
      },
    });
    const { address } = await watching.publish(Buffer.alloc(SIZE));
    const outgoing = request(address).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.on('error', () => {});
    incoming.pause();
    return { watching, outgoing, file: opened[0] as ReadStream };
  }

  it('gets no data buffered ahead, and its file is closed when it disconnects', async () => {
    const { watching, outgoing, file } = await watched();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(file.bytesRead).toBeLessThan(SIZE / 2);
    expect(file.destroyed).toBe(false);
    outgoing.destroy();
    await eventually(async () => (file.closed ? true : undefined));
    expect(watching.reported).toEqual([]);
    await watching.close();
  });

  it('is cut off after a while', async () => {
    const { watching, file } = await watched(50);
    await eventually(async () => (file.closed ? true : undefined));
    expect(file.bytesRead).toBeLessThan(SIZE);
    await watching.close();
  });
});

describe('a file that cannot be read completely', () => {
  it('ends the connection early, and is reported', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failure = new Error('EIO');
    const { store } = server;
    async function* breaking() {
      yield Buffer.alloc(5);
      throw failure;
    }
    const failing = await listening({ store: { ...store, read: async () => Readable.from(breaking()) } });
    const { address } = await failing.publish(Buffer.alloc(10));
    await expect(send(address, 'GET')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(failing.reported).toEqual([failure]);
    await failing.close();
    printed.mockRestore();
  });
});
