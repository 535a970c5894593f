import type { Context as Call } from 'hono';
import { networkOf } from '../auth/client-address.ts';
import type { Session } from '../auth/session.ts';
import {
  InvalidMetadata,
  isMetadataUrl,
  metadataUrlError,
  readClientMetadata,
} from '../domain/oauth/clients/client-metadata.ts';
import { isMetadataFresh, storeClientMetadata } from '../domain/oauth/clients/described-client.ts';
import { type FetchExceptions, type FetchedText, fetchPublic } from '../lib/http/fetch-public.ts';
import { memoize } from '../lib/memoize.ts';
import { DAY, MINUTE, SECOND } from '../lib/time.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { sessionFor } from './authorizing-session.ts';
import { signInHref } from './consent-page.ts';
import { invalidRequest } from './errors.ts';
import type { Parameters } from './parameters.ts';
import { requireNoWait } from './rate-limits.ts';

const FETCH = { maxBytes: 5_120, timeout: 3 * SECOND };

/** Fetches a minute: for one person, for one network, and in all, so that nobody can make this server call others at will. */
const FETCHES = { person: 10, network: 20, all: 120 };

/** How long a document is used, in ms, whatever its Cache-Control says; without one, the default. */
const LIFETIME = { least: 5 * MINUTE, default: 60 * MINUTE, most: DAY };

/** How long a failure is remembered, in ms, and of how many URLs. */
const FAILURE_LIFETIME = MINUTE;
const MAX_FAILURES = 1_000;

/** The documents that describe applications, as this process reads them. */
export class ClientDocuments {
  readonly #exceptions: FetchExceptions | undefined;
  readonly #pending = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, { reason: string; until: number }>();

  constructor(exceptions?: FetchExceptions) {
    this.#exceptions = exceptions;
  }

  /** Reads the document of a URL unless what is stored of it is fresh. Throws invalid_request with what is wrong with it. */
  async require(server: AuthorizationServer, url: string, countFetch: () => Promise<void>): Promise<void> {
    if (await isMetadataFresh(server.db, url)) return;
    const failure = this.#failures.get(url);
    if (failure && failure.until > performance.now()) throw invalidDocument(failure.reason);
    if (!this.#pending.has(url)) await countFetch();
    await memoize(this.#pending, url, () => this.#read(server, url).finally(() => this.#pending.delete(url)));
  }

  async #read({ db }: AuthorizationServer, url: string): Promise<void> {
    const answer = await fetchPublic(new URL(url), FETCH, this.#exceptions).catch((error: Error) =>
      this.#fail(url, reasonOf(error)),
    );
    try {
      await storeClientMetadata(db, url, readClientMetadata(url, jsonOf(answer)), lifetimeOf(answer));
    } catch (error) {
      if (error instanceof InvalidMetadata) this.#fail(url, error.message);
      throw error;
    }
  }

  #fail(url: string, reason: string): never {
    this.#failures.delete(url);
    this.#failures.set(url, { reason, until: performance.now() + FAILURE_LIFETIME });
    if (this.#failures.size > MAX_FAILURES)
      this.#failures.delete(this.#failures.keys().next().value as string);
    throw invalidDocument(reason);
  }
}

/** Texts of OAuth errors are ASCII without quotes and backslashes (RFC 6749 §5.2). */
const invalidDocument = (reason: string) =>
  invalidRequest(`The document of client_id cannot be used: ${reason.replace(/[^ !#-[\]-~]/g, '?')}.`);

/** What a failure of the network says of hosts and ports is not for strangers, who could map networks with it. */
const reasonOf = ({ message }: Error): string =>
  message.startsWith('it has more than') ? message : 'it could not be read';

function jsonOf({ status, headers, body }: FetchedText): string {
  if (status !== 200) throw new InvalidMetadata('it could not be read');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type))
    throw new InvalidMetadata('it is not application/json');
  return body;
}

/** RFC 9111 §5.2.2, within our bounds. */
function lifetimeOf({ headers }: FetchedText): number {
  const control = headers['cache-control'] ?? '';
  if (/(^|[\s,])no-(store|cache)\b/i.test(control)) return LIFETIME.least;
  const seconds = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control)?.[1];
  const age = seconds === undefined ? LIFETIME.default : Number(seconds) * SECOND;
  return Math.min(Math.max(age, LIFETIME.least), LIFETIME.most);
}

/**
 * Before the client of an authorization request is looked up: reads the document that its client_id names. Only for a person who is
 * signed in; for others, returns the URL where to sign in first. Throws invalid_request.
 */
export async function signInForDocument(
  server: AuthorizationServer,
  call: Call,
  query: string,
  parameters: Parameters,
): Promise<string | undefined> {
  const { documents } = server;
  const clientId = parameters.value('client_id');
  if (!documents || clientId === undefined || !isMetadataUrl(clientId)) return undefined;
  const fault = metadataUrlError(clientId);
  if (fault) throw invalidRequest(`client_id ${fault}.`);
  const session = await sessionFor(server, call.req.raw.headers);
  if (!session) return signInHref(query);
  await documents.require(server, clientId, () => countFetch(server, call, session));
  return undefined;
}

async function countFetch(server: AuthorizationServer, call: Call, { viewer }: Session): Promise<void> {
  const { rateLimiter, addressOf } = server;
  for (const [key, limit] of [
    [`document ${viewer.userId}`, FETCHES.person],
    [`document ${networkOf(addressOf(call))}`, FETCHES.network],
    ['documents', FETCHES.all],
  ] as const)
    requireNoWait(await rateLimiter.take(key, limit));
}
