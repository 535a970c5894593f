import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { type Bucket, ignoreMissing, isConflict, replaceObject } from './s3-bucket.ts';

const OWNER = 'owner';

export async function readOwner({ client, name }: Bucket): Promise<string | undefined> {
  const response = await client.send(new GetObjectCommand({ Bucket: name, Key: OWNER })).catch(ignoreMissing);
  return response?.Body?.transformToString();
}

export async function recordOwner(bucket: Bucket, database: string, replace = false): Promise<string> {
  if (replace)
    await bucket.client.send(new PutObjectCommand({ Bucket: bucket.name, Key: OWNER, Body: database }));
  else
    await replaceObject(bucket, OWNER, database, undefined).catch((error) => {
      if (!isConflict(error)) throw error;
    });
  return (await readOwner(bucket)) ?? database;
}
