import { type Context as Call, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { PASSWORD_MAX } from '../auth/password.ts';
import { returnTo } from '../auth/return-to.ts';
import { formToken, refuseForeign, requireOwnForm } from '../auth/same-origin.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import { type Session, type SignInService, sessionOfRequest, signIn, signOut } from '../auth/sign-in.ts';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError, unavailable } from '../domain/kernel/errors.ts';
import { email as emailAddress } from '../domain/kernel/input.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import { SECOND } from '../lib/time.ts';
import { graphiqlAsset } from './graphiql/assets.ts';
import { graphiql } from './graphiql/page.ts';
import { SignIn, type SignInProps } from './sign-in/view.tsx';
import { Message } from './ui/message.tsx';
import { type PageInit, page } from './ui/page.ts';

const HOME = '/graphql';
const FORM_BYTES = 16 * 2 ** 10;

export interface WebRouterOptions {
  desk: SignInService;
  cookie: SessionCookie;
  /** The origins that a request's page may have to be one of ours. */
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
  contextFor: (viewer: Viewer, requestId: string) => Context;
  newRequestId: (call: Call) => string;
  report: (error: unknown, requestId: string) => void;
}

/** What people see in a browser: signing in, signing out, and GraphiQL's files. */
export function webRouter(door: WebRouterOptions): Hono {
  const app = new Hono();
  const tooLarge = () => {
    throw new DomainError('TOO_LARGE', 'The form holds too much.');
  };
  const form = bodyLimit({ maxSize: FORM_BYTES, onError: tooLarge });
  app.get('/sign-in', (call) => showSignIn(door, call));
  app.post('/sign-in', form, (call) => takeSignIn(door, call));
  app.post('/sign-out', form, (call) => takeSignOut(door, call));
  app.get('/graphql', (call, next) => (wantsPage(call) ? showGraphiql(door, call) : next()));
  app.get(
    '/graphql/assets/:version/:name',
    async (call) =>
      (await graphiqlAsset(
        call.req.param('version'),
        call.req.param('name'),
        call.req.header('accept-encoding') ?? null,
      )) ?? call.notFound(),
  );
  app.onError((error, call) => refused(door, call, error));
  return app;
}

async function showSignIn({ desk, cookie }: WebRouterOptions, call: Call): Promise<Response> {
  const session = await sessionOfRequest(desk.db, cookie, call.req.raw.headers);
  const target = returnTo(call.req.query('return_to'), HOME);
  return screen({
    returnTo: target,
    signedOut: call.req.query('signed_out') !== undefined,
    viewer: session && { ...session.viewer, formToken: formToken(session.secret) },
  });
}

/**
 * Only GraphiQL can be used with a key instead of a sign-in. Browsers hold `form-action` against redirects after the
 * form as well, and an application's authorization may lead on to the application at once.
 */
const screen = (props: SignInProps, init?: PageInit): Response => {
  const keyPath = /^\/graphql(\?|$)/.test(props.returnTo) ? '/graphql?with=key' : undefined;
  const policy = props.returnTo.startsWith('/oauth/') ? { 'form-action': undefined } : {};
  return page(SignIn({ ...props, keyPath }), { ...init, policy });
};

const wantsPage = (call: Call): boolean => call.req.header('accept')?.includes('text/html') ?? false;

async function showGraphiql({ desk, cookie, contextFor, newRequestId }: WebRouterOptions, call: Call) {
  const session = await sessionOfRequest(desk.db, cookie, call.req.raw.headers);
  if (session) return graphiql({ session, ctx: contextFor(session.viewer, newRequestId(call)) });
  if (call.req.query('with') === 'key') return graphiql();
  const { pathname, search } = new URL(call.req.url);
  return call.redirect(`/sign-in?return_to=${encodeURIComponent(pathname + search)}`);
}

async function takeSignIn(door: WebRouterOptions, call: Call): Promise<Response> {
  refuseForeign(call.req.raw.headers, door.ownOrigins(call));
  const fields = await formOf(call);
  const target = returnTo(fields.get('return_to'), HOME);
  const email = (fields.get('email') ?? '').trim();
  const password = fields.get('password') ?? '';
  const again = { returnTo: target, email };
  const faults = faultsOf(email, password);
  if (faults) return screen({ ...again, faults }, { status: 422 });
  const result = await signIn(door.desk, {
    email: email.toLowerCase(),
    password,
    address: door.addressOf(call),
    userAgent: call.req.header('user-agent') ?? '',
  });
  if ('wait' in result) return throttled(again, result.wait);
  if ('wrong' in result) return screen({ ...again, faults: { form: WRONG } }, { status: 422 });
  await endEarlier(door, call);
  const { signIn: lifetime } = door.desk.limits;
  return redirect(target, door.cookie.set(result.secret, lifetime));
}

const WRONG = 'This e-mail address and this password do not belong together.';

function faultsOf(email: string, password: string): SignInProps['faults'] {
  const faults = {
    email: email === '' ? 'Enter your e-mail address.' : emailFault(email),
    password: password === '' ? 'Enter your password.' : passwordFault(password),
  };
  if (!faults.email && !faults.password) return undefined;
  const form = email === '' || password === '' ? 'Something is missing' : 'Something is not right';
  return { form, ...faults };
}

const emailFault = (text: string): string | undefined =>
  z.safeParse(emailAddress, text).success ? undefined : 'Enter an e-mail address such as name@example.com.';

const passwordFault = (text: string): string | undefined =>
  text.length > PASSWORD_MAX ? `A password has at most ${PASSWORD_MAX} characters.` : undefined;

function throttled(again: SignInProps, wait: number): Response {
  const seconds = Math.ceil(wait / SECOND);
  const time = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  const form = `There were too many tries. Wait ${time}, and try again.`;
  return screen({ ...again, faults: { form } }, { status: 429, headers: { 'Retry-After': `${seconds}` } });
}

/** The sign-in that this browser had before, if any, must not live on without a cookie. */
async function endEarlier({ desk, cookie }: WebRouterOptions, call: Call): Promise<void> {
  const secret = cookie.read(call.req.raw.headers);
  if (secret) await signOut(desk.db, secret);
}

async function takeSignOut({ desk, cookie, ownOrigins }: WebRouterOptions, call: Call): Promise<Response> {
  const { headers } = call.req.raw;
  const session: Session | undefined = await sessionOfRequest(desk.db, cookie, headers);
  const token = (await formOf(call)).get('form_token');
  if (session) {
    requireOwnForm(headers, ownOrigins(call), { secret: session.secret, token });
    await signOut(desk.db, session.secret);
  }
  return redirect('/sign-in?signed_out', cookie.clear());
}

async function formOf(call: Call): Promise<URLSearchParams> {
  const type = call.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new DomainError('BAD_USER_INPUT', 'This takes a form as browsers send it.');
  return new URLSearchParams(await call.req.text());
}

/** 303: the browser gets the next page, whatever it sent (RFC 9110 §15.4.4). */
const redirect = (location: string, setCookie: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, 'Set-Cookie': setCookie, 'Cache-Control': 'no-store' },
  });

const STATUS: Partial<Record<DomainError['code'], number>> = {
  FORBIDDEN: 403,
  TOO_LARGE: 413,
  UNAVAILABLE: 503,
};

function refused(door: WebRouterOptions, call: Call, thrown: unknown): Response {
  const error = unavailable(thrown) ?? thrown;
  const link = { href: '/sign-in', text: 'To the sign-in' };
  if (error instanceof DomainError) {
    const status = STATUS[error.code] ?? 400;
    const headers: Record<string, string> = status === 503 ? { 'Retry-After': '5' } : {};
    return page(Message({ title: 'That did not work', text: error.message, link }), { status, headers });
  }
  door.report(error, door.newRequestId(call));
  const text = 'Something went wrong on our side. Try again in a moment.';
  return page(Message({ title: 'That did not work', text, link }), { status: 500 });
}
