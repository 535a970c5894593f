import type { Context as Call, Hono } from 'hono';
import type { Session } from '../../auth/session.ts';
import { inTransaction } from '../../db/transaction.ts';
import { unlinkIdentity } from '../../domain/accounts/external-identity.ts';
import { formLimit } from '../ui/form-body.ts';
import { accountPage } from './overview.ts';
import { type AccountOptions, withFreshForm } from './own-session.ts';

export function identityRoutes(app: Hono, options: AccountOptions): void {
  app.post('/account/identities', formLimit, (call) =>
    withFreshForm(options, call, '/account#identities', (session, form) =>
      submitUnlink(options, call, session, form),
    ),
  );
}

const LAST_WAY_IN =
  'It is your only way to sign in. Set a password first: by the link that you get if you say that you have forgotten it.';

async function submitUnlink(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const { userId } = session.viewer;
  const change = { id: form.get('identity') ?? '', userId, ipAddress: options.addressOf(call) };
  const result = await inTransaction(options.db, (tx) => unlinkIdentity(tx, change));
  if (result === 'lastWayIn') return accountPage(options, session, { errors: { identities: LAST_WAY_IN } });
  const done = result === 'unlinked' ? 'The sign-in is disconnected.' : 'It was disconnected already.';
  return accountPage(options, session, { done });
}
