import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Rejects where the address is in use or not allowed (EADDRINUSE, EACCES, with `port`), so that the first start does not
 * find that out after the demo workspace was made.
 */
export async function requireFreePort({ port, host }: { port: number; host: string }): Promise<void> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  await new Promise((resolve) => server.close(resolve));
}
