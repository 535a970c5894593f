import type { Context as Call } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { jsonPieces, LARGE } from '../../lib/json-pieces.ts';
import { inSlices } from '../../lib/slices.ts';
import { textStream } from '../../lib/text/text-stream.ts';
import { PlainText, StreamedText } from './text-reply.ts';

/** A reply before it is sent, and as it is stored for an Idempotency-Key. */
export interface Reply {
  status: ContentfulStatusCode;
  /** The media type; undefined for an empty body. */
  type?: string;
  content: string;
  /** Text to send after the content, as it is produced. An error in it breaks the connection off. */
  pieces?: AsyncIterable<string>;
  headers?: Record<string, string>;
}

/** The reply for what a route returned, `bytes` of data. Success is exactly 200. */
export function replyOf(result: unknown, bytes = 0): Reply {
  if (result === undefined) return { status: 200, content: '' };
  if (result instanceof StreamedText) return streamReply(result);
  if (result instanceof PlainText)
    return { status: 200, type: `${result.type}; charset=utf-8`, content: result.text };
  const json = { status: 200 as const, type: 'application/json' };
  return bytes < LARGE
    ? { ...json, content: JSON.stringify(result) }
    : { ...json, content: '', pieces: inSlices(jsonPieces(result)) };
}

/** The same reply, to be stored. */
export async function inOnePiece({ pieces, ...reply }: Reply): Promise<Reply> {
  if (!pieces) return reply;
  let { content } = reply;
  for await (const piece of pieces) content += piece;
  return { ...reply, content };
}

const streamReply = ({ type, name, pieces }: StreamedText): Reply => ({
  status: 200,
  type: `${type}; charset=utf-8`,
  content: '',
  pieces,
  headers: {
    'Content-Disposition': `attachment; filename="${name}"`,
  },
});

/** The media type of problems (RFC 9457), which is sent to clients that name it in Accept; others get JSON. */
export const PROBLEM_JSON = 'application/problem+json';

const acceptedType = (call: Call, type: string): string =>
  type !== PROBLEM_JSON || call.req.header('accept')?.includes(PROBLEM_JSON) ? type : 'application/json';

export function sendReply(call: Call, { status, type, content, pieces, headers = {} }: Reply): Response {
  for (const [name, value] of Object.entries(headers)) call.header(name, value);
  if (!type) return call.body(null, status as 200);
  if (type === PROBLEM_JSON) call.header('Vary', 'Accept', { append: true });
  return call.body(pieces ? textStream(pieces) : content, status, {
    'Content-Type': acceptedType(call, type),
  });
}
