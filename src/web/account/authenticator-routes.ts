import type { Context as Call, Hono } from 'hono';
import { formToken } from '../../auth/same-origin.ts';
import type { Session } from '../../auth/session.ts';
import { inTransaction } from '../../db/transaction.ts';
import { addAuthenticatorApp, removeAuthenticatorApp } from '../../domain/accounts/authenticator-app.ts';
import { secondFactorsOf } from '../../domain/accounts/second-factors.ts';
import { newTotpSeed } from '../../domain/accounts/totp.ts';
import { badInput } from '../../domain/kernel/errors.ts';
import { formLimit } from '../ui/form-body.ts';
import { page } from '../ui/page.ts';
import { seeOther } from '../ui/responses.ts';
import { AddAuthenticatorApp } from './authenticator-view.tsx';
import { FACTORS_PATH, recoveryCodesPage } from './factor-routes.ts';
import { type AccountOptions, withFreshForm, withFreshSession } from './own-session.ts';

const PATH = '/account/authenticator-app';

/** `/account/authenticator-app`: adds an app that shows codes, and removes it. */
export function authenticatorRoutes(app: Hono, options: AccountOptions): void {
  app.get(PATH, (call) =>
    withFreshSession(options, call, PATH, async (session) => {
      const { hasAuthenticatorApp } = await secondFactorsOf(options.db, session.viewer.userId);
      return hasAuthenticatorApp ? seeOther(FACTORS_PATH) : addPage(options, session, newTotpSeed());
    }),
  );
  app.post(PATH, formLimit, (call) =>
    withFreshForm(options, call, PATH, (session, form) => submit(options, call, session, form)),
  );
  app.post(`${PATH}/remove`, formLimit, (call) =>
    withFreshForm(options, call, FACTORS_PATH, async (session) => {
      const owner = ownerOf(options, call, session);
      const removed = await inTransaction(options.db, (tx) => removeAuthenticatorApp(tx, owner));
      return seeOther(removed ? `${FACTORS_PATH}?done=app-removed` : FACTORS_PATH);
    }),
  );
}

const ownerOf = ({ addressOf }: AccountOptions, call: Call, { viewer }: Session) => ({
  userId: viewer.userId,
  ipAddress: addressOf(call),
  signInId: viewer.credentialId,
});

/** Until the app is confirmed, its seed is in the form alone, sealed for this sign-in. */
const sealedFor = ({ viewer }: Session): string => `authenticator app ${viewer.credentialId}`;

function addPage({ vault }: AccountOptions, session: Session, seed: Uint8Array, error?: string): Response {
  const sealed = vault.seal(Buffer.from(seed).toString('base64url'), sealedFor(session));
  const props = { seed, sealed, email: session.viewer.email, formToken: formToken(session.secret), error };
  return page(AddAuthenticatorApp(props), { status: error ? 422 : 200 });
}

async function submit(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const { db, vault } = options;
  const seed = openSeed(options, session, form.get('seed') ?? '');
  const code = (form.get('code') ?? '').replace(/\s/g, '');
  const result = await addAuthenticatorApp(db, vault, { ...ownerOf(options, call, session), seed, code });
  if ('exists' in result) return seeOther(FACTORS_PATH);
  if ('wrong' in result)
    return addPage(
      options,
      session,
      seed,
      'This code is wrong. Look at the app again, and at the time of your phone.',
    );
  const { recoveryCodes } = result;
  return recoveryCodes ? recoveryCodesPage(recoveryCodes) : seeOther(`${FACTORS_PATH}?done=app-added`);
}

/** Throws BAD_USER_INPUT for a seed of another sign-in, or of nobody. */
function openSeed({ vault }: AccountOptions, session: Session, sealed: string): Uint8Array {
  if (!sealed.startsWith('sealed:')) throw badInput('This form is not valid.');
  try {
    return Buffer.from(vault.open(sealed, sealedFor(session)), 'base64url');
  } catch {
    throw badInput('This form is not valid any more. Start again.');
  }
}
