import type { S3Client } from '@aws-sdk/client-s3';

/** The members of requests that are names of objects, or begin such names. */
const NAMES = ['Key', 'Prefix', 'StartAfter', 'KeyMarker'];

interface Listing {
  Contents?: { Key?: string }[];
  Uploads?: { Key?: string }[];
  NextKeyMarker?: string;
}

/** Adds `prefix` to the names in each request of the client, and removes it from those in listings. */
export function addPrefix(client: S3Client, prefix: string): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const input: Record<string, unknown> = { ...args.input };
      for (const name of NAMES) if (typeof input[name] === 'string') input[name] = `${prefix}${input[name]}`;
      const result = await next({ ...args, input: input as typeof args.input });
      removePrefix(result.output as Listing, prefix.length);
      return result;
    },
    { step: 'initialize', name: 'keyPrefix' },
  );
}

function removePrefix(listing: Listing, length: number): void {
  for (const entry of [...(listing.Contents ?? []), ...(listing.Uploads ?? [])])
    entry.Key = entry.Key?.slice(length);
  if (listing.NextKeyMarker) listing.NextKeyMarker = listing.NextKeyMarker.slice(length);
}
