import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Store } from '../../../src/files/store/s3.ts';
import { finishedName, type S3Options, s3Client } from '../../../src/files/store/s3-bucket.ts';
import { type Ceph, hasCeph, startCeph } from '../../support/servers/ceph.ts';
import { heldSource, listed, newKey, put, readAll, sha256, source } from './objects.ts';
import { storeContract } from './store-contract.ts';

const MIB = 2 ** 20;

describe.runIf(hasCeph)('a store in a bucket (needs the programs of Ceph)', () => {
  let ceph: Ceph;

  beforeAll(async () => {
    ceph = await startCeph();
  }, 180_000);
  afterAll(() => ceph?.stop());

  async function open() {
    const options = await ceph.bucket();
    return { options, store: await s3Store(options), reopen: () => s3Store(options) };
  }

  const uploadsIn = async (options: S3Options) =>
    (await s3Client(options).send(new ListMultipartUploadsCommand({ Bucket: options.bucket }))).Uploads ?? [];

  storeContract(open);

  describe('with a key prefix, in a bucket that another store uses', () => {
    async function openShared() {
      const bucket = await ceph.bucket();
      await put(await s3Store(bucket), Buffer.from('of the other store'));
      const options = { ...bucket, prefix: 'docgraph/' };
      return { options, store: await s3Store(options), reopen: () => s3Store(options) };
    }
    storeContract(openShared);
  });

  describe('a large object', () => {
    it('is sent to the bucket in parts for any chunk sizes, also from several processes', async () => {
      const { options, store, reopen } = await open();
      const [key, bytes] = [newKey(), randomBytes(17 * MIB + 123)];
      const cuts = [0, 1, 3 * MIB, 5 * MIB, 5 * MIB + 7, 11 * MIB, 16 * MIB, bytes.length];
      for (const [index, start] of cuts.slice(0, -1).entries()) {
        const piece = bytes.subarray(start, cuts[index + 1]);
        expect(await (await reopen()).append(key, start, source(piece))).toBe(cuts[index + 1]);
      }
      expect(await uploadsIn(options)).toHaveLength(1);
      expect(await (await reopen()).finish(key, bytes.length)).toEqual({
        size: bytes.length,
        sha256: sha256(bytes),
      });
      expect(await uploadsIn(options)).toEqual([]);
      expect((await readAll(store, key)).equals(bytes)).toBe(true);
      const range = { start: 5 * MIB - 3, end: 5 * MIB + 3 };
      expect((await readAll(store, key, range)).equals(bytes.subarray(range.start, range.end + 1))).toBe(
        true,
      );
      expect(await listed(store)).toMatchObject([{ key, size: bytes.length, finished: true }]);
    });

    it('accepts a hundred small chunks', async () => {
      const { store } = await open();
      const [key, bytes] = [newKey(), randomBytes(100_000)];
      for (let at = 0; at < bytes.length; at += 1_000)
        await store.append(key, at, source(bytes.subarray(at, at + 1_000)));
      expect((await store.finish(key, bytes.length)).sha256).toEqual(sha256(bytes));
    });

    it('keeps its parts when the source breaks off, and is discarded with them', async () => {
      const { options, store, reopen } = await open();
      const key = newKey();
      async function* breaking() {
        yield randomBytes(6 * MIB);
        throw new Error('gone');
      }
      await expect(store.append(key, 0, breaking())).rejects.toThrow('gone');
      expect(await (await reopen()).stat(key)).toMatchObject({ size: 6 * MIB, finished: false });
      await store.discard(key);
      expect([await store.stat(key), await uploadsIn(options)]).toEqual([undefined, []]);
    });

    it('starts again if its parts were deleted', async () => {
      const { options, store } = await open();
      const key = newKey();
      await store.append(key, 0, source(randomBytes(6 * MIB)));
      const client = s3Client(options);
      const [upload] = await uploadsIn(options);
      expect(upload?.Key).toBe(finishedName(key));
      await client.send(
        new AbortMultipartUploadCommand({
          Bucket: options.bucket,
          Key: upload?.Key,
          UploadId: upload?.UploadId,
        }),
      );
      await expect(store.finish(key, 6 * MIB)).rejects.toMatchObject({ code: 'offset' });
      expect(await store.stat(key)).toBeUndefined();
      await store.append(key, 0, source(Buffer.from('anew')));
      expect((await store.finish(key, 4)).sha256).toEqual(sha256(Buffer.from('anew')));
    });
  });

  describe('two processes', () => {
    it.each([10, 6 * MIB])('that send %i bytes at once store the bytes of one of them', async (size) => {
      const { store, reopen } = await open();
      const key = newKey();
      const [ours, theirs] = [randomBytes(size), randomBytes(size)];
      const paused = heldSource(ours.subarray(0, 5), ours.subarray(5));
      const first = store.append(key, 0, paused.bytes);
      await paused.reached;
      expect(await (await reopen()).append(key, 0, source(theirs))).toBe(size);
      paused.goOn();
      await expect(first).rejects.toMatchObject({ code: 'offset' });
      expect((await (await reopen()).finish(key, size)).sha256).toEqual(sha256(theirs));
      expect(await listed(store)).toMatchObject([{ key, size, finished: true }]);
    });

    it('that finish an object at once get the same answer', async () => {
      const { reopen } = await open();
      const [key, bytes] = [newKey(), randomBytes(6 * MIB)];
      await (await reopen()).append(key, 0, source(bytes));
      const stores = await Promise.all(Array.from({ length: 4 }, reopen));
      for (const each of await Promise.all(stores.map((store) => store.finish(key, bytes.length))))
        expect(each).toEqual({ size: bytes.length, sha256: sha256(bytes) });
    });
  });

  describe('leftovers of interrupted calls', () => {
    it('are listed while there is no object, and can be removed', async () => {
      const { options, store } = await open();
      const key = newKey();
      await begin(options, key);
      expect(await listed(store)).toMatchObject([{ key, size: 0, finished: false }]);
      await store.remove(key);
      expect([await listed(store), await uploadsIn(options)]).toEqual([[], []]);
    });

    it('beside a finished object are removed after a while', async () => {
      const { options, store } = await open();
      const [whole, half] = [await put(store, Buffer.from('x')), newKey()];
      for (const key of [whole, half]) await begin(options, key);
      expect(await store.tidy(new Date(Date.now() - 60_000))).toBe(0);
      expect(await store.tidy(new Date(Date.now() + 60_000))).toBe(1);
      expect((await uploadsIn(options)).map(({ Key }) => Key)).toEqual([finishedName(half)]);
      expect((await readAll(store, whole)).toString()).toBe('x');
    });

    const begin = (options: S3Options, key: string) =>
      s3Client(options).send(
        new CreateMultipartUploadCommand({ Bucket: options.bucket, Key: finishedName(key) }),
      );
  });

  it('is not opened with a wrong secret, nor without the bucket', async () => {
    const options = await ceph.bucket();
    const credentials = { accessKeyId: 'docgraph', secretAccessKey: 'wrong' };
    await expect(s3Store({ ...options, credentials })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    await expect(s3Store({ ...options, bucket: 'nowhere' })).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('reports an unreachable server', async () => {
    const other = await startCeph();
    const store = await s3Store(await other.bucket());
    const key = await put(store, Buffer.from('x'));
    await other.stop();
    const calls = [
      store.stat(key),
      store.read(key),
      store.append(newKey(), 0, source(Buffer.from('x'))),
      store.finish(newKey(), 0),
      store.remove(key),
    ];
    const ends = await Promise.allSettled(calls);
    expect(ends).toEqual(
      calls.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) })),
    );
    await expect(store.ping()).rejects.toThrow();
  }, 120_000);
});
