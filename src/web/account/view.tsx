import type { Identity } from '../../domain/accounts/external-identity.ts';
import type { SecondFactors } from '../../domain/accounts/second-factors.ts';
import { shownEmail } from '../../lib/text/shown-email.ts';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Frame } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';
import { SiteHeader } from '../ui/site-header.tsx';
import { Done } from './done.tsx';
import { FactorsSection } from './factors-section.tsx';
import { type PasswordErrors, PasswordSection } from './password-section.tsx';
import { type EmailErrors, EmailSection, type EmailState } from './sections/email.tsx';
import { PersonalDataSection } from './sections/erasure.tsx';
import { type IdentityErrors, IdentitySection } from './sections/identities.tsx';
import { type ListedSignIn, SignInsSection } from './sign-ins-section.tsx';

export interface AccountProps {
  name: string;
  emailState: EmailState;
  formToken: string;
  signIns: readonly ListedSignIn[];
  factors: SecondFactors;
  newSignInMails: boolean;
  /** Names of organizations that need a second factor, which the person lacks. */
  closed: readonly string[];
  provider?: string;
  identities: readonly Identity[];
  /** Errors by the id of their field. */
  errors?: PasswordErrors & EmailErrors & IdentityErrors;
  /** The address that was entered, after an error. */
  enteredEmail?: string;
  /** What was just done. */
  done?: string;
}

/** `/account`: a section for each part of the account of who is signed in. */
export const Account = ({
  name,
  emailState,
  formToken,
  provider,
  identities,
  errors,
  done,
  enteredEmail,
  ...more
}: AccountProps) => (
  <Frame
    title={errors ? 'Error: Your account' : 'Your account'}
    header={<SiteHeader current="/account" viewerName={name} />}
  >
    <div class="card">
      {errors && (
        <ErrorSummary errors={Object.entries(errors).flatMap(([at, text]) => (text ? [{ at, text }] : []))} />
      )}
      <Done text={done} />
      <h1>Your account</h1>
      <p class="lead who">
        <Name of={name} /> ({shownEmail(emailState.email)})
      </p>
      <p>
        <a href="/oauth/apps">Applications with access</a>, <a href="/console/keys">API keys</a>,{' '}
        <a href="/console/notifications">notifications</a> and{' '}
        <a href="/console/security">events of your account</a> have pages of their own.
      </p>
      <PasswordSection {...{ formToken, errors }} />
    </div>
    <EmailSection {...{ ...emailState, formToken, errors }} entered={enteredEmail} />
    <FactorsSection {...more} />
    {(provider || identities.length > 0) && <IdentitySection {...{ provider, identities, formToken }} />}
    <SignInsSection {...{ formToken, ...more }} />
    <PersonalDataSection />
  </Frame>
);
