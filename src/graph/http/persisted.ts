import { createHash } from 'node:crypto';
import { parse, validate } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import { schema } from '../schema/schema.ts';

/** Registered operations by id, which is as a rule the SHA-256 of their text in hex. */
export interface PersistedOperations {
  readonly byHash: ReadonlyMap<string, string>;
  /** Whether only registered operations are run. */
  readonly only: boolean;
}

/** Unchecked members of a request. */
interface Params {
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
    const [fault] = validate(schema, parse(text));
    if (fault) throw new Error(`${fault.message} In: ${text}`);
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

/**
 * The text of a request's operation: by `documentId` (GraphQL over HTTP, appendix A), by the hash in
 * `extensions.persistedQuery`, or from `query`. Undefined without any of them, which Yoga rejects. Requests never register
 * an operation. Throws PERSISTED_QUERY_NOT_FOUND; FORBIDDEN for others where only registered operations are run.
 */
export function textOf(
  { query, documentId, extensions }: Params,
  { byHash, only }: PersistedOperations,
): string | undefined {
  const hash = documentId ?? hashIn(extensions);
  if (hash !== undefined) {
    const text = typeof hash === 'string' ? byHash.get(withoutAlgorithm(hash)) : undefined;
    if (text === undefined || (query != null && query !== text))
      throw new DomainError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    return text;
  }
  if (typeof query !== 'string') return undefined;
  if (only && !byHash.has(hashOf(query)))
    throw new DomainError('FORBIDDEN', 'Only operations that were registered are run here.');
  return query;
}

const hashIn = (extensions: unknown): unknown =>
  (extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery
    ?.sha256Hash;
