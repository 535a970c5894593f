import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import type { BlobStat, BlobStore } from '../../../src/files/store/store.ts';
import { newId } from '../../../src/lib/id.ts';

export const newKey = () => newId('Blob');
export const sha256 = (bytes: Uint8Array) => Uint8Array.from(createHash('sha256').update(bytes).digest());

export async function* source(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A source that stops in the middle until it is told to go on. */
export function heldSource(first: Uint8Array, rest: Uint8Array) {
  const events = new EventEmitter();
  const [reached, going] = [once(events, 'reached'), once(events, 'go on')];
  async function* bytes() {
    yield first;
    events.emit('reached');
    await going;
    yield rest;
  }
  return { bytes: bytes(), reached, goOn: () => events.emit('go on') };
}

export async function readAll(store: BlobStore, key: string, range?: { start: number; end: number }) {
  return Buffer.concat(await (await store.read(key, range)).toArray());
}

export const listed = (store: BlobStore, after?: string): Promise<(BlobStat & { key: string })[]> =>
  Readable.from(store.list(after)).toArray();

export async function put(store: BlobStore, bytes: Uint8Array): Promise<string> {
  const key = newKey();
  await store.write(key, source(bytes));
  return key;
}
