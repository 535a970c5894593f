import { type Context as Call, Hono } from 'hono';
import { formToken, refuseOtherSites, requireOwnForm } from '../../auth/same-origin.ts';
import { type Session, sessionOfRequest } from '../../auth/session.ts';
import {
  confirmEmailChange,
  type FoundEmailChange,
  findEmailChange,
  undoEmailChange,
} from '../../domain/accounts/email-change.ts';
import { type EmailLink, opensEmailLink } from '../../domain/accounts/email-link.ts';
import { newResetSecret } from '../../domain/accounts/password-reset.ts';
import type { Storage } from '../../domain/kernel/context.ts';
import { hashSecret } from '../../lib/secret.ts';
import type { AccountOptions } from '../account/own-session.ts';
import { errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { Message, type MessageProps } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { ConfirmEmail, UndoEmail } from './view.tsx';

export type EmailLinkOptions = AccountOptions & { storage: Storage };

/** `/email`: the links of mails about a change of address. Opening one changes nothing, as programs follow links too. */
export function emailLinkRouter(options: EmailLinkOptions): Hono {
  const app = new Hono();
  app.get('/email/confirm/:id/:secret', (call) => showConfirm(options, call));
  app.post('/email/confirm/:id/:secret', formLimit, (call) => submitConfirm(options, call));
  app.get('/email/undo/:id/:secret', (call) => showUndo(options, call));
  app.post('/email/undo/:id/:secret', formLimit, (call) => submitUndo(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

const NO_INDEX = { 'X-Robots-Tag': 'noindex' };

const message = (props: MessageProps, status = 200): Response =>
  page(Message(props), { status, headers: NO_INDEX });

const endedPage = (): Response =>
  message(
    { title: 'This link is not valid', text: 'It was used already, was replaced, or its time has passed.' },
    410,
  );

const takenPage = (text: string): Response => message({ title: 'The address is taken', text }, 409);

const NOT_CONFIRMED =
  'Another account has this address by now, so nothing was changed. Ask the administrator of the server.';

const notRestored = ({ oldEmail }: FoundEmailChange): string =>
  `All sign-ins of the account have ended. Its address could not be restored: another account has ${oldEmail} by now. Ask the administrator of the server at once: somebody may know the password.`;

/** The change to which the link belongs; undefined if the link is not valid, or not any more. */
async function changeOf(
  { db, storage }: EmailLinkOptions,
  call: Call,
  link: EmailLink,
): Promise<FoundEmailChange | undefined> {
  const { id, secret } = call.req.param() as { id: string; secret: string };
  if (!opensEmailLink(storage, link, { id, secret })) return undefined;
  const change = await findEmailChange(db, id);
  const isLive = link === 'confirm' ? change?.state === 'PENDING' : change && change.state !== 'ENDED';
  return isLive ? change : undefined;
}

const sessionOf = ({ db, cookie }: EmailLinkOptions, call: Call): Promise<Session | undefined> =>
  sessionOfRequest(db, cookie, call.req.raw.headers);

async function showConfirm(options: EmailLinkOptions, call: Call): Promise<Response> {
  const change = await changeOf(options, call, 'confirm');
  if (!change) return endedPage();
  const session = await sessionOf(options, call);
  const viewer = session && {
    email: session.viewer.email,
    isOwner: session.viewer.userId === change.userId,
    formToken: formToken(session.secret),
  };
  const { oldEmail, newEmail } = change;
  return page(ConfirmEmail({ path: call.req.path, oldEmail, newEmail, viewer }), { headers: NO_INDEX });
}

/** Needs a sign-in of the account: else somebody could have a stranger confirm an address for them by one click. */
async function submitConfirm(options: EmailLinkOptions, call: Call): Promise<Response> {
  const change = await changeOf(options, call, 'confirm');
  if (!change) return endedPage();
  const session = await sessionOf(options, call);
  if (session?.viewer.userId !== change.userId) return showConfirm(options, call);
  const { secret } = session;
  const token = (await formOf(call)).get('form_token');
  requireOwnForm(call.req.raw.headers, options.ownOrigins(call), { secret, token });
  const result = await confirmEmailChange(options.db, {
    ...stepOf(options, call, change),
    userId: change.userId,
    keptSignIn: hashSecret(secret),
  });
  if (result !== 'done') return result === 'taken' ? takenPage(NOT_CONFIRMED) : endedPage();
  return message({
    title: 'Your address is confirmed',
    text: `${change.newEmail} is the address of your account. All other sign-ins have ended.`,
    link: { href: '/account', text: 'Your account' },
  });
}

const stepOf = (options: EmailLinkOptions, call: Call, { id }: FoundEmailChange) => ({
  id,
  ipAddress: options.addressOf(call),
  requestId: options.requestIdOf(call),
});

async function showUndo(options: EmailLinkOptions, call: Call): Promise<Response> {
  const change = await changeOf(options, call, 'undo');
  if (!change) return endedPage();
  const { oldEmail, newEmail, state } = change;
  return page(UndoEmail({ path: call.req.path, oldEmail, newEmail, isDone: state === 'CONFIRMED' }), {
    headers: NO_INDEX,
  });
}

/** Whoever reads the mails to the old address may set a new password too: another one may know the present one. */
async function submitUndo(options: EmailLinkOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const change = await changeOf(options, call, 'undo');
  if (!change) return endedPage();
  const result = await undoEmailChange(options.db, stepOf(options, call, change));
  if (result !== 'done') return result === 'taken' ? takenPage(notRestored(change)) : endedPage();
  const reset = await newResetSecret(options.db, change.oldEmail);
  return message({
    title: 'Your address stays as it was',
    text: `${change.oldEmail} is the address of your account. All sign-ins have ended. Set a new password now: somebody may know the present one.`,
    link: {
      href: reset ? `/password/reset/${reset.secret}` : '/sign-in',
      text: reset ? 'Set a new password' : 'Sign in',
    },
  });
}
