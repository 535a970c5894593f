import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where the tests find a Redis; without one they skip what needs it. Nothing of its own is touched. */
export const REDIS_URL = process.env.TEST_REDIS_URL;

/** What the keys of one test begin with. */
export const newPrefix = (): string => `docgraph_test_${randomBytes(6).toString('hex')}:`;

/** A way to the Redis that a test can cut, or make silent, and mend again. */
export async function wayTo(url: string) {
  const { hostname, port, pathname } = new URL(url);
  const open = new Set<Socket>();
  let state: 'open' | 'silent' | 'cut' = 'open';
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy();
    const far = connect(Number(port || 6379), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk) => state === 'open' && far.write(chunk));
    far.on('data', (chunk) => state === 'open' && near.write(chunk));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    cut() {
      state = 'cut';
      for (const socket of open) socket.destroy();
    },
    silence() {
      state = 'silent';
    },
    mend() {
      const wasSilent = state === 'silent';
      state = 'open';
      // What was swallowed is never answered.
      if (wasSilent) for (const socket of open) socket.destroy();
    },
    async close() {
      this.cut();
      server.close();
    },
  };
}
