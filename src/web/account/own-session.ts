import type { Context as Call } from 'hono';
import { requireOwnForm } from '../../auth/same-origin.ts';
import type { SecondFactorService } from '../../auth/second-factor.ts';
import { type Session, sessionOfRequest } from '../../auth/session.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import type { Database } from '../../db/database.ts';
import { hasFreshProof } from '../../domain/access/fresh-proof.ts';
import type { AccountService } from '../../domain/kernel/account-service.ts';
import type { OwnSession } from '../../domain/own-account/own-session.ts';
import type { ErrorReporting } from '../ui/error-page.ts';
import { formOf } from '../ui/form-body.ts';
import { seeOther } from '../ui/responses.ts';

/** What it takes to know who is signed in, and that a form is theirs. */
export interface SessionOptions {
  db: Database;
  cookie: SessionCookie;
  ownOrigins: (call: Call) => string[];
}

export interface AccountOptions extends ErrorReporting, SecondFactorService, SessionOptions {
  accounts: AccountService;
  /** The name of the identity provider, if there is one. */
  providerName: string | undefined;
  addressOf: (call: Call) => string;
}

type Answer<Rest extends unknown[]> = (session: Session, ...rest: Rest) => Promise<Response>;

/** Answers in the browser session of the request; without one, the sign-in page does, and continues at `target`. */
export async function withSession(
  { db, cookie }: SessionOptions,
  call: Call,
  answer: Answer<[]>,
  target = '/account',
): Promise<Response> {
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  return session ? answer(session) : seeOther(`/sign-in?return_to=${encodeURIComponent(target)}`);
}

/** The same for a form of that session, which `read` reads. Throws FORBIDDEN for any other. */
export const withForm = (
  options: SessionOptions,
  call: Call,
  answer: Answer<[form: URLSearchParams]>,
  target?: string,
  read = formOf,
): Promise<Response> =>
  withSession(
    options,
    call,
    async (session) => {
      const form = await read(call);
      const proof = { secret: session.secret, token: form.get('form_token') };
      requireOwnForm(call.req.raw.headers, options.ownOrigins(call), proof);
      return answer(session, form);
    },
    target,
  );

/** As rules of accounts know a session. */
export const ownSessionOf = (
  { db, accounts, addressOf }: AccountOptions,
  call: Call,
  { viewer }: Session,
): OwnSession => ({ db, viewer, ipAddress: addressOf(call), accounts });

/** Where to prove again who one is, before what is sensitive. */
export const confirmHref = (target: string): string =>
  `/account/confirm?return_to=${encodeURIComponent(target)}`;

/** Answers if the user has proved who they are within ten minutes; else asks for that, and continues at `target`. */
export async function ifFresh(
  db: Database,
  { viewer }: Session,
  target: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const isFresh = await hasFreshProof(db, viewer.credentialId);
  return isFresh ? answer() : seeOther(confirmHref(target));
}

/** The same as `withSession`, if its user has proved who they are within ten minutes; else asks for that, and continues at `target`. */
export const withFreshSession = (
  options: AccountOptions,
  call: Call,
  target: string,
  answer: Answer<[]>,
): Promise<Response> =>
  withSession(options, call, (session) => ifFresh(options.db, session, target, () => answer(session)));

/** The same as `withForm`, likewise. What was typed is lost, as the form is asked for again. */
export const withFreshForm = (
  options: AccountOptions,
  call: Call,
  target: string,
  answer: Answer<[form: URLSearchParams]>,
): Promise<Response> =>
  withForm(options, call, (session, form) =>
    ifFresh(options.db, session, target, () => answer(session, form)),
  );
