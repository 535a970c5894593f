import type { Hono } from 'hono';
import type { Session } from '../../auth/session.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { endSignIns, setNewSignInMails } from '../../domain/accounts/sign-in-list.ts';
import { formLimit } from '../ui/form-body.ts';
import { seeOther } from '../ui/responses.ts';
import { accountPage } from './overview.ts';
import { type AccountOptions, withForm } from './own-session.ts';

export function signInRoutes(app: Hono, options: AccountOptions): void {
  app.post('/account/sign-ins', formLimit, (call) =>
    withForm(options, call, (session, form) => submit(options, session, form)),
  );
  app.post('/account/new-sign-in-mails', formLimit, (call) =>
    withForm(options, call, async (session, form) => {
      const newSignInMails = form.get('mails') === 'on';
      await setNewSignInMails(options.db, session.viewer.userId, newSignInMails);
      const done = newSignInMails ? 'These mails are sent.' : 'These mails are not sent any more.';
      return accountPage(options, session, { done });
    }),
  );
}

async function submit(options: AccountOptions, session: Session, form: URLSearchParams): Promise<Response> {
  const { userId, credentialId } = session.viewer;
  const which = form.get('which') ?? '';
  if (which === 'all') {
    await inTransaction(options.db, (tx) => endSignIns(tx, userId, () => sql`true`));
    return seeOther('/sign-in?signed_out', options.cookie.clear());
  }
  const ended = await inTransaction(options.db, (tx) =>
    endSignIns(tx, userId, (signIns) =>
      sql.all([sql`${signIns}.id <> ${credentialId}`, which !== 'others' && sql`${signIns}.id = ${which}`]),
    ),
  );
  return accountPage(options, session, {
    done: ended === 1 ? 'One sign-in has ended.' : `${ended} sign-ins have ended.`,
  });
}
