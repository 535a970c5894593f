import { createHash } from 'node:crypto';
import { parse, validate } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import { schema } from '../schema/schema.ts';

/** Operations that were registered before, by their ids: as a rule the SHA-256 of their text in hex. */
export interface PersistedOperations {
  readonly byHash: ReadonlyMap<string, string>;
  /** Nothing else is run. */
  readonly only: boolean;
}

/** What a request says of itself, each of any type. */
interface Params {
  query?: unknown;
  documentId?: unknown;
  extensions?: unknown;
}

/** An id with or without the name of its algorithm, which is left out here. */
const plain = (id: string): string => id.replace(/^sha256:/, '');

/**
 * Reads a manifest: `{id: text}`, as graphql-codegen's client preset writes it, or Apollo's, which lists operations with
 * `id` and `body`. Each is found by its id and by the hash of its text. Throws for an operation that the graph does not
 * have, so that it shows at the start.
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
  return new Map(entries.flatMap(([id, text]) => [id, hashOf(text)].map((each) => [plain(each), text])));
}

interface Registered {
  id: string;
  body: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The text that a request stands for: by `documentId` (GraphQL over HTTP, appendix A), by the hash in
 * `extensions.persistedQuery`, or the text itself. Undefined where it names none and has none, which others refuse.
 * Nothing is ever registered by a request.
 */
export function textOf(
  { query, documentId, extensions }: Params,
  { byHash, only }: PersistedOperations,
): string | undefined {
  const hash = documentId ?? sent(extensions);
  if (hash !== undefined) {
    const text = typeof hash === 'string' ? byHash.get(plain(hash)) : undefined;
    if (text === undefined || (query != null && query !== text))
      throw new DomainError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    return text;
  }
  if (typeof query !== 'string') return undefined;
  if (only && !byHash.has(hashOf(query)))
    throw new DomainError('FORBIDDEN', 'Only operations that were registered are run here.');
  return query;
}

const sent = (extensions: unknown): unknown =>
  (extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery
    ?.sha256Hash;
