import type { Context as Call, Hono } from 'hono';
import type { Session } from '../../auth/session.ts';
import { changeOwnPassword } from '../../domain/own-account/password.ts';
import { formLimit } from '../ui/form-body.ts';
import { seeOther } from '../ui/responses.ts';
import { accountPage } from './overview.ts';
import { type AccountOptions, confirmHref, ownSessionOf, withForm } from './own-session.ts';

export function passwordRoutes(app: Hono, options: AccountOptions): void {
  app.post('/account/password', formLimit, (call) =>
    withForm(options, call, (session, form) => submit(options, call, session, form)),
  );
}

async function submit(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const result = await changeOwnPassword(ownSessionOf(options, call, session), {
    current: form.get('current') ?? '',
    next: form.get('password') ?? '',
  });
  if (result === 'unproved') return seeOther(confirmHref('/account'));
  if (result === 'changed')
    return accountPage(options, session, {
      done: 'Your password was changed. All other sign-ins have ended.',
    });
  const errors = 'next' in result ? { password: result.next } : { current: result.current.text };
  return accountPage(options, session, { errors });
}
