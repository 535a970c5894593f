import type { DocumentNode, ExecutionResult } from 'graphql';
import { DomainError, notUtf8 } from '../../domain/kernel/errors.ts';
import { excessOf, type JsonBounds } from '../../lib/json-bounds.ts';
import { utf8 } from '../../lib/utf8.ts';
import type { GraphContext } from '../engine/context.ts';

/** A request whose document is parsed and validated. */
export interface DirectRequest {
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Record<string, unknown> | null;
  contextValue: GraphContext;
}

/** Bounds of the cache, in characters: a parsed document takes some hundred bytes for each character of its text. */
const CACHE_CHARACTERS = 500_000;
const MAX_TEXT_LENGTH = 10_000;

/** Valid documents by their text; the least recently used is evicted. */
export class DocumentCache {
  readonly #byText = new Map<string, DocumentNode>();
  #characters = 0;

  get(text: string): DocumentNode | undefined {
    const document = this.#byText.get(text);
    if (document) this.#put(text, document);
    return document;
  }

  add(document: DocumentNode): void {
    const text = document.loc?.source.body;
    if (text === undefined || text.length > MAX_TEXT_LENGTH) return;
    this.#put(text, document);
    for (const oldest of this.#byText.keys()) {
      if (this.#characters <= CACHE_CHARACTERS) break;
      this.#delete(oldest);
    }
  }

  #put(text: string, document: DocumentNode): void {
    this.#delete(text);
    this.#byText.set(text, document);
    this.#characters += text.length;
  }

  #delete(text: string): void {
    if (this.#byText.delete(text)) this.#characters -= text.length;
  }
}

/** The media type of the response; undefined where the client does not prefer one of the two that are JSON. */
function answerType(headers: Headers): string | undefined {
  const accept = headers.get('accept') ?? '*/*';
  if (accept === '*/*') return 'application/json';
  return /^application\/(?:graphql-response\+)?json\b/i.exec(accept)?.[0].toLowerCase();
}

const MEMBERS = new Set(['query', 'operationName', 'variables']);

/** The request in a body; undefined unless its document is cached and each member has the right type. Yoga handles the others. */
function read(body: string, documents: DocumentCache): Omit<DirectRequest, 'contextValue'> | undefined {
  if (body.length > 2 * MAX_TEXT_LENGTH) return undefined;
  let params: unknown;
  try {
    params = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (
    params === null ||
    typeof params !== 'object' ||
    !Object.keys(params).every((name) => MEMBERS.has(name))
  )
    return undefined;
  const { query, operationName, variables } = params as Record<string, unknown>;
  const document = typeof query === 'string' ? documents.get(query) : undefined;
  if (!document || Array.isArray(variables) || typeof (variables ?? {}) !== 'object') return undefined;
  if (typeof (operationName ?? '') !== 'string') return undefined;
  return {
    document,
    operationName: operationName as string | null | undefined,
    variableValues: variables as DirectRequest['variableValues'],
  };
}

export interface Direct {
  documents: DocumentCache;
  bounds: JsonBounds;
  perform: (request: DirectRequest) => Promise<ExecutionResult>;
  /** Handles all other requests. */
  fallback: (request: Request, context: GraphContext) => Response | Promise<Response>;
}

/**
 * The fast path for repeated requests: a cached document, sent as JSON (which graph/http/http.ts checks) and answered as
 * JSON. Every other request, and one that is rejected before it runs, goes to `fallback`, which implements all of GraphQL
 * over HTTP.
 */
export async function answerDirectly(
  { documents, bounds, perform, fallback }: Direct,
  request: Request,
  contextValue: GraphContext,
): Promise<Response> {
  const { method, headers, url } = request;
  if (method !== 'POST') return fallback(request, contextValue);
  const type = answerType(headers);
  // A long-lived response ends with its caller. Reading the signal makes the server build a whole Request.
  const signal = type ? undefined : request.signal;
  const body = utf8(await request.arrayBuffer());
  if (body === undefined) throw notUtf8();
  requireWithin(body, bounds);
  const parsed = type && read(body, documents);
  const answer = parsed && (await answered({ ...parsed, contextValue }, perform));
  if (answer) return new Response(answer, { headers: { 'content-type': `${type}; charset=utf-8` } });
  return fallback(new Request(url, { method, headers, body, signal }), contextValue);
}

/** Throws COST_LIMIT_EXCEEDED for a body that is expensive to parse. */
function requireWithin(body: string, bounds: JsonBounds): void {
  const excess = excessOf(body, bounds);
  if (excess) throw new DomainError('COST_LIMIT_EXCEEDED', `A request holds at most ${excess}.`);
}

/** The response body; undefined where the operation was rejected before it ran. */
async function answered(request: DirectRequest, perform: Direct['perform']): Promise<string | undefined> {
  const result = await perform(request);
  return 'data' in result ? JSON.stringify(result) : undefined;
}
