import type { Hono } from 'hono';
import { relyingPartyIdOf } from '../../auth/passkey.ts';
import { formToken } from '../../auth/same-origin.ts';
import type { Session } from '../../auth/session.ts';
import { passkeysOf } from '../../domain/accounts/passkey.ts';
import { renewRecoveryCodes } from '../../domain/accounts/recovery-code.ts';
import { hasSecondFactor, secondFactorsOf } from '../../domain/accounts/second-factors.ts';
import { PASSKEY_POLICY } from '../passkeys/passkey-form.tsx';
import { formLimit } from '../ui/form-body.ts';
import { page } from '../ui/page.ts';
import { seeOther } from '../ui/responses.ts';
import { Factors } from './factors-view.tsx';
import { type AccountOptions, withFreshForm, withFreshSession } from './own-session.ts';
import { RecoveryCodes } from './recovery-codes-view.tsx';

export const FACTORS_PATH = '/account/second-factors';

/** `/account/second-factors`: what the second factors are, and the recovery codes. */
export function factorRoutes(app: Hono, options: AccountOptions): void {
  app.get(FACTORS_PATH, (call) =>
    withFreshSession(options, call, FACTORS_PATH, (session) =>
      factorsPage(options, session, { done: DONE[call.req.query('done') ?? ''] }),
    ),
  );
  app.post('/account/recovery-codes', formLimit, (call) =>
    withFreshForm(options, call, FACTORS_PATH, async ({ viewer: { userId } }) => {
      if (!hasSecondFactor(await secondFactorsOf(options.db, userId))) return seeOther(FACTORS_PATH);
      const owner = { userId, ipAddress: options.addressOf(call) };
      return recoveryCodesPage(await renewRecoveryCodes(options.db, owner));
    }),
  );
}

const OTHERS = 'Other sign-ins go on; you can end them on the page of your account.';

/** What was done before, by the query of the page. */
const DONE: Record<string, string> = {
  'app-added': `The authenticator app was added. ${OTHERS}`,
  'app-removed': `The authenticator app was removed. ${OTHERS}`,
  'passkey-added': `The passkey was added. ${OTHERS}`,
  'passkey-removed': `The passkey was removed. Delete it on your device too. ${OTHERS}`,
};

/** The page, after something was done or refused. */
export async function factorsPage(
  { db, publicUrl }: AccountOptions,
  { viewer: { userId }, secret }: Session,
  { done, error }: { done?: string; error?: string } = {},
): Promise<Response> {
  const props = {
    factors: await secondFactorsOf(db, userId),
    passkeys: await passkeysOf(db, userId),
    relyingPartyId: relyingPartyIdOf(publicUrl),
    formToken: formToken(secret),
    ...{ done, error },
  };
  return page(Factors(props), { status: error ? 422 : 200, policy: PASSKEY_POLICY });
}

/** The only time that the codes are shown. */
export const recoveryCodesPage = (codes: readonly string[]): Response => page(RecoveryCodes({ codes }));
