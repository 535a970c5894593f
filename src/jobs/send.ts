import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Message } from '../domain/webhooks/webhook-payload.ts';
import type { Outcome } from '../domain/webhooks/webhook-run.ts';
import { SECOND } from '../lib/time.ts';
import { publicLookup, requirePublicHost } from './address-filter.ts';

/** For all of it: the look-up, the connection, the request and the response. */
const LIMIT = 5 * SECOND;

/** Characters of the response that are kept, and bytes that are read. */
const EXCERPT = 1_000;
const MOST = 16_384;

/**
 * POSTs a message. It goes to public addresses alone, unless `allowPrivate` (for who runs the server and its receivers on
 * one network); follows no redirect; and gives up after five seconds. Never throws: what went wrong is in the outcome.
 */
export async function send(url: string, message: Message, allowPrivate: boolean): Promise<Outcome> {
  const started = Date.now();
  const took = () => Date.now() - started;
  try {
    const { status, response } = await post(new URL(url), message, allowPrivate);
    const error = status >= 200 && status < 300 ? undefined : faultOf(status);
    return { status, response, error, duration: took() };
  } catch (error) {
    return { error: reasonOf(error as Error), response: '', duration: took(), unanswered: true };
  }
}

const faultOf = (status: number): string =>
  status >= 300 && status < 400
    ? `It answered with the status ${status}; redirects are not followed.`
    : `It answered with the status ${status}.`;

const reasonOf = (error: Error): string =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? `It did not answer within ${LIMIT / SECOND} seconds.`
    : `It cannot be reached: ${error.message || (error as { code?: string }).code}`.slice(0, 500);

async function post(url: URL, { body, headers }: Message, allowPrivate: boolean) {
  if (!allowPrivate) requirePublicHost(url.hostname);
  const { request } = url.protocol === 'https:' ? https : http;
  const signal = AbortSignal.timeout(LIMIT);
  return new Promise<{ status: number; response: string }>((resolve, reject) => {
    const asking = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal,
        ...(!allowPrivate && { lookup: publicLookup }),
      },
      (answer) =>
        beginning(answer).then((response) => {
          asking.destroy();
          resolve({ status: answer.statusCode ?? 0, response });
        }, reject),
    );
    asking.once('error', reject);
    asking.end(body);
  });
}

/** As text that the database can keep. */
async function beginning(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST) break;
  }
  return Buffer.concat(chunks).toString().replaceAll('\0', '').slice(0, EXCERPT).toWellFormed();
}
