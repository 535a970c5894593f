import type { ExecutionResult } from 'graphql';
import { jsonPieces, LARGE } from '../../lib/json-pieces.ts';
import { inSlices } from '../../lib/slices.ts';
import { textStream } from '../../lib/text/text-stream.ts';

/** The data of large responses. */
const large = new WeakSet<object>();

/** To be called with the size of a result before its body is made. */
export function noteSize({ data }: ExecutionResult, bytes: number): void {
  if (data && bytes >= LARGE) large.add(data);
}

/** The body of a response: JSON text, or of a large one a stream of it. */
export const bodyOf = (result: ExecutionResult): string | ReadableStream<Uint8Array<ArrayBuffer>> =>
  result.data && large.has(result.data) ? textStream(inSlices(jsonPieces(result))) : JSON.stringify(result);

function* event(result: ExecutionResult): Generator<string, void> {
  yield 'event: next\ndata: ';
  yield* jsonPieces(result);
  yield '\n\nevent: complete\ndata:\n\n';
}

/** The response with a large result for a client with this Accept; undefined for others, and for other media types. */
export function largeResponse(result: ExecutionResult, accept: string): Response | undefined {
  if (!result.data || !large.has(result.data)) return undefined;
  const json = /application\/(?:graphql-response\+)?json\b|(?:\*|application)\/\*/i.exec(accept)?.[0];
  if (json) return respond(jsonPieces(result), json.endsWith('*') ? 'application/json' : json.toLowerCase());
  return /text\/(?:event-stream|\*)/i.test(accept) ? respond(event(result), 'text/event-stream') : undefined;
}

const respond = (pieces: Iterable<string>, type: string): Response =>
  new Response(textStream(inSlices(pieces)), { headers: { 'content-type': `${type}; charset=utf-8` } });
