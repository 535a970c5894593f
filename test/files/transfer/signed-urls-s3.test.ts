import { afterAll, beforeAll, describe } from 'vitest';
import { s3Store } from '../../../src/files/store/s3.ts';
import type { S3Options } from '../../../src/files/store/s3-bucket.ts';
import { type Ceph, hasCeph, startCeph } from '../../support/servers/ceph.ts';
import { useStore } from './byte-server.ts';

const SAME = ['upload', 'upload-pieces', 'upload-refused', 'upload-broken', 'download'];

/** Every test of the signed addresses once more, as it stands: what they answer must not depend on what lies behind. */
describe.runIf(hasCeph)('the signed URLs of a store in a bucket (needs the programs of Ceph)', async () => {
  let ceph: Ceph;
  const buckets = new Map<string, Promise<S3Options>>();

  beforeAll(async () => {
    ceph = await startCeph();
    useStore(async (dir) => {
      const bucket = buckets.get(dir) ?? ceph.bucket();
      buckets.set(dir, bucket);
      return s3Store(await bucket);
    });
  }, 180_000);

  afterAll(async () => {
    useStore();
    await ceph?.stop();
  });

  for (const file of SAME) describe(file, () => import(/* @vite-ignore */ `./${file}.test.ts?s3`));
});
