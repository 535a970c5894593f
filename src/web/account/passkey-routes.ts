import type { Context as Call, Hono } from 'hono';
import { creationOptions, verifyCreated } from '../../auth/passkey.ts';
import type { Session } from '../../auth/session.ts';
import { inTransaction } from '../../db/transaction.ts';
import {
  addPasskey,
  MAX_PASSKEYS,
  type PasskeyResult,
  passkeyName,
  removePasskey,
  renamePasskey,
} from '../../domain/accounts/passkey.ts';
import { optionsResponse } from '../sign-in/options-response.ts';
import { formLimit } from '../ui/form-body.ts';
import { seeOther } from '../ui/responses.ts';
import { FACTORS_PATH, factorsPage, recoveryCodesPage } from './factor-routes.ts';
import { type AccountOptions, withForm, withFreshForm } from './own-session.ts';

const PATH = '/account/passkeys';

/** `/account/passkeys`: adds, renames and removes passkeys. They are listed with the other second factors. */
export function passkeyRoutes(app: Hono, options: AccountOptions): void {
  app.post(`${PATH}/options`, formLimit, (call) =>
    withFreshForm(options, call, FACTORS_PATH, async ({ viewer: { userId, email, name, credentialId } }) =>
      optionsResponse(await creationOptions(options, { userId, email, name, signInId: credentialId })),
    ),
  );
  app.post(PATH, formLimit, (call) =>
    withFreshForm(options, call, FACTORS_PATH, (session, form) => submitNew(options, call, session, form)),
  );
  app.post(`${PATH}/remove`, formLimit, (call) =>
    withFreshForm(options, call, FACTORS_PATH, (session, form) =>
      submitRemoval(options, call, session, form),
    ),
  );
  app.post(`${PATH}/rename`, formLimit, (call) =>
    withForm(options, call, (session, form) => submitName(options, session, form)),
  );
}

const FAULTS: Record<string, string> = {
  refused: 'The answer of the passkey is not valid any more. Try again.',
  ended: 'The answer of the passkey was used already. Try again.',
  exists: 'This passkey belongs to an account already.',
  full: `An account has at most ${MAX_PASSKEYS} passkeys. Remove one first.`,
  needed: 'Your account has no password, and needs this passkey. Add another one first.',
};

const faultPage = (options: AccountOptions, session: Session, fault: string) =>
  factorsPage(options, session, { error: FAULTS[fault] });

async function submitNew(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const { userId, credentialId: signInId } = session.viewer;
  const { data: name, error } = passkeyName.safeParse((form.get('name') ?? '').trim());
  if (error) return factorsPage(options, session, { error: `The name ${error.issues[0]?.message}.` });
  const created = await verifyCreated(options, form.get('credential') ?? '', signInId);
  if (!created) return faultPage(options, session, 'refused');
  const { challenge, ...credential } = created;
  const owner = { userId, ipAddress: options.addressOf(call), signInId, name };
  const result = await addPasskey(options.db, challenge, { ...owner, ...credential });
  if (!isAdded(result)) return faultPage(options, session, Object.keys(result)[0] as string);
  return result.recoveryCodes
    ? recoveryCodesPage(result.recoveryCodes)
    : seeOther(`${FACTORS_PATH}?done=passkey-added`);
}

const isAdded = (result: PasskeyResult) => 'recoveryCodes' in result;

async function submitRemoval(
  options: AccountOptions,
  call: Call,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const { userId, credentialId: signInId } = session.viewer;
  const id = form.get('passkey') ?? '';
  const removal = { userId, signInId, id, ipAddress: options.addressOf(call) };
  const result = await inTransaction(options.db, (tx) => removePasskey(tx, removal));
  if (result === 'needed') return faultPage(options, session, result);
  return seeOther(result === 'removed' ? `${FACTORS_PATH}?done=passkey-removed` : FACTORS_PATH);
}

async function submitName(
  options: AccountOptions,
  session: Session,
  form: URLSearchParams,
): Promise<Response> {
  const { data: name, error } = passkeyName.safeParse((form.get('name') ?? '').trim());
  if (error) return factorsPage(options, session, { error: `The name ${error.issues[0]?.message}.` });
  await renamePasskey(options.db, session.viewer.userId, { id: form.get('passkey') ?? '', name });
  return seeOther(FACTORS_PATH);
}
