import { type Context as Call, Hono } from 'hono';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError, notUtf8, unauthenticated } from '../domain/kernel/errors.ts';
import { admit, runStored } from '../graph/http/execute.ts';
import { readWithin } from '../lib/request-body.ts';
import { utf8 } from '../lib/utf8.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { documentHistoryRoutes } from './documents/history.ts';
import { documentRoutes } from './documents/routes.ts';
import { choiceRoutes } from './fields/choices.ts';
import { fieldRoutes } from './fields/routes.ts';
import { folderRoutes } from './folders/routes.ts';
import { publicFormRoutes } from './forms/public-routes.ts';
import { formRoutes } from './forms/routes.ts';
import { submissionRoutes } from './forms/submissions.ts';
import { memberRoutes } from './members/routes.ts';
import { countRoutes } from './organizations/counts.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { signatureFormRoutes } from './signatures/forms.ts';
import { signatureSessionRoutes } from './signatures/sessions.ts';
import { signatureTemplateRoutes } from './signatures/templates.ts';
import { signingRoutes } from './signing/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { apiKeyRoutes } from './users/api-keys.ts';
import { userRoutes } from './users/routes.ts';
import { conditionalExecution, matchesIfNoneMatch } from './wire/conditional.ts';
import { Body, Members, readBody } from './wire/read.ts';
import { errorReply, isFinal, problemReply, type Reply, replyOf, sendReply } from './wire/reply.ts';
import type { RestRequest, Route } from './wire/route.ts';
import { END_CURSOR } from './wire/wire.ts';

export const restRoutes: Route[] = [
  ...organizationRoutes,
  ...memberRoutes,
  ...documentRoutes,
  ...documentHistoryRoutes,
  ...uploadRoutes,
  ...countRoutes,
  ...folderRoutes,
  ...fieldRoutes,
  ...choiceRoutes,
  ...taskRoutes,
  ...approvalRoutes,
  ...formRoutes,
  ...submissionRoutes,
  ...publicFormRoutes,
  ...signatureFormRoutes,
  ...signatureSessionRoutes,
  ...signatureTemplateRoutes,
  ...signingRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...searchRoutes,
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
export function restRouter(router: RestRouter, routes: Route[] = restRoutes): Hono {
  const app = new Hono();
  for (const each of routes)
    for (const path of [each.path, ...(each.aliases ?? [])])
      app.on(each.method, path, (call) => answer(router, each, call));
  app.notFound((call) =>
    sendReply(call, problemReply(404, 'There is nothing at this address.', router.newRequestId(call))),
  );
  app.onError((error, call) => sendReply(call, errorReply(router, call, error)));
  return app;
}

interface Admitted {
  request: RestRequest;
  ctx: Context;
}

async function answer(router: RestRouter, row: Route, call: Call): Promise<Response> {
  // Hono answers HEAD as GET; where that changes something, nobody may believe it safe (RFC 9110 §9.2.1).
  if (call.req.method === 'HEAD' && row.scope === 'write') {
    const refused = problemReply(405, 'Ask with GET: it changes something.', router.newRequestId(call));
    return sendReply(call, { ...refused, headers: { Allow: 'GET' } });
  }
  const { text, ...admitted } = await admittedOf(router, row, call);
  const key = row.method === 'GET' ? undefined : call.req.header('idempotency-key');
  if (key === undefined) return sendReply(call, await perform(row, call, admitted));
  const named = { key, request: identityOf(call, text) };
  const { answer: kept, replayed } = await router.once(admitted.ctx, named, async (ctx) => {
    try {
      return { answer: JSON.stringify(await perform(row, call, { ...admitted, ctx })), keep: true };
    } catch (error) {
      return { answer: JSON.stringify(errorReply(router, call, error)), keep: isFinal(error) };
    }
  });
  if (replayed) call.header('Idempotency-Replayed', 'true');
  return sendReply(call, JSON.parse(kept));
}

/**
 * The request and its context. The caller is counted and admitted before the body is read, and the length of the body is
 * checked before it is parsed; only where the body may hold a public link does the admission wait for it.
 */
async function admittedOf(router: RestRouter, row: Route, call: Call): Promise<Admitted & { text: string }> {
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

async function perform(row: Route, call: Call, { request, ctx }: Admitted): Promise<Reply> {
  const { execute, tag } = conditionalExecution(
    (operation, variables) => runStored(operation, variables, ctx),
    {
      ifMatch: row.method === 'GET' ? undefined : call.req.header('if-match'),
      path: Object.values(request.path),
    },
  );
  const reply = replyOf(await row.run(request, execute));
  if (row.method !== 'GET' || row.scope !== 'read' || reply.pieces) return reply;
  const headers = { ETag: tag(reply.content) };
  const known = matchesIfNoneMatch(call.req.header('if-none-match'), headers.ETag);
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
  const ended = cursor === '' || cursor === END_CURSOR;
  return {
    path: req.param(),
    query,
    page: { first: ended ? 0 : limits.pageSize, after: ended ? null : (cursor ?? null) },
  };
}
