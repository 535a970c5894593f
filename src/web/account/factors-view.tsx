import type { PasskeyRow } from '../../domain/accounts/passkey.ts';
import { hasSecondFactor, type SecondFactors } from '../../domain/accounts/second-factors.ts';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Frame } from '../ui/layout.tsx';
import { Done } from './done.tsx';
import { recoveryCodesText } from './factors-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';

export interface FactorsProps {
  factors: SecondFactors;
  passkeys: readonly PasskeyRow[];
  /** The host whose passkeys work here. */
  relyingPartyId: string;
  formToken: string;
  done?: string;
  error?: string;
}

/** `/account/second-factors`. */
export const Factors = ({ factors, passkeys, relyingPartyId, formToken, done, error }: FactorsProps) => (
  <Frame title={error ? 'Error: Second factors' : 'Second factors'}>
    <div class="card">
      {error && <ErrorSummary errors={[]} title={error} />}
      <Done text={done} />
      <h1>Second factors</h1>
      <p class="lead">You are asked for one of them when you sign in with your password.</p>
      <h2>Authenticator app</h2>
      <AppSection {...{ factors, formToken }} />
    </div>
    <PasskeysSection {...{ passkeys, relyingPartyId, formToken }} />
    {hasSecondFactor(factors) && <RecoverySection {...{ factors, formToken }} />}
    <p class="after">
      <a href="/account">Back to your account</a>
    </p>
  </Frame>
);

interface SectionProps {
  factors: SecondFactors;
  formToken: string;
}

const AppSection = ({ factors, formToken }: SectionProps) =>
  factors.hasAuthenticatorApp ? (
    <form method="post" action="/account/authenticator-app/remove">
      <input type="hidden" name="form_token" value={formToken} />
      <p>An app shows codes for your account.</p>
      <button type="submit" class="plain">
        Remove the app
      </button>
    </form>
  ) : (
    <>
      <p>An app on your phone shows a new code every 30 seconds.</p>
      <a class="button" href="/account/authenticator-app">
        Add an app
      </a>
    </>
  );

const RecoverySection = ({ factors, formToken }: SectionProps) => (
  <div class="card">
    <h2>Recovery codes</h2>
    <p>{recoveryCodesText(factors)}. Each works once, when you have no other second factor with you.</p>
    <form method="post" action="/account/recovery-codes">
      <input type="hidden" name="form_token" value={formToken} />
      <button type="submit" class="plain">
        Replace them by ten new ones
      </button>
    </form>
  </div>
);
