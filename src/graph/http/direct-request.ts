import type { DocumentNode, ExecutionResult } from 'graphql';
import { DomainError, notUtf8 } from '../../domain/kernel/errors.ts';
import { excessOf, type JsonBounds } from '../../lib/json-bounds.ts';
import { JsonBytes } from '../../lib/json-bytes.ts';
import { utf8 } from '../../lib/utf8.ts';
import { answerBytes } from '../engine/answer-bytes.ts';
import type { GraphContext } from '../engine/context.ts';

/** What a request says beside its text. */
export interface DirectRequest {
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Record<string, unknown> | null;
  contextValue: GraphContext;
  /** Where the answer is wanted as JSON only. */
  json?: JsonBytes;
}

/** A parsed text takes some hundred times its characters: these bound what clients can make us keep. */
const CHARACTERS = 500_000;
const LONGEST = 10_000;

/** The documents that were found valid, by their text; those that were not asked for longest go first. */
export class DocumentCache {
  readonly #byText = new Map<string, DocumentNode>();
  #characters = 0;

  get(text: string): DocumentNode | undefined {
    const document = this.#byText.get(text);
    if (document) this.#keep(text, document);
    return document;
  }

  add(document: DocumentNode): void {
    const text = document.loc?.source.body;
    if (text === undefined || text.length > LONGEST) return;
    this.#keep(text, document);
    for (const oldest of this.#byText.keys()) {
      if (this.#characters <= CHARACTERS) break;
      this.#drop(oldest);
    }
  }

  #keep(text: string, document: DocumentNode): void {
    this.#drop(text);
    this.#byText.set(text, document);
    this.#characters += text.length;
  }

  #drop(text: string): void {
    if (this.#byText.delete(text)) this.#characters -= text.length;
  }
}

/** The media type to answer with, for a client that takes one of the two first of all. */
function answerType(headers: Headers): string | undefined {
  const accept = headers.get('accept') ?? '*/*';
  if (accept === '*/*') return 'application/json';
  return /^application\/(?:graphql-response\+)?json\b/i.exec(accept)?.[0].toLowerCase();
}

/** Bytes for what is written of an answer, to begin with: as many as the last time, within these bounds. */
const LEAST = 4_096;
const MOST = 262_144;

const lengths = new WeakMap<DocumentNode, number>();

const jsonFor = (document: DocumentNode): JsonBytes =>
  new JsonBytes(Math.min(Math.max(lengths.get(document) ?? 0, LEAST), MOST));

const MEMBERS = new Set(['query', 'operationName', 'variables']);

/** What is long takes the long way, where it is looked at more closely. Undefined unless it is the text of a known document and what belongs to it, each of its type. */
function read(body: string, known: DocumentCache): Omit<DirectRequest, 'contextValue'> | undefined {
  if (body.length > 2 * LONGEST) return undefined;
  let asked: unknown;
  try {
    asked = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (asked === null || typeof asked !== 'object' || !Object.keys(asked).every((name) => MEMBERS.has(name)))
    return undefined;
  const { query, operationName, variables } = asked as Record<string, unknown>;
  const document = typeof query === 'string' ? known.get(query) : undefined;
  if (!document || Array.isArray(variables) || typeof (variables ?? {}) !== 'object') return undefined;
  if (typeof (operationName ?? '') !== 'string') return undefined;
  return {
    document,
    operationName: operationName as string | null | undefined,
    variableValues: variables as DirectRequest['variableValues'],
  };
}

export interface Direct {
  known: DocumentCache;
  bounds: JsonBounds;
  perform: (asked: DirectRequest) => Promise<ExecutionResult>;
  /** Answers everything else. */
  otherwise: (request: Request, context: GraphContext) => Response | Promise<Response>;
}

/**
 * The short way for what is asked again and again: a known document, sent as JSON (which graph/http.ts sees to) and
 * answered as JSON. Anything else, and what is refused before it runs, is answered the long way, which knows all of
 * GraphQL over HTTP.
 */
export async function answerDirectly(
  { known, bounds, perform, otherwise }: Direct,
  request: Request,
  contextValue: GraphContext,
): Promise<Response> {
  const { method, headers, url } = request;
  if (method !== 'POST') return otherwise(request, contextValue);
  const type = answerType(headers);
  // What may last ends with its caller. To ask for the signal costs making a whole request of what came.
  const signal = type ? undefined : request.signal;
  const body = utf8(await request.arrayBuffer());
  if (body === undefined) throw notUtf8();
  requireWithin(body, bounds);
  const asked = type && read(body, known);
  const answer =
    asked && (await answered({ ...asked, contextValue, json: jsonFor(asked.document) }, perform));
  if (answer) return new Response(answer, { headers: { 'content-type': `${type}; charset=utf-8` } });
  return otherwise(new Request(url, { method, headers, body, signal }), contextValue);
}

/** Throws COST_LIMIT_EXCEEDED for a body that is dear to parse and to check. */
function requireWithin(body: string, bounds: JsonBounds): void {
  const excess = excessOf(body, bounds);
  if (excess) throw new DomainError('COST_LIMIT_EXCEEDED', `A request holds at most ${excess}.`);
}

/** Undefined where the operation was not run. */
async function answered(
  asked: DirectRequest & { json: JsonBytes },
  perform: Direct['perform'],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const result = await perform(asked);
  if (!('data' in result)) return undefined;
  lengths.set(asked.document, asked.json.length);
  return answerBytes(result, asked.json);
}
