import { type Context as Call, Hono } from 'hono';
import { MAILS_FOR_NETWORK, MAILS_TO_ADDRESS } from '../../auth/account-service.ts';
import { networkOf } from '../../auth/client-address.ts';
import type { RateLimiter } from '../../auth/rate-limiter.ts';
import { refuseOtherSites } from '../../auth/same-origin.ts';
import type { SessionService } from '../../auth/session.ts';
import { createAccountBySignUp } from '../../domain/accounts/account-creation.ts';
import {
  findSignUp,
  type OpenSignUp,
  opensSignUp,
  requestSignUp,
} from '../../domain/accounts/sign-up-link.ts';
import type { AccountService } from '../../domain/kernel/account-service.ts';
import type { Context, Storage } from '../../domain/kernel/context.ts';
import { organizationName } from '../../domain/kernel/display-name.ts';
import { email as emailInput } from '../../domain/kernel/input.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { createOrganization } from '../../domain/organizations/organization.ts';
import { answerCompletion, type FinishOptions, visitorOf } from '../sign-in/finish.ts';
import { type ErrorReporting, errorPage } from '../ui/error-page.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { Message } from '../ui/message.tsx';
import { page } from '../ui/page.ts';
import { beginFirstSession, newAccountOf } from './new-account.ts';
import { AskAddress, CreateAccount, type CreateAccountErrors } from './view.tsx';

export interface SignUpOptions extends FinishOptions, ErrorReporting {
  signIns: SessionService;
  storage: Storage;
  accounts: AccountService;
  /** Whether anybody may create an account. */
  isOpen: boolean;
  /** Whether the server creates accounts at all. */
  createsAccounts: boolean;
  /** Of an hour. */
  rateLimiter: RateLimiter;
  ownOrigins: (call: Call) => string[];
  contextFor: (viewer: Viewer, requestId: string) => Context;
}

/** `/sign-up`: creates an account with an address that a mail proves. Opening a link changes nothing, as programs follow links too. */
export function signUpRouter(options: SignUpOptions): Hono {
  const app = new Hono();
  app.get('/sign-up', () => (options.isOpen ? page(AskAddress({})) : closedPage()));
  app.post('/sign-up', formLimit, (call) => submitAddress(options, call));
  app.get('/sign-up/:id/:secret', (call) => showCreation(options, call));
  app.post('/sign-up/:id/:secret', formLimit, (call) => submitCreation(options, call));
  app.onError((error, call) => errorPage(options, call, error));
  return app;
}

const SIGN_IN = { href: '/sign-in', text: 'Sign in' };

const message = (title: string, text: string, status = 200): Response =>
  page(Message({ title, text, link: SIGN_IN }), { status, headers: { 'X-Robots-Tag': 'noindex' } });

const closedPage = (): Response =>
  message(
    'Accounts are by invitation',
    'Ask somebody who works here to invite you. The link in the mail creates your account.',
    403,
  );

const endedPage = (): Response =>
  message('This link is not valid', 'It was used already, or 24 hours have passed.', 410);

/** The answer does not depend on the address, nor on whether its limit is reached. */
async function submitAddress(options: SignUpOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  if (!options.isOpen) return closedPage();
  const typed = ((await formOf(call)).get('email') ?? '').trim();
  const { data: email } = emailInput.safeParse(typed);
  if (!email)
    return page(AskAddress({ email: typed, error: 'Enter an e-mail address such as name@example.com.' }), {
      status: 422,
    });
  const { rateLimiter, addressOf, signIns } = options;
  const wait = await rateLimiter.take(`network ${networkOf(addressOf(call))}`, MAILS_FOR_NETWORK);
  if (wait > 0)
    return page(AskAddress({ email, error: 'Too many requests from your network. Try again in an hour.' }), {
      status: 429,
      headers: { 'Retry-After': `${Math.ceil(wait / 1_000)}` },
    });
  if ((await rateLimiter.take(`address ${email}`, MAILS_TO_ADDRESS)) === 0)
    await requestSignUp(signIns.db, { email });
  return message(
    'Look into your mails',
    'The address gets a mail. The link in it creates your account, within 24 hours. Look among the spam too.',
  );
}

/** The request of the link; undefined if the link is not valid, or not any more. */
async function signUpOf(
  { storage, signIns, createsAccounts }: SignUpOptions,
  call: Call,
): Promise<OpenSignUp | undefined> {
  const { id, secret } = call.req.param() as { id: string; secret: string };
  return createsAccounts && opensSignUp(storage, { id, secret }) ? findSignUp(signIns.db, id) : undefined;
}

const creationPage = (
  call: Call,
  signUp: OpenSignUp,
  entered?: Entered,
  errors?: CreateAccountErrors,
): Response =>
  page(
    CreateAccount({
      ...{ path: call.req.path, email: signUp.email, needsPassword: signUp.issuer === null },
      ...{ name: entered?.name ?? signUp.name ?? undefined, organization: entered?.organization, errors },
    }),
    { status: errors ? 422 : 200, headers: { 'X-Robots-Tag': 'noindex' } },
  );

async function showCreation(options: SignUpOptions, call: Call): Promise<Response> {
  const signUp = await signUpOf(options, call);
  return signUp ? creationPage(call, signUp) : endedPage();
}

interface Entered {
  name: string;
  password: string;
  organization: string;
}

async function submitCreation(options: SignUpOptions, call: Call): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const signUp = await signUpOf(options, call);
  if (!signUp) return endedPage();
  const form = await formOf(call);
  const field = (name: string) => (form.get(name) ?? '').trim();
  const entered = {
    name: field('name'),
    password: form.get('password') ?? '',
    organization: field('organization'),
  };
  const isNamed = entered.organization === '' || organizationName.safeParse(entered.organization).success;
  const address = options.addressOf(call);
  const account = await newAccountOf(
    options.accounts,
    { ...entered, email: signUp.email, permittedBy: signUp.id, address },
    signUp.issuer === null,
  );
  if ('errors' in account || !isNamed) {
    const organization = isNamed ? undefined : 'Choose another name for the organization.';
    return creationPage(call, signUp, entered, { ...('errors' in account && account.errors), organization });
  }
  const userId = await createAccountBySignUp(options.signIns.db, signUp.id, {
    ...account,
    ipAddress: address,
  });
  if (!userId) return endedPage();
  return begin(
    options,
    call,
    { userId, method: signUp.issuer === null ? 'password' : 'oidc' },
    entered.organization,
  );
}

/** Signs the new person in, and creates their organization if they have named one. */
async function begin(
  options: SignUpOptions,
  call: Call,
  { userId, method }: { userId: string; method: 'password' | 'oidc' },
  organization: string,
): Promise<Response> {
  const session = { userId, methods: [method], ...visitorOf(options, call) };
  const { secret, viewer } = await beginFirstSession(options.signIns, session);
  const ctx = options.contextFor(viewer, options.requestIdOf(call));
  if (organization !== '') await createOrganization(ctx, { name: organization });
  return answerCompletion(options, call, { secret }, '/account');
}
