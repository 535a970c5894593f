import { type Context as Call, Hono } from 'hono';
import { formToken, requireOwnForm } from '../../auth/same-origin.ts';
import { type Session, sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Database } from '../../db/database.ts';
import { approveApprovals, denyApprovals } from '../../domain/approvals/approval-change.ts';
import { type ApprovalDetails, findApprovalDetails } from '../../domain/approvals/approval-page.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError, undefinedIfNotFound } from '../../domain/kernel/errors.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { seeOther } from '../ui/responses.ts';
import { Approval } from './view.tsx';

export interface ApprovalPageOptions extends ErrorReporting {
  db: Database;
  cookie: SessionCookie;
  ownOrigins: (call: Call) => string[];
  contextFor: (viewer: Viewer, requestId: string) => Context;
}

const PATH = '/approvals/:id';

/** The page to which the mail of a request for approval leads: who is signed in reads what it is about, and decides. */
export function approvalRouter(options: ApprovalPageOptions): Hono {
  const app = new Hono();
  app.get(PATH, (call) => withSession(options, call, (session, ctx) => show(call, session, ctx)));
  app.post(PATH, formLimit, (call) =>
    withSession(options, call, (session, ctx) => submit(options, call, session, ctx)),
  );
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

async function withSession(
  { db, cookie, contextFor, requestIdOf }: ApprovalPageOptions,
  call: Call,
  answer: (session: Session, ctx: Context) => Promise<Response>,
): Promise<Response> {
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  if (!session) return seeOther(`/sign-in?return_to=${encodeURIComponent(call.req.path)}`);
  return answer(session, contextFor(session.viewer, requestIdOf(call)));
}

const idOf = (call: Call): string => call.req.param('id') as string;

async function show(call: Call, session: Session, ctx: Context): Promise<Response> {
  const details = await detailsOf(ctx, idOf(call));
  return details ? approvalPage(session, details) : unknownPage(session);
}

const detailsOf = (ctx: Context, id: string): Promise<ApprovalDetails | undefined> =>
  findApprovalDetails(ctx, id).catch(undefinedIfNotFound);

const approvalPage = (
  { viewer, secret }: Session,
  details: ApprovalDetails,
  more: { error?: string; comment?: string } = {},
): Response =>
  page(Approval({ ...details, ...more, viewer, formToken: formToken(secret) }), {
    status: more.error ? 422 : 200,
  });

const unknownPage = ({ viewer }: Session): Response =>
  page(
    Message({
      title: 'This approval is not yours to see',
      text: `It does not exist, or not for ${viewer.email}, as whom you are signed in.`,
    }),
    { status: 404 },
  );

async function submit(
  options: ApprovalPageOptions,
  call: Call,
  session: Session,
  ctx: Context,
): Promise<Response> {
  const form = await formOf(call);
  const token = form.get('form_token');
  requireOwnForm(call.req.raw.headers, options.ownOrigins(call), { secret: session.secret, token });
  const details = await detailsOf(ctx, idOf(call));
  if (!details) return unknownPage(session);
  const comment = (form.get('comment') ?? '').trim();
  const decide = form.get('decision') === 'approve' ? approveApprovals : denyApprovals;
  try {
    await decide(ctx, { ids: [details.approval.id], comment: comment || null });
  } catch (error) {
    if (!(error instanceof DomainError) || !SHOWN.has(error.code)) throw error;
    return approvalPage(session, details, { error: error.message, comment });
  }
  return seeOther(call.req.path);
}

/** Errors after which the page is shown again. */
const SHOWN: ReadonlySet<string> = new Set(['CONFLICT', 'FORBIDDEN', 'BAD_USER_INPUT']);
