import { type Context as Call, Hono, type MiddlewareHandler } from 'hono';
import type { Context } from '../domain/context.ts';
import { notUtf8 } from '../domain/errors.ts';
import { admit, runStored } from '../graph/execute.ts';
import { utf8 } from '../lib/utf8.ts';
import { apiKeyRows } from './api-keys.ts';
import { approvalRows } from './approvals.ts';
import { choiceRows } from './choices.ts';
import { conditions, isKnown } from './conditional.ts';
import { countRows } from './counts.ts';
import { documentHistoryRows } from './document-history.ts';
import { documentRows } from './documents.ts';
import { fieldRows } from './fields.ts';
import { folderRows } from './folders.ts';
import { submissionRows } from './form-submissions.ts';
import { formRows } from './forms.ts';
import { publicFormRows } from './forms-public.ts';
import { memberRows } from './members.ts';
import { organizationRows } from './organizations.ts';
import { Body, Members, readBody } from './read.ts';
import { failure, isLasting, problem, type Reply, send, written } from './reply.ts';
import type { RestRequest, Row } from './row.ts';
import { searchRows } from './search.ts';
import { signatureFormRows } from './signature-forms.ts';
import { signatureSessionRows } from './signature-sessions.ts';
import { signatureTemplateRows } from './signature-templates.ts';
import { signingRows } from './signing.ts';
import { taskRows } from './tasks.ts';
import { uploadRows } from './uploads.ts';
import { userRows } from './user.ts';
import { END } from './wire.ts';

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
  ...submissionRows,
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
  contextOf: (call: Call, link?: string) => Promise<Context>;
  clientOf: (call: Call) => Context['client'];
  /** Carries out at most once what its sender gave a key, and gives the first answer again. */
  once: (
    ctx: Context,
    named: { key: string; request: string },
    work: (ctx: Context) => Promise<{ answer: string; keep: boolean }>,
  ) => Promise<{ answer: string; replayed: boolean }>;
  report: (error: unknown, requestId: string) => void;
  newRequestId: (call: Call) => string;
  pageSize: number;
  /** Throws TOO_LARGE. */
  bodyWithin: MiddlewareHandler;
}

/** REST v1: every route is a row over a stored operation. */
export function restDoor(door: RestDoor, routes: Row[] = rows): Hono {
  const app = new Hono();
  for (const each of routes)
    for (const path of [each.path, ...(each.aliases ?? [])])
      app.on(each.method, path, door.bodyWithin, (call) => answer(door, each, call));
  app.notFound((call) =>
    send(call, problem(404, 'There is nothing at this address.', door.newRequestId(call))),
  );
  app.onError((error, call) => send(call, failure(door, call, error)));
  return app;
}

async function answer(door: RestDoor, row: Row, call: Call): Promise<Response> {
  // Hono answers HEAD as GET; where that changes something, nobody may believe it safe (RFC 9110 §9.2.1).
  if (call.req.method === 'HEAD' && row.scope === 'write') {
    const refused = problem(405, 'Ask with GET: it changes something.', door.newRequestId(call));
    return send(call, { ...refused, headers: { Allow: 'GET' } });
  }
  const link = row.link?.(await read(door, row, call));
  const known = await door.contextOf(call, link);
  const ctx = { ...known, client: door.clientOf(call) };
  call.header('Cache-Control', 'no-store');
  admit(ctx, row.scope);
  const key = row.method === 'GET' ? undefined : call.req.header('idempotency-key');
  if (key === undefined) return send(call, await perform(door, row, call, ctx));
  const named = { key, request: await textOf(call) };
  const { answer: kept, replayed } = await door.once(ctx, named, async (claimed) => {
    try {
      return { answer: JSON.stringify(await perform(door, row, call, claimed)), keep: true };
    } catch (error) {
      return { answer: JSON.stringify(failure(door, call, error)), keep: isLasting(error) };
    }
  });
  if (replayed) call.header('Idempotency-Replayed', 'true');
  return send(call, JSON.parse(kept));
}

async function perform(door: RestDoor, row: Row, call: Call, ctx: Context): Promise<Reply> {
  const request = await read(door, row, call);
  const { execute, tag } = conditions((operation, variables) => runStored(operation, variables, ctx), {
    ifMatch: row.method === 'GET' ? undefined : call.req.header('if-match'),
    path: Object.values(request.path),
  });
  const reply = written(await row.run(request, execute));
  if (row.method !== 'GET' || row.scope !== 'read' || reply.pieces) return reply;
  const headers = { ETag: tag(reply.content) };
  const known = isKnown(call.req.header('if-none-match'), headers.ETag);
  return known ? { status: 304 as 200, content: '', headers } : { ...reply, headers };
}

/** Throws BAD_USER_INPUT where it is no UTF-8. */
async function bodyOf({ req }: Call): Promise<string> {
  const text = req.method === 'GET' ? '' : utf8(await req.arrayBuffer());
  if (text === undefined) throw notUtf8();
  return text;
}

/** All that makes a request what it is, beside who sends it. */
async function textOf(call: Call): Promise<string> {
  const { req } = call;
  const { pathname, search } = new URL(req.url);
  return JSON.stringify([req.method, pathname + search, req.header('if-match'), await bodyOf(call)]);
}

async function read({ pageSize }: RestDoor, row: Row, call: Call): Promise<RestRequest> {
  const query = new Members(new URL(call.req.url).searchParams);
  const cursor = query.text('cursor');
  const ended = cursor === '' || cursor === END;
  const text = await bodyOf(call);
  return {
    path: call.req.param(),
    query,
    body: row.takesText?.(query) ? new Body(text) : readBody(text),
    page: { first: ended ? 0 : pageSize, after: ended ? null : (cursor ?? null) },
  };
}
