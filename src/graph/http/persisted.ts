import { createHash } from 'node:crypto';
import { parse, validate } from 'graphql';
import { badInput, DomainError } from '../../domain/kernel/errors.ts';
import { FairCache } from '../../lib/fair-cache.ts';
import { schema } from '../schema/schema.ts';

/** Registered operations by id, usually the SHA-256 of their text in hex. */
export interface PersistedOperations {
  readonly byHash: ReadonlyMap<string, string>;
  /** Whether only registered operations are run. */
  readonly only: boolean;
}

/** Unchecked members of a request. */
export interface OperationParams {
  query?: unknown;
  documentId?: unknown;
  extensions?: unknown;
}

/** An id without the name of its hash algorithm. */
const withoutAlgorithm = (id: string): string => id.replace(/^sha256:/, '');

/**
 * Reads a manifest: `{id: text}`, as graphql-codegen's client preset writes it, or Apollo's, which lists operations with
 * `id` and `body`. Each is indexed by its id and by the hash of its text. Throws for an operation that is not valid for the
 * schema, so that the server does not start with it.
 */
export function readManifest(json: string): ReadonlyMap<string, string> {
  const manifest = JSON.parse(json) as Record<string, unknown> & { operations?: Registered[] };
  const entries: [string, string][] = Array.isArray(manifest.operations)
    ? manifest.operations.map(({ id, body }) => [id, body])
    : (Object.entries(manifest) as [string, string][]);
  for (const [, text] of entries) {
    const [error] = validate(schema, parse(text));
    if (error) throw new Error(`${error.message} In: ${text}`);
  }
  return new Map(
    entries.flatMap(([id, text]) => [id, hashOf(text)].map((each) => [withoutAlgorithm(each), text])),
  );
}

interface Registered {
  id: string;
  body: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Bytes of all texts that clients have sent with their hash to this process, and characters of one of them. */
const CAPACITY = 8 * 2 ** 20;
const MAX_TEXT_LENGTH = 50_000;
const BYTES_PER_CHARACTER = 2;

/**
 * Finds the text of a request's operation: by `documentId` (GraphQL over HTTP, appendix A), by the hash in
 * `extensions.persistedQuery`, or in `query`. A text that comes with its hash is kept for its organization, as clients of
 * automatic persisted queries expect; an organization never displaces the texts of another.
 */
export class OperationTexts {
  readonly #registered: PersistedOperations;
  readonly #sent = new FairCache<string>(CAPACITY);

  constructor(registered: PersistedOperations = { byHash: new Map(), only: false }) {
    this.#registered = registered;
  }

  /**
   * Undefined for a request without text, id and hash, which Yoga rejects. Throws PERSISTED_QUERY_NOT_FOUND for an unknown id,
   * BAD_USER_INPUT for a hash that is not the text's, FORBIDDEN for other operations if only registered ones may run.
   */
  textOf({ query, documentId, extensions }: OperationParams, tenant = ''): string | undefined {
    const id = documentId ?? hashIn(extensions);
    if (id === undefined) return typeof query === 'string' ? this.#permitted(query) : undefined;
    const hash = typeof id === 'string' ? withoutAlgorithm(id) : '';
    const registered = this.#registered.byHash.get(hash);
    if (typeof query !== 'string') return registered ?? this.#sentBefore(tenant, hash);
    if (registered === query) return query;
    if (registered !== undefined || hash !== hashOf(query))
      throw badInput('The id or hash belongs to another text than `query`.');
    this.#permitted(query);
    if (query.length <= MAX_TEXT_LENGTH)
      this.#sent.set(tenant, hash, query, BYTES_PER_CHARACTER * query.length);
    return query;
  }

  #permitted(text: string): string {
    const { byHash, only } = this.#registered;
    if (only && !byHash.has(hashOf(text)))
      throw new DomainError('FORBIDDEN', 'Only registered operations can be run.');
    return text;
  }

  #sentBefore(tenant: string, hash: string): string {
    const text = this.#sent.get(tenant, hash);
    // Clients compare this text.
    if (text === undefined) throw new DomainError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    return text;
  }
}

const hashIn = (extensions: unknown): unknown =>
  (extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery
    ?.sha256Hash;
