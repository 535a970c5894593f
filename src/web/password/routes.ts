import { type Context as Call, Hono } from 'hono';
import { MAILS_FOR_NETWORK, MAILS_TO_ADDRESS } from '../../auth/account-service.ts';
import { networkOf } from '../../auth/client-address.ts';
import type { RateLimiter } from '../../auth/rate-limiter.ts';
import { refuseOtherSites } from '../../auth/same-origin.ts';
import type { Database } from '../../db/database.ts';
import {
  ownerOfResetLink,
  requestPasswordReset,
  resetPassword,
} from '../../domain/accounts/password-reset.ts';
import type { AccountService } from '../../domain/kernel/account-service.ts';
import { email as emailInput } from '../../domain/kernel/input.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { Forgot, Reset } from './view.tsx';

export interface ResetOptions extends ErrorReporting {
  db: Database;
  /** Of an hour. */
  rateLimiter: RateLimiter;
  accounts: AccountService;
  ownOrigins: (call: Call) => string[];
  addressOf: (call: Call) => string;
}

/** Whoever has the link has the secret: it is not passed on by the browser, and not stored. */
const SECRET_PAGE = { headers: { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' } };

/** `/password`: a new password for who has forgotten theirs. Opening a link changes nothing, as programs follow links too. */
export function passwordResetRouter(options: ResetOptions): Hono {
  const app = new Hono();
  app.get('/password/forgot', () => (options.accounts.sendsMail ? page(Forgot({})) : noMailPage()));
  app.post('/password/forgot', formLimit, (call) => submitRequest(options, call));
  app.get('/password/reset/:secret', (call) => showReset(options, call));
  app.post('/password/reset/:secret', formLimit, (call) => submitReset(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

const SIGN_IN = { href: '/sign-in', text: 'Sign in' };

const noMailPage = (): Response =>
  page(
    Message({
      title: 'Forgot your password?',
      text: 'This server sends no mail. Ask its administrator to set a new password.',
      link: SIGN_IN,
    }),
  );

/** The answer does not depend on the address, nor on whether its limit is reached. */
async function submitRequest(options: ResetOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  if (!options.accounts.sendsMail) return noMailPage();
  const typed = ((await formOf(call)).get('email') ?? '').trim();
  const { data: email } = emailInput.safeParse(typed);
  if (!email)
    return page(Forgot({ email: typed, error: 'Enter an e-mail address such as name@example.com.' }), {
      status: 422,
    });
  const { rateLimiter, db } = options;
  const wait = await rateLimiter.take(`network ${networkOf(options.addressOf(call))}`, MAILS_FOR_NETWORK);
  if (wait > 0)
    return page(Forgot({ email, error: 'Too many requests from your network. Try again in an hour.' }), {
      status: 429,
      headers: { 'Retry-After': `${Math.ceil(wait / 1_000)}` },
    });
  if ((await rateLimiter.take(`address ${email}`, MAILS_TO_ADDRESS)) === 0)
    await requestPasswordReset(db, email);
  return page(
    Message({
      title: 'Look into your mails',
      text: 'If there is an account with this address, it gets a mail. The link in it works for an hour. Look among the spam too.',
      link: SIGN_IN,
    }),
  );
}

const endedPage = (): Response =>
  page(
    Message({
      title: 'This link is not valid',
      text: 'It was used already, or an hour has passed.',
      link: { href: '/password/forgot', text: 'Ask for another link' },
    }),
    { ...SECRET_PAGE, status: 410 },
  );

async function showReset({ db }: ResetOptions, call: Call): Promise<Response> {
  const owner = await ownerOfResetLink(db, call.req.param('secret') ?? '');
  return owner ? page(Reset({ email: owner.email, path: call.req.path }), SECRET_PAGE) : endedPage();
}

async function submitReset({ db, accounts, addressOf }: ResetOptions, call: Call): Promise<Response> {
  const secret = call.req.param('secret') ?? '';
  const owner = await ownerOfResetLink(db, secret);
  if (!owner) return endedPage();
  const password = (await formOf(call)).get('password') ?? '';
  const [{ id: permittedBy, email, name }, address] = [owner, addressOf(call)];
  const error = await accounts.weakPassword({ password, email, name, permittedBy, address });
  if (error) return page(Reset({ email, path: call.req.path, error }), { ...SECRET_PAGE, status: 422 });
  const passwordHash = await accounts.hashPassword(password);
  const isSet = await resetPassword(db, { secret, passwordHash, ipAddress: address });
  if (!isSet) return endedPage();
  return page(
    Message({ title: 'The password is set', text: 'Sign in with your new password.', link: SIGN_IN }),
    SECRET_PAGE,
  );
}
