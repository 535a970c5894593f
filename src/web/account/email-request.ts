import type { Context as Call, Hono } from 'hono';
import type { Session } from '../../auth/session.ts';
import { requestOwnEmailChange } from '../../domain/own-account/email.ts';
import { formLimit } from '../ui/form-body.ts';
import { seeOther } from '../ui/responses.ts';
import { accountPage } from './overview.ts';
import { type AccountOptions, confirmHref, ownSessionOf, withForm } from './own-session.ts';

export function emailRoutes(app: Hono, options: AccountOptions): void {
  app.post('/account/email', formLimit, (call) =>
    withForm(options, call, (session, form) => submit(options, call, session, form)),
  );
}

/** Requests a change of address. The answer does not depend on whether the new one has an account. */
async function submit(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const enteredEmail = (form.get('email') ?? '').trim();
  const result = await requestOwnEmailChange(ownSessionOf(options, call, session), {
    email: enteredEmail,
    password: form.get('emailPassword') ?? '',
  });
  if (result === 'noMail') return accountPage(options, session);
  if (result === 'unproved') return seeOther(confirmHref('/account'));
  if (result === 'requested')
    return accountPage(options, session, {
      done: 'Look into your mails: the address counts once you have opened the link in it.',
    });
  const errors = 'email' in result ? { email: result.email } : { emailPassword: result.password.text };
  return accountPage(options, session, { errors, enteredEmail });
}
