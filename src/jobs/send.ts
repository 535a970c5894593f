import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Message } from '../domain/webhooks/webhook-payload.ts';
import type { Outcome } from '../domain/webhooks/webhook-run.ts';
import { publicLookup, requirePublicHost } from '../lib/http/address-filter.ts';
import { parseRetryAfter } from '../lib/retry-after.ts';
import { shorten } from '../lib/text/shorten.js';
import { SECOND } from '../lib/time.ts';

/** In ms, for the DNS lookup, the connection, the request and the response together. */
const TIMEOUT = 5 * SECOND;

/** Characters of the response that are stored, and bytes that are read. */
const MAX_EXCERPT_LENGTH = 1_000;
const MAX_RESPONSE_BYTES = 16_384;

/**
 * POSTs a message. Connects to public addresses only, unless `allowPrivate` (for servers that share a private network
 * with their receivers). Follows no redirects. Never throws: the outcome holds the error.
 */
export async function send(url: string, message: Message, allowPrivate: boolean): Promise<Outcome> {
  const begin = Date.now();
  const elapsed = () => Date.now() - begin;
  try {
    const { status, response, retryAfter } = await post(new URL(url), message, allowPrivate);
    const error = status >= 200 && status < 300 ? undefined : statusError(status);
    return { status, response, error, duration: elapsed(), retryAfter };
  } catch (error) {
    return { error: errorReason(error as Error), response: '', duration: elapsed(), unanswered: true };
  }
}

const statusError = (status: number): string =>
  status >= 300 && status < 400
    ? `It answered with the status ${status}; redirects are not followed.`
    : `It answered with the status ${status}.`;

const errorReason = (error: Error): string =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? `It did not answer within ${TIMEOUT / SECOND} seconds.`
    : shorten(`It cannot be reached: ${error.message || (error as { code?: string }).code}`, 500);

interface Answer {
  status: number;
  response: string;
  retryAfter: number | undefined;
}

/** Statuses with which a receiver may say when to come again. */
const waitOf = (status: number, header: string | undefined): number | undefined =>
  header !== undefined && [429, 503].includes(status) ? parseRetryAfter(header.trim()) : undefined;

async function post(url: URL, { body, headers }: Message, allowPrivate: boolean) {
  if (!allowPrivate) requirePublicHost(url.hostname);
  const { request } = url.protocol === 'https:' ? https : http;
  const signal = AbortSignal.timeout(TIMEOUT);
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal,
        ...(!allowPrivate && { lookup: publicLookup }),
      },
      (incoming) =>
        readExcerpt(incoming).then((response) => {
          outgoing.destroy();
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, response, retryAfter: waitOf(status, headers['retry-after']) });
        }, reject),
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** The beginning of the body as text that PostgreSQL accepts: well-formed and without NUL. */
async function readExcerpt(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_RESPONSE_BYTES) break;
  }
  return shorten(Buffer.concat(chunks).toString().replaceAll('\0', ''), MAX_EXCERPT_LENGTH);
}
