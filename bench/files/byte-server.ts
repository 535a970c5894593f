/** Serves one kind of byte-server.ts [kind] [folder] [secret]: takes PUT, answers GET; tells its parent the port. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { serve } from '@hono/node-server';
import { diskStore } from '../../src/files/store/disk.ts';
import { byteRouter } from '../../src/files/transfer/byte-endpoints.ts';
import { createSignedUrls } from '../../src/files/transfer/signed-url.ts';

async function serveDocgraph(dir: string, secret: Buffer): Promise<number> {
  const app = byteRouter({
    store: await diskStore(dir),
    signedUrls: createSignedUrls(secret, 'http://bench.test'),
    limits: { uploadBytes: 2 ** 40, reservation: 3_600_000 },
    received: async () => true,
    cancelled: async () => true,
    report: console.error,
  });
  return new Promise((resolve) => serve({ fetch: app.fetch, port: 0 }, ({ port }) => resolve(port)));
}

async function servePlain(path: string, kind: string): Promise<number> {
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method === 'GET') return void pipeline(createReadStream(path), outgoing);
    const hash = createHash('sha256');
    if (kind === 'Plain, hashed') incoming.on('data', (chunk) => hash.update(chunk));
    await pipeline(incoming, createWriteStream(path));
    if (kind !== 'Plain') {
      const file = await open(path, 'r+');
      await file.sync();
      await file.close();
    }
    outgoing.end();
  });
  await once(server.listen(0), 'listening');
  return (server.address() as { port: number }).port;
}

const [kind = '', dir = '', secret = ''] = process.argv.slice(2);
const port =
  kind === 'Docgraph' ? serveDocgraph(dir, Buffer.from(secret, 'hex')) : servePlain(join(dir, 'file'), kind);
process.send?.(await port);
