import { connect } from 'node:net';
import { sleep } from '../../calls.ts';
import { pathOf } from '../client.ts';
import type { Resource } from '../measure.ts';
import type { Tenant } from '../town.ts';

/** More than a server has places for requests. */
const SOCKETS = 1_100;

/** Milliseconds between two bytes of a body. */
const PACE = 1_000;

const PAGES = [
  '/password/forgot',
  '/sign-in',
  '/sign-up',
  '/oauth/token',
  '/graphql',
  '/api/v1/organizations',
];

/** Begins a request from the network of the tenant, sends a byte of its body now and then, and begins again when it is cut off. */
async function trickle({ url }: Tenant, method: string, path: string, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  while (!signal.aborted) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.2' });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {}).resume();
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100000\r\n\r\n`);
    const timer = setInterval(() => socket.write('x'), PACE);
    const stop = () => socket.destroy();
    signal.addEventListener('abort', stop);
    await closed;
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
    await sleep(PACE);
  }
}

/** Forms and requests of both APIs whose bodies come byte by byte, without a credential. */
export const slowRequests: Resource = {
  async aggress({ aggressor }, signal) {
    const all = Array.from({ length: SOCKETS }, (_, index) =>
      trickle(aggressor, 'POST', PAGES[index % PAGES.length] as string, signal),
    );
    await Promise.all(all);
  },
};

/** Uploads of an organization whose bytes come one by one. */
export const slowUploads: Resource = {
  async aggress({ aggressor }, signal) {
    const paths: string[] = [];
    while (paths.length < SOCKETS) {
      const input = { projectId: aggressor.projectId, count: 100 };
      const { uploads } = await aggressor.owner.mutate('reserveUploads', input, 'uploads { url }');
      paths.push(...uploads.map(({ url }: { url: string }) => pathOf(url)));
    }
    await Promise.all(paths.map((path) => trickle(aggressor, 'PUT', path, signal)));
  },
};
