import type { DocumentNode, ExecutionResult } from 'graphql';
import { DomainError, notUtf8 } from '../../domain/kernel/errors.ts';
import { excessOf, type JsonBounds } from '../../lib/json-bounds.ts';
import { utf8 } from '../../lib/text/utf8.ts';
import type { GraphContext } from '../engine/context.ts';
import type { OperationParams } from './persisted.ts';
import { bodyOf } from './response-body.ts';

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

/** The media type of the response; undefined if the client does not prefer one of the two that are JSON. */
function responseType(headers: Headers): string | undefined {
  const accept = headers.get('accept') ?? '*/*';
  if (accept === '*/*') return 'application/json';
  return /^application\/(?:graphql-response\+)?json\b/i.exec(accept)?.[0].toLowerCase();
}

const MEMBERS = new Set(['query', 'operationName', 'variables', 'documentId', 'extensions']);

/** The request in a body; undefined unless its document is cached and each member has the right type. Yoga handles the others. */
function readRequest(
  body: string,
  direct: Direct,
  context: GraphContext,
): Omit<DirectRequest, 'contextValue'> | undefined {
  if (body.length > 2 * MAX_TEXT_LENGTH) return undefined;
  const params = parsedObject(body);
  if (!params || !Object.keys(params).every((name) => MEMBERS.has(name))) return undefined;
  const { operationName, variables, extensions } = params;
  if (!isObjectOrAbsent(variables) || !isObjectOrAbsent(extensions)) return undefined;
  if (typeof (operationName ?? '') !== 'string') return undefined;
  if ((extensions as { explain?: unknown } | null | undefined)?.explain === true) context.explain = true;
  const document = cachedDocument(params, direct, context);
  return (
    document && {
      document,
      operationName: operationName as string | null | undefined,
      variableValues: variables as DirectRequest['variableValues'],
    }
  );
}

function parsedObject(body: string): Record<string, unknown> | undefined {
  try {
    const params: unknown = JSON.parse(body);
    return params !== null && typeof params === 'object' ? (params as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isObjectOrAbsent = (value: unknown): boolean =>
  typeof (value ?? {}) === 'object' && !Array.isArray(value);

/** Undefined for a text that is not found or not permitted as well: Yoga answers with the error. */
function cachedDocument(
  params: OperationParams,
  { documents, textOf }: Direct,
  context: GraphContext,
): DocumentNode | undefined {
  try {
    return documents.get(textOf(params, context) ?? '');
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

export interface Direct {
  documents: DocumentCache;
  bounds: JsonBounds;
  /** The text of the operation, undefined without any. Throws DomainError, as the fallback does. */
  textOf: (params: OperationParams, context: GraphContext) => string | undefined;
  perform: (request: DirectRequest) => Promise<ExecutionResult>;
  /** Handles all other requests. */
  fallback: (request: Request, context: GraphContext) => Response | Promise<Response>;
}

/**
 * The fast path for repeated requests: a cached document, sent as JSON (which graph/http/http.ts checks) and answered as
 * JSON. Every other request, and one that is rejected before it runs, goes to `fallback`, which implements all of GraphQL
 * over HTTP.
 */
export async function respondDirectly(
  direct: Direct,
  request: Request,
  contextValue: GraphContext,
): Promise<Response> {
  const { bounds, perform, fallback } = direct;
  const { method, headers, url } = request;
  if (method !== 'POST') return fallback(request, contextValue);
  const type = responseType(headers);
  // A long-lived response ends when its client disconnects. Reading the signal makes the server build a whole Request.
  const signal = type ? undefined : request.signal;
  const body = utf8(await request.arrayBuffer());
  if (body === undefined) throw notUtf8();
  requireWithin(body, bounds);
  const parsed = type && readRequest(body, direct, contextValue);
  const response = parsed && (await responseBody({ ...parsed, contextValue }, perform));
  if (response) return new Response(response, { headers: { 'content-type': `${type}; charset=utf-8` } });
  return fallback(new Request(url, { method, headers, body, signal }), contextValue);
}

/** Throws COST_LIMIT_EXCEEDED for a body that is expensive to parse. */
function requireWithin(body: string, bounds: JsonBounds): void {
  const excess = excessOf(body, bounds);
  if (excess) throw new DomainError('COST_LIMIT_EXCEEDED', `A request may have at most ${excess}.`);
}

/** The response body; undefined if the operation was rejected before it ran. */
async function responseBody(
  request: DirectRequest,
  perform: Direct['perform'],
): Promise<ReturnType<typeof bodyOf> | undefined> {
  const result = await perform(request);
  return 'data' in result ? bodyOf(result) : undefined;
}
