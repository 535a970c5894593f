import { type Context as Call, Hono } from 'hono';
import { formToken, requireOwnForm } from '../../auth/same-origin.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import { sessionOfRequest } from '../../auth/sign-in.ts';
import type { Context } from '../../domain/kernel/context.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { acceptInvitation } from '../../domain/membership/invitation-change.ts';
import { findLinkedInvitation, originOfLink } from '../../domain/membership/invitation-link.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { Invitation } from './view.tsx';

export interface InvitationOptions extends ErrorReporting {
  cookie: SessionCookie;
  db: Context['db'];
  ownOrigins: (call: Call) => string[];
  contextFor: (viewer: Viewer, requestId: string) => Context;
}

/** The page that an invitation's link opens. Opening it changes nothing, as programs follow links in mails too. */
export function invitationRouter(options: InvitationOptions): Hono {
  const app = new Hono();
  app.get('/invitations/:id/:secret', (call) => showInvitation(options, call));
  app.post('/invitations/:id/:secret', (call) => submitAcceptance(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

/** The invitation of the link, and the session of the browser; undefined for a link that is not valid, or not any more. */
async function openLink({ cookie, db, contextFor, requestIdOf }: InvitationOptions, call: Call) {
  const { id, secret } = call.req.param() as { id: string; secret: string };
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  const { storage } = contextFor(session?.viewer ?? NOBODY, requestIdOf(call));
  const invitation = originOfLink(storage, id, secret) && (await findLinkedInvitation(db, id));
  return invitation && { invitation, session };
}

const NOBODY: Viewer = {
  ...{ userId: '', email: '', name: '', credentialId: '' },
  scopes: new Set(),
  memberships: [],
};

const endedPage = () =>
  page(
    Message({
      title: 'This link is not valid',
      text: 'The invitation was answered or withdrawn. If you did not expect that, ask the person who invited you.',
    }),
    { status: 410 },
  );

async function showInvitation(options: InvitationOptions, call: Call): Promise<Response> {
  const link = await openLink(options, call);
  if (!link) return endedPage();
  const { invitation, session } = link;
  const viewer = session && { email: session.viewer.email, formToken: formToken(session.secret) };
  return page(Invitation({ invitation, viewer, path: call.req.path }), {
    headers: { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' },
  });
}

async function submitAcceptance(options: InvitationOptions, call: Call): Promise<Response> {
  const link = await openLink(options, call);
  if (!link) return endedPage();
  const { session, invitation } = link;
  if (!session) return seeOther(call.req.path);
  const form = new URLSearchParams(await call.req.text());
  const { secret } = session;
  requireOwnForm(call.req.raw.headers, options.ownOrigins(call), { secret, token: form.get('form_token') });
  const ctx = options.contextFor(session.viewer, options.requestIdOf(call));
  await acceptInvitation(ctx, { invitationId: invitation.id });
  return seeOther('/');
}

const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } });
