import type { Context as Call, Hono } from 'hono';
import { MAILS_FOR_NETWORK, MAILS_TO_ADDRESS } from '../../auth/account-service.ts';
import { networkOf } from '../../auth/client-address.ts';
import { refuseOtherSites } from '../../auth/same-origin.ts';
import { signIn } from '../../auth/sign-in.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { linkIdentity } from '../../domain/accounts/external-identity.ts';
import {
  consumeOidcRequest,
  findOidcRequest,
  type UsedOidcRequest,
} from '../../domain/accounts/oidc-request.ts';
import { requestSignUp } from '../../domain/accounts/sign-up-link.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { answerCompletion, visitorOf } from '../sign-in/finish.ts';
import { validateSignIn } from '../sign-in/validate.ts';
import { formLimit, formOf } from '../ui/form-body.ts';
import { page } from '../ui/page.ts';
import { waitText } from '../ui/responses.ts';
import { Connect, type ConnectProps } from './connect-view.tsx';
import { notice } from './notice.ts';
import type { OidcOptions } from './options.ts';

const PATH = '/sign-in/oidc/connect';

/** For a person whose identity has no account, and whose address proves nothing: their password shows which is theirs. */
export function connectRoutes(app: Hono, options: OidcOptions): void {
  app.get(PATH, (call) => withRequest(options, call, async (request) => connectPage(options, request)));
  app.post(PATH, formLimit, (call) => withForm(options, call, submitConnect));
  app.post('/sign-in/oidc/create', formLimit, (call) => withForm(options, call, submitCreate));
}

type AnsweredRequest = UsedOidcRequest & { issuer: string; subject: string };

const isAnswered = (request: UsedOidcRequest | undefined): request is AnsweredRequest =>
  Boolean(request?.issuer && request.subject);

const endedPage = (): Response =>
  notice('Sign in again', 'It took longer than ten minutes, or was completed already.', 400);

async function withRequest(
  { oidcCookie, signIns }: OidcOptions,
  call: Call,
  answer: (request: AnsweredRequest, secret: string) => Promise<Response>,
): Promise<Response> {
  const secret = oidcCookie.read(call.req.raw.headers);
  const request = secret ? await findOidcRequest(signIns.db, secret) : undefined;
  return secret && isAnswered(request) ? answer(request, secret) : endedPage();
}

interface Submission {
  request: AnsweredRequest;
  secret: string;
  form: URLSearchParams;
}

async function withForm(
  options: OidcOptions,
  call: Call,
  submit: (options: OidcOptions, call: Call, submission: Submission) => Promise<Response>,
): Promise<Response> {
  refuseOtherSites(call.req.raw.headers, options.ownOrigins(call));
  const form = await formOf(call);
  return withRequest(options, call, (request, secret) => submit(options, call, { request, secret, form }));
}

const canCreate = ({ createsAccounts, sendsMail }: OidcOptions, { email }: AnsweredRequest): boolean =>
  createsAccounts && sendsMail && email !== null;

const connectPage = (
  options: OidcOptions,
  request: AnsweredRequest,
  more: Partial<ConnectProps> = {},
  status = 200,
) =>
  page(
    Connect({
      ...{ provider: options.rules.name, address: request.email ?? undefined },
      ...{ canCreate: canCreate(options, request), ...more },
    }),
    { status },
  );

/** The password is tried as at sign-in, with its limits. A second factor comes first: only the session may connect then. */
async function submitConnect(
  options: OidcOptions,
  call: Call,
  { request, secret, form }: Submission,
): Promise<Response> {
  const { signIns, oidcCookie } = options;
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const refuse = (text: string, status = 422) =>
    connectPage(options, request, { email, error: text }, status);
  const invalid = validateSignIn(email, password);
  if (invalid) return refuse(invalid.email ?? invalid.password ?? 'Enter your address and your password.');
  const address = foldEmail(email);
  const result = await signIn(signIns, { email: address, password, ...visitorOf(options, call) });
  if ('wait' in result) return refuse(waitText(result.wait), 429);
  if ('wrong' in result) return refuse('The e-mail address or the password is wrong.');
  if ('pending' in result) return answerCompletion(options, call, result, '/account#identities');
  if (!(await consumeOidcRequest(signIns.db, secret))) return endedPage();
  await connectTo(options, call, request, address);
  const answer = await answerCompletion(options, call, result, request.returnTo);
  answer.headers.append('Set-Cookie', oidcCookie.clear());
  return answer;
}

const connectTo = (
  { signIns, addressOf }: OidcOptions,
  call: Call,
  { issuer, subject, email }: AnsweredRequest,
  account: string,
): Promise<unknown> =>
  inTransaction(signIns.db, async (tx) => {
    const [owner] = await tx.query<{ id: string }>(sql`SELECT u.id FROM users u WHERE u.email = ${account}`);
    if (owner)
      await linkIdentity(tx, { userId: owner.id, issuer, subject, email, ipAddress: addressOf(call) });
  });

/** The mail proves the address. The answer does not depend on whether it has an account. */
async function submitCreate(
  options: OidcOptions,
  call: Call,
  { request, secret }: Submission,
): Promise<Response> {
  const { signIns, rateLimiter, addressOf, rules, oidcCookie } = options;
  const { email, issuer, subject, name } = request;
  if (!email || !canCreate(options, request)) return connectPage(options, request);
  if (!(await consumeOidcRequest(signIns.db, secret))) return endedPage();
  const waits = [
    await rateLimiter.take(`address ${email}`, MAILS_TO_ADDRESS),
    await rateLimiter.take(`network ${networkOf(addressOf(call))}`, MAILS_FOR_NETWORK),
  ];
  const onlyInvited = rules.signUp === 'invited';
  if (waits.every((wait) => wait === 0))
    await requestSignUp(signIns.db, {
      email,
      name: name ?? undefined,
      identity: { issuer, subject },
      onlyInvited,
    });
  const text = onlyInvited
    ? `If ${email} is invited, it gets a mail. The link in it works for 24 hours and creates your account.`
    : `${email} gets a mail. The link in it works for 24 hours and creates your account.`;
  return notice('Look into your mails', text, 200, oidcCookie.clear());
}
