import { type Context as Call, Hono } from 'hono';
import { hashPassword, verifyPassword } from '../../auth/password.ts';
import { passwordFault } from '../../auth/password-strength.ts';
import type { RateLimiter } from '../../auth/rate-limiter.ts';
import { formToken, requireOwnForm } from '../../auth/same-origin.ts';
import type { SessionCookie } from '../../auth/session-cookie.ts';
import { type Session, sessionOfRequest } from '../../auth/sign-in.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { setPassword } from '../../domain/accounts/password.ts';
import { endSignIns, signInsOf } from '../../domain/accounts/sign-in-list.ts';
import { hashSecret } from '../../lib/secret.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { page } from '../ui/page.ts';
import { Account, type AccountProps } from './view.tsx';

export interface AccountOptions extends ErrorReporting {
  db: Database;
  cookie: SessionCookie;
  /** Of an hour. */
  rateLimiter: RateLimiter;
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
}

/** Wrong passwords of an account within an hour, by who has a sign-in of it. */
const MAX_WRONG = 10;

/** `/account`, for who is signed in in this browser: never with an API key or a token of an application. */
export function accountRouter(options: AccountOptions): Hono {
  const app = new Hono();
  app.get('/account', (call) => withSession(options, call, (session) => show(options, session)));
  app.post('/account/password', formLimit, (call) =>
    withForm(options, call, (session, form) => submitPassword(options, call, session, form)),
  );
  app.post('/account/sign-ins', formLimit, (call) =>
    withForm(options, call, (session, form) => submitEnd(options, session, form)),
  );
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

async function withSession(
  { db, cookie }: AccountOptions,
  call: Call,
  answer: (session: Session) => Promise<Response>,
): Promise<Response> {
  const session = await sessionOfRequest(db, cookie, call.req.raw.headers);
  if (session) return answer(session);
  const headers = { Location: '/sign-in?return_to=%2Faccount', 'Cache-Control': 'no-store' };
  return new Response(null, { status: 303, headers });
}

const withForm = (
  options: AccountOptions,
  call: Call,
  answer: (session: Session, form: URLSearchParams) => Promise<Response>,
): Promise<Response> =>
  withSession(options, call, async (session) => {
    const form = await formOf(call);
    const { secret } = session;
    requireOwnForm(call.req.raw.headers, options.ownOrigins(call), { secret, token: form.get('form_token') });
    return answer(session, form);
  });

async function show(
  { db }: AccountOptions,
  { viewer, secret }: Session,
  more: Pick<AccountProps, 'errors' | 'done'> = {},
): Promise<Response> {
  const own = Buffer.from(hashSecret(secret));
  const signIns = (await signInsOf(db, viewer.userId)).map((row) => ({
    ...row,
    isCurrent: own.equals(row.secretHash),
  }));
  const { name, email } = viewer;
  return page(Account({ name, email, formToken: formToken(secret), signIns, ...more }), {
    status: more.errors ? 422 : 200,
  });
}

async function submitPassword(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const { db, rateLimiter, addressOf } = options;
  const { userId, email } = session.viewer;
  const key = `password ${userId}`;
  if ((await rateLimiter.take(key, MAX_WRONG)) > 0)
    return show(options, session, { errors: { current: 'Too many attempts. Try again in an hour.' } });
  const { passwordHash: stored } = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  if (!(await verifyPassword(form.get('current') ?? '', stored)))
    return show(options, session, { errors: { current: 'This is not your password.' } });
  await rateLimiter.refund(key, MAX_WRONG);
  const fault = await passwordFault(form.get('password') ?? '', session.viewer);
  if (fault) return show(options, session, { errors: { password: fault } });
  const passwordHash = await hashPassword(form.get('password') ?? '');
  await inTransaction(db, (tx) =>
    setPassword(tx, {
      ...{ userId, email, passwordHash, kind: 'password.changed', ipAddress: addressOf(call) },
      kept: sql`s.secret_hash = ${hashSecret(session.secret)}`,
    }),
  );
  return show(options, session, { done: 'Your password was changed. All other sign-ins have ended.' });
}

async function submitEnd(
  options: AccountOptions,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const which = form.get('which') ?? '';
  const isOther = sql`s.secret_hash <> ${hashSecret(session.secret)}`;
  const ended = await inTransaction(options.db, (tx) =>
    endSignIns(tx, session.viewer.userId, which === 'others' ? isOther : sql`s.id = ${which} AND ${isOther}`),
  );
  return show(options, session, {
    done: ended === 1 ? 'One sign-in has ended.' : `${ended} sign-ins have ended.`,
  });
}
