import type { Database } from '../../db/database.ts';
import { InvalidMetadata, readClientMetadata } from '../../domain/oauth/clients/client-metadata.ts';
import { isMetadataFresh, storeClientMetadata } from '../../domain/oauth/clients/described-client.ts';
import { type FetchExceptions, type FetchedText, fetchPublic } from '../../lib/http/fetch-public.ts';
import { BodyTooLarge } from '../../lib/http/limited-body.ts';
import { memoize } from '../../lib/memoize.ts';
import { DAY, MINUTE, SECOND } from '../../lib/time.ts';

const FETCH = { maxBytes: 5_120, timeout: 3 * SECOND };

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

  /** Reads the document of a URL unless what is stored of it is fresh. Calls `countFetch`, which throws, before a fetch. Throws InvalidMetadata. */
  async require(db: Database, url: string, countFetch: () => Promise<void>): Promise<void> {
    if (await this.#isFresh(db, url)) return;
    if (!this.#pending.has(url)) await countFetch();
    await memoize(this.#pending, url, () => this.#read(db, url).finally(() => this.#pending.delete(url)));
  }

  /** Throws the failure of a recent fetch as InvalidMetadata. */
  async #isFresh(db: Database, url: string): Promise<boolean> {
    if (await isMetadataFresh(db, url)) return true;
    const failure = this.#failures.get(url);
    if (failure && failure.until > performance.now()) throw new InvalidMetadata(failure.reason);
    return false;
  }

  /** Looks again first: another fetch may have ended since the caller looked. */
  async #read(db: Database, url: string): Promise<void> {
    if (await this.#isFresh(db, url)) return;
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
    throw new InvalidMetadata(reason);
  }
}

/** What a failure of the network says of hosts and ports is not for strangers, who could map networks with it. */
const reasonOf = (error: Error): string =>
  error instanceof BodyTooLarge ? `it has more than ${FETCH.maxBytes} bytes` : 'it could not be read';

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
