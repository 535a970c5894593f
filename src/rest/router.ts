import { type Context as Call, Hono } from 'hono';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError, notUtf8, unauthenticated } from '../domain/kernel/errors.ts';
import { admit, runStored } from '../graph/http/execute.ts';
import { readWithin } from '../lib/request-body.ts';
import { utf8 } from '../lib/utf8.ts';
import { approvalRows } from './approvals/routes.ts';
import { documentHistoryRows } from './documents/history.ts';
import { documentRows } from './documents/routes.ts';
import { choiceRows } from './fields/choices.ts';
import { fieldRows } from './fields/routes.ts';
import { folderRows } from './folders/routes.ts';
import { publicFormRows } from './forms/public-routes.ts';
import { formRows } from './forms/routes.ts';
import { submissionRows } from './forms/submissions.ts';
import { memberRows } from './members/routes.ts';
import { countRows } from './organizations/counts.ts';
import { organizationRows } from './organizations/routes.ts';
import { searchRows } from './search/routes.ts';
import { signatureFormRows } from './signatures/forms.ts';
import { signatureSessionRows } from './signatures/sessions.ts';
import { signatureTemplateRows } from './signatures/templates.ts';
import { signingRows } from './signing/routes.ts';
import { taskRows } from './tasks/routes.ts';
import { uploadRows } from './uploads/routes.ts';
import { apiKeyRows } from './users/api-keys.ts';
import { userRows } from './users/routes.ts';
import { conditions, isKnown } from './wire/conditional.ts';
import { Body, Members, readBody } from './wire/read.ts';
import { failure, isLasting, problem, type Reply, send, written } from './wire/reply.ts';
import type { RestRequest, Row } from './wire/route.ts';
import { END } from './wire/wire.ts';

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

export interface RestRouter {
  /**
   * Counts a request, and gives who sends it: whoever a public link's secret stands for, or else the bearer. Undefined
   * without a live credential. Throws RATE_LIMITED.
   */
  contextOf: (call: Call, link?: string) => Promise<Context | undefined>;
  /** The context of a public link whose secret came in the body of a request that has been counted. */
  contextOfLink: (call: Call, link: string) => Promise<Context>;
  clientOf: (call: Call) => Context['client'];
  /** Carries out at most once what its sender gave a key, and gives the first answer again. */
  once: (
    ctx: Context,
    named: { key: string; request: string },
    work: (ctx: Context) => Promise<{ answer: string; keep: boolean }>,
  ) => Promise<{ answer: string; replayed: boolean }>;
  report: (error: unknown, requestId: string) => void;
  newRequestId: (call: Call) => string;
  limits: { pageSize: number; batchMax: number; jsonBodyBytes: number };
}

/** REST v1: every route is a row over a stored operation. */
export function restRouter(router: RestRouter, routes: Row[] = rows): Hono {
  const app = new Hono();
  for (const each of routes)
    for (const path of [each.path, ...(each.aliases ?? [])])
      app.on(each.method, path, (call) => answer(router, each, call));
  app.notFound((call) =>
    send(call, problem(404, 'There is nothing at this address.', router.newRequestId(call))),
  );
  app.onError((error, call) => send(call, failure(router, call, error)));
  return app;
}

interface Admitted {
  request: RestRequest;
  ctx: Context;
}

async function answer(router: RestRouter, row: Row, call: Call): Promise<Response> {
  // Hono answers HEAD as GET; where that changes something, nobody may believe it safe (RFC 9110 §9.2.1).
  if (call.req.method === 'HEAD' && row.scope === 'write') {
    const refused = problem(405, 'Ask with GET: it changes something.', router.newRequestId(call));
    return send(call, { ...refused, headers: { Allow: 'GET' } });
  }
  const { text, ...admitted } = await admittedOf(router, row, call);
  const key = row.method === 'GET' ? undefined : call.req.header('idempotency-key');
  if (key === undefined) return send(call, await perform(row, call, admitted));
  const named = { key, request: identityOf(call, text) };
  const { answer: kept, replayed } = await router.once(admitted.ctx, named, async (ctx) => {
    try {
      return { answer: JSON.stringify(await perform(row, call, { ...admitted, ctx })), keep: true };
    } catch (error) {
      return { answer: JSON.stringify(failure(router, call, error)), keep: isLasting(error) };
    }
  });
  if (replayed) call.header('Idempotency-Replayed', 'true');
  return send(call, JSON.parse(kept));
}

/**
 * The request and its context. The caller is counted and admitted before the body is read, and the length of the body is
 * checked before it is parsed; only where the body may hold a public link does the admission wait for it.
 */
async function admittedOf(router: RestRouter, row: Row, call: Call): Promise<Admitted & { text: string }> {
  const linkInUrl = row.link?.({ ...headOf(router, call), body: NO_BODY });
  const caller = await router.contextOf(call, linkInUrl);
  const linkMayFollow = row.link !== undefined && row.method !== 'GET' && !linkInUrl;
  if (!linkMayFollow) admit(requireCaller(caller), row.scope);
  const head = headOf(router, call);
  const text = await bodyOf(router, call, caller);
  const body = row.takesText?.(head.query) ? new Body(text) : readBody(text, router.limits.batchMax);
  const request = { ...head, body };
  const link = linkMayFollow ? row.link?.(request) : undefined;
  const known = link ? await router.contextOfLink(call, link) : requireCaller(caller);
  admit(known, row.scope);
  return { request, text, ctx: { ...known, client: router.clientOf(call) } };
}

function requireCaller(caller: Context | undefined): Context {
  if (caller) return caller;
  throw unauthenticated();
}

async function perform(row: Row, call: Call, { request, ctx }: Admitted): Promise<Reply> {
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

/** Without a credential, bodies are short: their sender is nobody who can be held to account. */
const ANONYMOUS_BODY_BYTES = 2 ** 16;

/** Throws TOO_LARGE, and BAD_USER_INPUT where it is not UTF-8. */
async function bodyOf({ limits }: RestRouter, { req }: Call, caller: Context | undefined): Promise<string> {
  const isAnonymous = !caller || caller.viewer.link !== undefined;
  const most = isAnonymous ? Math.min(limits.jsonBodyBytes, ANONYMOUS_BODY_BYTES) : limits.jsonBodyBytes;
  const bytes = await readWithin(req.raw, most, () => {
    throw new DomainError('TOO_LARGE', `A body holds at most ${most} bytes.`);
  });
  const text = utf8(bytes);
  if (text === undefined) throw notUtf8();
  return text;
}

/** All that makes a request what it is, beside who sends it. */
function identityOf({ req }: Call, body: string): string {
  const { pathname, search } = new URL(req.url);
  return JSON.stringify([req.method, pathname + search, req.header('if-match'), body]);
}

const NO_BODY = new Body(undefined);

function headOf({ limits }: RestRouter, { req }: Call): Omit<RestRequest, 'body'> {
  const query = new Members(new URL(req.url).searchParams);
  const cursor = query.text('cursor');
  const ended = cursor === '' || cursor === END;
  return {
    path: req.param(),
    query,
    page: { first: ended ? 0 : limits.pageSize, after: ended ? null : (cursor ?? null) },
  };
}
