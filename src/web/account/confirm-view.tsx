import { hasSecondFactor, type SecondFactors } from '../../domain/accounts/second-factors.ts';
import { CodeErrorSummary, type CodeErrors, CodeForms } from '../sign-in/second-factor-view.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';

/** Errors by the id of their field. */
export type ConfirmErrors = CodeErrors & { password?: string };

export interface ConfirmProps {
  email: string;
  factors: SecondFactors;
  hasPassword: boolean;
  formToken: string;
  /** A validated path of this site. */
  returnTo: string;
  errors?: ConfirmErrors;
}

const ACTION = '/account/confirm';

/** Asks who is signed in to prove again who they are. */
export const Confirm = ({ email, factors, hasPassword, formToken, returnTo, errors }: ConfirmProps) => {
  const hidden = { form_token: formToken, return_to: returnTo };
  return (
    <Frame title={errors ? 'Error: Show that it is you' : 'Show that it is you'}>
      <div class="card">
        {errors && <CodeErrorSummary errors={errors} />}
        <h1>Show that it is you</h1>
        <p class="lead who">Before you go on as {email}. It is asked for again after ten minutes.</p>
        {hasSecondFactor(factors) ? (
          <CodeForms {...{ factors, errors, hidden }} action={ACTION} />
        ) : hasPassword ? (
          <PasswordForm error={errors?.password} hidden={hidden} />
        ) : (
          <SignInAgain />
        )}
        <p class="after">
          <a href="/account">Back to your account</a>
        </p>
      </div>
    </Frame>
  );
};

const PasswordForm = ({ error, hidden }: { error?: string; hidden: Record<string, string> }) => (
  <form method="post" action={ACTION} novalidate>
    {Object.entries(hidden).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <Field
      {...{ name: 'password', label: 'Your password', type: 'password', error }}
      autocomplete="current-password"
      focus={!error}
    />
    <div class="actions">
      <button type="submit">Continue</button>
    </div>
  </form>
);

/** For an account that has neither a password nor a second factor. */
const SignInAgain = () => <p>Your account has no password. Sign out, and sign in again.</p>;
