import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { publicLookup, requirePublicHost } from './address-filter.ts';
import { readAtMost } from './limited-body.ts';

/** Exceptions from the address filter, for tests: private addresses, and a further authority of certificates in PEM. */
export interface FetchExceptions {
  allowPrivate: boolean;
  ca?: string;
}

export interface FetchLimits {
  /** Of the body; a longer one is an error. */
  maxBytes: number;
  /** In ms, for the DNS lookup, the connection, the request and the response together. */
  timeout: number;
}

export interface FetchedText {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * GETs a document of an https URL that a stranger gave. Connects to public addresses only, follows no redirects, and sends
 * nothing that identifies the caller. Throws BodyTooLarge, or another Error with the reason.
 */
export async function fetchPublic(
  url: URL,
  { maxBytes, timeout }: FetchLimits,
  { allowPrivate, ca }: FetchExceptions = { allowPrivate: false },
): Promise<FetchedText> {
  if (!allowPrivate) requirePublicHost(url.hostname);
  return new Promise((resolve, reject) => {
    const outgoing = https.get(
      url,
      {
        headers: { accept: 'application/json', 'user-agent': 'Docgraph' },
        agent: false,
        signal: AbortSignal.timeout(timeout),
        ...(ca && { ca }),
        ...(!allowPrivate && { lookup: publicLookup }),
      },
      (incoming) =>
        readAtMost(incoming, maxBytes)
          .then(
            (body) =>
              resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: body.toString() }),
            reject,
          )
          .finally(() => outgoing.destroy()),
    );
    outgoing.once('error', reject);
  });
}
