import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { BlobStore } from '../../../src/files/store/store.ts';
import { byteRouter } from '../../../src/files/transfer/byte-endpoints.ts';
import { FairIntake } from '../../../src/files/transfer/fair-intake.ts';
import { createSignedUrls } from '../../../src/files/transfer/signed-url.ts';
import { newId } from '../../../src/lib/id.ts';

const MIB = 2 ** 20;
const CHUNK = 64 * 1024;
const [BUSY, OTHER] = [newId('Organization'), newId('Organization')];

const signedUrls = createSignedUrls(Buffer.alloc(32, 'fair intake '), 'http://test');

/** A store that lists the keys of the objects that bytes are appended to, chunk by chunk, and keeps no bytes. */
function listingStore() {
  const passed: string[] = [];
  const store: Partial<BlobStore> = {
    stat: async () => undefined,
    discard: async () => {},
    async write(key, bytes) {
      let size = 0;
      for await (const chunk of bytes) {
        size += chunk.length;
        passed.push(key);
      }
      return { size, sha256: new Uint8Array(32) };
    },
  };
  return { store: store as BlobStore, passed };
}

async function* chunks(size: number) {
  for (let sent = 0; sent < size; sent += CHUNK) yield new Uint8Array(CHUNK);
}

/** One chunk in each turn of the event loop, as from a socket. */
async function* arriving(size: number) {
  for await (const chunk of chunks(size)) {
    await nextTurn();
    yield chunk;
  }
}

describe('uploads of several organizations at once', () => {
  it('proceed at the same rate for any number of uploads of one organization', async () => {
    const { store, passed } = listingStore();
    const limits = { uploadBytes: 64 * MIB, reservation: 60_000 };
    const router = byteRouter({
      store,
      signedUrls,
      limits,
      received: async () => true,
      cancelled: async () => true,
      report: () => {},
    });
    const reserve = async (organizationId: string) => {
      const key = newId('Blob');
      return { key, url: await signedUrls.upload({ key, maxSize: 64 * MIB, organizationId }, 60_000) };
    };
    const send = async ({ url }: { url: string }, size: number) => {
      const body = Readable.toWeb(Readable.from(arriving(size), { objectMode: false }));
      return (await router.request(url, { method: 'PUT', body, duplex: 'half' } as unknown as RequestInit))
        .status;
    };
    const busy = await Promise.all(Array.from({ length: 16 }, () => reserve(BUSY)));
    const other = await reserve(OTHER);
    const statuses = await Promise.all([...busy.map((each) => send(each, 16 * MIB)), send(other, 2 * MIB)]);
    expect(statuses).toEqual(Array(17).fill(200));
    const [first, last] = [passed.indexOf(other.key), passed.lastIndexOf(other.key)];
    const meanwhile = passed.slice(first, last).filter((key) => key !== other.key).length * CHUNK;
    // Without shares, it would be 32 MiB. The first 256 KiB of each upload wait for nothing.
    expect(meanwhile).toBeLessThan(8 * MIB);
  });
});

describe('a body', () => {
  it('waits for no slot while it is alone', async () => {
    const intake = new FairIntake();
    let [turns, ended] = [0, false];
    const count = () => {
      turns++;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    for await (const chunk of intake.pace(BUSY, chunks(8 * MIB))) expect(chunk).toHaveLength(CHUNK);
    ended = true;
    expect(turns).toBe(0);
  });

  it('is not read while its organization waits for a slot', async () => {
    const intake = new FairIntake();
    const bodies = [0, 1].map(() => {
      const body = { read: 0 };
      const source = async function* () {
        for await (const chunk of chunks(2 * MIB)) {
          body.read += chunk.length;
          yield chunk;
        }
      };
      return Object.assign(body, { paced: intake.pace(BUSY, source()) });
    });
    const drain = async ({ paced }: (typeof bodies)[number]) => {
      for await (const _ of paced);
    };
    const done = Promise.all(bodies.map(drain));
    await nextTurn();
    expect(Math.max(...bodies.map(({ read }) => read))).toBeLessThan(MIB);
    await done;
    expect(bodies.map(({ read }) => read)).toEqual([2 * MIB, 2 * MIB]);
  });

  it('ends after others of its organization that broke at the same time', async () => {
    const intake = new FairIntake();
    const connection = new AbortController();
    const slow = async function* () {
      yield new Uint8Array(1);
      await once(connection.signal, 'abort');
      throw new Error('too slow');
    };
    let turn = 0;
    const ends: number[] = [];
    const upload = async (organizationId: string) => {
      for await (const _ of intake.pace(organizationId, slow()));
    };
    const end = () => ends.push(turn);
    const all = [...Array.from({ length: 20 }, () => upload(BUSY).catch(end)), upload(OTHER).catch(end)];
    await nextTurn();
    connection.abort();
    for (; ends.length < all.length; turn++) await nextTurn();
    const inOneTurn = Math.max(...ends.map((each) => ends.filter((other) => other === each).length));
    expect(ends).toHaveLength(21);
    // One of each organization.
    expect(inOneTurn).toBeLessThanOrEqual(2);
  });

  it('fails with the error of its source, and releases its slot', async () => {
    const intake = new FairIntake();
    const broken = async function* () {
      yield* chunks(MIB);
      throw new Error('broken off');
    };
    const drain = async (body: AsyncIterable<Uint8Array>) => {
      for await (const _ of intake.pace(BUSY, body));
    };
    const results = await Promise.allSettled([drain(broken()), drain(chunks(MIB)), drain(chunks(MIB))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });
});
