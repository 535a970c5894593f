import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { DeleteObjectCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it } from 'vitest';
import { objectsBelow, openObject, s3Client } from '../../../src/files/store/s3-bucket.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** A bucket whose server answers each request with `body`, and records the URLs of the requests. */
async function openBucket(body: string) {
  const urls: URL[] = [];
  server = createServer((request, response) => {
    urls.push(new URL(request.url ?? '', 'http://bucket.test'));
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const client = s3Client({
    bucket: 'shared',
    prefix: 'docgraph/',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    forcePathStyle: true,
    partBytes: 8 * 2 ** 20,
  });
  return { bucket: { client, name: 'shared' } as Parameters<typeof openObject>[0], urls };
}

const list = (member: string) =>
  `<?xml version="1.0"?><Result><IsTruncated>false</IsTruncated>${member}</Result>`;

describe('a bucket with a key prefix', () => {
  it('reads and deletes objects below the prefix', async () => {
    const { bucket, urls } = await openBucket('');
    (await openObject(bucket, 'blobs/one'))?.resume();
    await bucket.client.send(new DeleteObjectCommand({ Bucket: 'shared', Key: 'blobs/two' }));
    expect(urls.map(({ pathname }) => pathname)).toEqual([
      '/shared/docgraph/blobs/one',
      '/shared/docgraph/blobs/two',
    ]);
  });

  it('lists objects below the prefix, by their names without it', async () => {
    const { bucket, urls } = await openBucket(
      list('<Contents><Key>docgraph/blobs/one</Key><Size>3</Size></Contents>'),
    );
    const names = [];
    for await (const { name } of objectsBelow(bucket, 'blobs/', 'blobs/a')) names.push(name);
    expect(names).toEqual(['blobs/one']);
    const { searchParams } = urls[0] as URL;
    expect([searchParams.get('prefix'), searchParams.get('start-after')]).toEqual([
      'docgraph/blobs/',
      'docgraph/blobs/a',
    ]);
  });

  it('lists unfinished uploads, and where the list continues, without the prefix', async () => {
    const members =
      '<NextKeyMarker>docgraph/blobs/one</NextKeyMarker><Upload><Key>docgraph/blobs/one</Key><UploadId>1</UploadId></Upload>';
    const { bucket, urls } = await openBucket(list(members));
    const input = { Bucket: 'shared', Prefix: 'blobs/', KeyMarker: 'blobs/a' };
    const { Uploads, NextKeyMarker } = await bucket.client.send(new ListMultipartUploadsCommand(input));
    expect([Uploads?.[0]?.Key, NextKeyMarker]).toEqual(['blobs/one', 'blobs/one']);
    expect(urls[0]?.searchParams.get('key-marker')).toBe('docgraph/blobs/a');
  });
});
