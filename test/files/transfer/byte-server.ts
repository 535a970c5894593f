import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { diskStore } from '../../../src/files/store/disk.ts';
import type { BlobStore, FinishedBlob } from '../../../src/files/store/store.ts';
import { byteRouter } from '../../../src/files/transfer/byte-endpoints.ts';
import type { ByteService } from '../../../src/files/transfer/byte-service.ts';
import { createSignedUrls, type DownloadTicket } from '../../../src/files/transfer/signed-url.ts';
import { responseHeaders } from '../../../src/http/response-headers.ts';
import { newId } from '../../../src/lib/id.ts';

const SECRET = Buffer.alloc(32, 'test secret ');
export const LIMIT = 4 * 2 ** 20;

type OpenStore = (dir: string) => Promise<BlobStore>;
let openStore: OpenStore = diskStore;

/** Puts the bytes of servers to come into a store of another kind; on disk again when none is given. */
export function useStore(open: OpenStore = diskStore): void {
  openStore = open;
}

/** A listening server with a store of its own, and what it told those who wait for uploads. */
export async function listening(change: Partial<ByteService> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'docgraph-bytes-'));
  const received: { key: string; blob: FinishedBlob }[] = [];
  const cancelled: string[] = [];
  const reported: unknown[] = [];
  const app = new Hono();
  const server = createAdaptorServer({ fetch: app.fetch });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store: BlobStore = change.store ?? (await openStore(dir));
  const addresses = createSignedUrls(SECRET, url);
  const service: ByteService = {
    store,
    signedUrls: addresses,
    limits: { uploadBytes: LIMIT, reservation: 60_000 },
    received: async (key, blob) => received.push({ key, blob }) > 0,
    cancelled: async (key) => cancelled.push(key) > 0,
    report: (error) => reported.push(error),
    ...change,
  };
  app.use(responseHeaders(url));
  app.route('/', byteRouter(service));
  return {
    dir,
    url,
    store,
    /** The same store, as another process would open it. */
    reopen: () => openStore(dir),
    addresses,
    received,
    cancelled,
    reported,
    /** A fresh object, and an address for its upload. */
    async reserve(maxSize = LIMIT) {
      const key = newId('Blob');
      return { key, address: await addresses.upload({ key, maxSize }, 60_000) };
    },
    /** An address for the download of a new object with these bytes. */
    async publish(bytes: Uint8Array, as: Partial<DownloadTicket> = {}) {
      const key = newId('Blob');
      if (bytes.length > 0) await store.append(key, 0, only(bytes));
      await store.finish(key, bytes.length);
      const file = { key, filename: 'report.pdf', contentType: 'application/pdf', inline: false, ...as };
      return { key, address: await addresses.download(file, 60_000) };
    },
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Listening = Awaited<ReturnType<typeof listening>>;

async function* only(bytes: Uint8Array) {
  yield bytes;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body's `message`, where it is JSON. */
  message: string | undefined;
}

export async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const body = Buffer.concat(await incoming.toArray());
  const isJson = incoming.headers['content-type']?.startsWith('application/json') && body.length > 0;
  const message = isJson ? JSON.parse(body.toString()).message : undefined;
  return { status: incoming.statusCode as number, headers: incoming.headers, body, message };
}

/** One request. A body goes out with its length, or in HTTP chunks where it is a list of them. */
export async function send(
  address: string,
  method: string,
  headers: OutgoingHttpHeaders = {},
  body: Uint8Array | string | (Uint8Array | string)[] = '',
): Promise<Answer> {
  const length = Array.isArray(body) ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const outgoing = request(address, { method, headers: { ...length, ...headers } });
  const answer = once(outgoing, 'response');
  for (const part of Array.isArray(body) ? body : []) outgoing.write(part);
  outgoing.end(Array.isArray(body) ? undefined : body);
  const [incoming] = (await answer) as [IncomingMessage];
  return readAnswer(incoming);
}

/** Tries until it gives something; fails the test by its time limit otherwise. */
export async function eventually<Value>(attempt: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await attempt();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
export const range = (text: string) => ({ 'Content-Range': `bytes ${text}` });
export const START = { 'Content-Type': 'application/octet-stream', 'x-goog-resumable': 'start' };

/** A session for a fresh object. `reserved` is the address that it was started at. */
export async function startSession(server: Listening) {
  const { key, address: reserved } = await server.reserve();
  const { headers } = await send(reserved, 'PUT', START, '{}');
  return { key, reserved, address: headers.location as string };
}
