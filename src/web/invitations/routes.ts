import { type Context as Call, Hono } from 'hono';
import { formToken, refuseOtherSites, requireOwnForm } from '../../auth/same-origin.ts';
import { sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import { hasVerifiedAccount } from '../../domain/accounts/account-creation.ts';
import type { AccountService } from '../../domain/kernel/account-service.ts';
import type { Context } from '../../domain/kernel/context.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { acceptInvitation } from '../../domain/membership/invitation-change.ts';
import {
  findLinkedInvitation,
  type LinkedInvitation,
  readLink,
} from '../../domain/membership/invitation-link.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { signUp } from './sign-up.ts';
import { Invitation, Over, type SignUpErrors } from './view.tsx';

export interface InvitationOptions extends ErrorReporting {
  cookie: SessionCookie;
  db: Context['db'];
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
  contextFor: (viewer: Viewer, requestId: string) => Context;
  accounts: AccountService;
  /** Whether the server creates accounts. */
  createsAccounts: boolean;
  /** `signIn`: the lifetime of a session in ms. */
  limits: { signIn: number };
}

/** The page that an invitation's link opens. Opening it changes nothing, as programs follow links in mails too. */
export function invitationRouter(options: InvitationOptions): Hono {
  const app = new Hono();
  app.get('/invitations/:id/:secret', (call) => showInvitation(options, call));
  app.post('/invitations/:id/:secret', formLimit, (call) => submitAcceptance(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

/**
 * The invitation of the link, and the session of the browser; undefined for a link that is none. A link that was replaced or
 * has expired shows whom to ask, and permits nothing.
 */
async function openLink(options: InvitationOptions, call: Call) {
  const { cookie, db, contextFor, requestIdOf, createsAccounts, accounts } = options;
  const { id, secret } = call.req.param() as { id: string; secret: string };
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  const { storage } = contextFor(session?.viewer ?? ANONYMOUS, requestIdOf(call));
  const invitation = await findLinkedInvitation(db, id);
  const link = invitation && readLink(storage, invitation, secret);
  if (!link) return undefined;
  const isOver = link.isReplaced || invitation.isExpired;
  // A link that was copied by hand does not prove that its reader owns the address.
  const provesAddress = createsAccounts && link.origin === 'mailed' && !session;
  const canSignUp = provesAddress && !(await hasVerifiedAccount(db, invitation.email));
  const source = accountSource(createsAccounts && accounts.sendsMail, link.origin);
  return { invitation, session, canSignUp, accounts: source, isReplaced: link.isReplaced, isOver };
}

/** Where accounts come from that this link does not create; undefined where it does. */
const accountSource = (
  createsByMail: boolean,
  origin: 'copied' | 'mailed',
): 'BY_ADMINISTRATOR' | 'BY_MAIL' | undefined =>
  !createsByMail ? 'BY_ADMINISTRATOR' : origin === 'copied' ? 'BY_MAIL' : undefined;

const ANONYMOUS: Viewer = {
  ...{ userId: '', email: '', name: '', credentialId: '' },
  scopes: new Set(),
  memberships: [],
};

const overPage = (invitation: LinkedInvitation, isReplaced: boolean): Response =>
  page(Over({ invitation, isReplaced }), { status: 410, headers: { 'X-Robots-Tag': 'noindex' } });

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
  const { session, isReplaced, isOver, ...more } = link;
  if (isOver) return overPage(link.invitation, isReplaced);
  const viewer = session && {
    email: session.viewer.email,
    isVerified: session.viewer.isEmailVerified === true,
    formToken: formToken(session.secret),
  };
  return invitationPage({ ...more, viewer, path: call.req.path });
}

/** Browsers send no Origin with forms of pages that have the policy `no-referrer`; other sites get no referrer either way. */
const invitationPage = (props: Parameters<typeof Invitation>[0], status = 200): Response =>
  page(Invitation(props), { status, headers: { 'X-Robots-Tag': 'noindex' } });

async function submitAcceptance(options: InvitationOptions, call: Call): Promise<Response> {
  const link = await openLink(options, call);
  if (!link) return endedPage();
  const { session, invitation, canSignUp } = link;
  if (link.isOver) return overPage(invitation, link.isReplaced);
  const form = await formOf(call);
  if (!session) return canSignUp ? submitSignUp(options, call, invitation, form) : seeOther(call.req.path);
  const { secret } = session;
  requireOwnForm(call.req.raw.headers, options.ownOrigins(call), { secret, token: form.get('form_token') });
  const ctx = options.contextFor(session.viewer, options.requestIdOf(call));
  await acceptInvitation(ctx, { invitationId: invitation.id });
  return seeOther('/');
}

/** Creates the account, signs in to it and accepts the invitation. */
async function submitSignUp(
  options: InvitationOptions,
  call: Call,
  invitation: LinkedInvitation,
  form: URLSearchParams,
): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const [name, password] = [form.get('name') ?? '', form.get('password') ?? ''];
  const visitor = {
    address: options.addressOf(call),
    userAgent: call.req.header('user-agent') ?? '',
  };
  const result = await signUp(options, invitation, { name, password, ...visitor });
  if ('errors' in result) return refused(call, invitation, name, result.errors);
  if ('ended' in result) return seeOther(call.req.path);
  const ctx = options.contextFor(result.viewer, options.requestIdOf(call));
  await acceptInvitation(ctx, { invitationId: invitation.id });
  return seeOther('/account', options.cookie.set(result.secret, options.limits.signIn));
}

const refused = (call: Call, invitation: LinkedInvitation, name: string, errors: SignUpErrors): Response =>
  invitationPage({ invitation, path: call.req.path, canSignUp: true, name, errors }, 422);

const seeOther = (location: string, cookie?: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', ...(cookie && { 'Set-Cookie': cookie }) },
  });
