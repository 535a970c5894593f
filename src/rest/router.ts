import { type Context as Call, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Context } from '../domain/context.ts';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { runStored } from '../graph/execute.ts';
import { apiKeyRows } from './api-keys.ts';
import { approvalRows } from './approvals.ts';
import { choiceRows } from './choices.ts';
import { countRows } from './counts.ts';
import { documentHistoryRows } from './document-history.ts';
import { documentRows } from './documents.ts';
import { fieldRows } from './fields.ts';
import { folderRows } from './folders.ts';
import { formRows } from './forms.ts';
import { publicFormRows } from './forms-public.ts';
import { memberRows } from './members.ts';
import { organizationRows } from './organizations.ts';
import { Body, Members, readBody } from './read.ts';
import type { RestRequest, Row } from './row.ts';
import { searchRows } from './search.ts';
import { signatureFormRows } from './signature-forms.ts';
import { signatureSessionRows } from './signature-sessions.ts';
import { signatureTemplateRows } from './signature-templates.ts';
import { signingRows } from './signing.ts';
import { taskRows } from './tasks.ts';
import { uploadRows } from './uploads.ts';
import { userRows } from './user.ts';
import { END, PlainText } from './wire.ts';

export const rows: Row[] = [
  ...organizationRows,
  ...memberRows,
  ...documentRows,
  ...documentHistoryRows,
  ...uploadRows,
  ...countRows,
  ...folderRows,
  ...fieldRows,
  ...choiceRows,
  ...taskRows,
  ...approvalRows,
  ...formRows,
  ...publicFormRows,
  ...signatureFormRows,
  ...signatureSessionRows,
  ...signatureTemplateRows,
  ...signingRows,
  ...userRows,
  ...apiKeyRows,
  ...searchRows,
];

export interface RestDoor {
  /** With the secret of a public link, what the link opens; otherwise the bearer's. */
  contextOf: (headers: Headers, requestId: string, link?: string) => Promise<Context>;
  clientOf: (call: Call) => Context['client'];
  report: (error: unknown, requestId: string) => void;
  newRequestId: () => string;
  pageSize: number;
  jsonBodyBytes: number;
}

/** REST v1: every route is a row over a stored operation. Success is exactly 200. */
export function restDoor(door: RestDoor, routes: Row[] = rows): Hono {
  const app = new Hono();
  const tooLarge = () => {
    throw new DomainError('TOO_LARGE', `A body holds at most ${door.jsonBodyBytes} bytes.`);
  };
  const limit = bodyLimit({ maxSize: door.jsonBodyBytes, onError: tooLarge });
  for (const each of routes)
    for (const path of [each.path, ...(each.aliases ?? [])])
      app.on(each.method, path, limit, (call) => answer(door, each, call));
  app.notFound((call) => problem(call, 404, 'There is nothing at this address.', door.newRequestId()));
  app.onError((error, call) => failed(door, call, error));
  return app;
}

async function answer(door: RestDoor, row: Row, call: Call): Promise<Response> {
  const link = row.link?.(await read(door, row, call));
  const known = await door.contextOf(call.req.raw.headers, door.newRequestId(), link);
  const ctx = { ...known, client: door.clientOf(call) };
  const request = await read(door, row, call);
  const result = await row.run(request, (operation, variables) => runStored(operation, variables, ctx));
  call.header('Cache-Control', 'no-store');
  if (result instanceof PlainText)
    return call.body(result.text, 200, { 'Content-Type': `${result.type}; charset=utf-8` });
  return result === undefined ? call.body(null) : call.json(result as object);
}

async function read({ pageSize }: RestDoor, row: Row, call: Call): Promise<RestRequest> {
  const query = new Members(new URL(call.req.url).searchParams);
  const cursor = query.text('cursor');
  const ended = cursor === '' || cursor === END;
  const text = call.req.method === 'GET' ? '' : await call.req.text();
  return {
    path: call.req.param(),
    query,
    body: row.takesText?.(query) ? new Body(text) : readBody(text),
    page: { first: ended ? 0 : pageSize, after: ended ? null : (cursor ?? null) },
  };
}

const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  BAD_USER_INPUT: 400,
  CONFLICT: 409,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  COST_LIMIT_EXCEEDED: 400,
  UNAVAILABLE: 503,
};

function failed(door: RestDoor, call: Call, error: unknown): Response {
  const requestId = door.newRequestId();
  if (error instanceof DomainError) {
    if (error.code === 'UNAUTHENTICATED') call.header('WWW-Authenticate', 'Bearer');
    if (error.code === 'INSUFFICIENT_SCOPE')
      call.header('WWW-Authenticate', 'Bearer error="insufficient_scope"');
    return problem(call, STATUS[error.code], error.message, requestId);
  }
  door.report(error, requestId);
  return problem(call, 500, 'Something went wrong on our side.', requestId);
}

/** The contract's `message`, and the members of RFC 9457 beside it. */
const problem = (call: Call, status: ContentfulStatusCode, message: string, requestId: string): Response =>
  call.json({ message, type: 'about:blank', title: message, status, detail: message, requestId }, status);
