import type { TypedCode } from '../../auth/second-factor.ts';
import type { SecondFactors } from '../../domain/accounts/second-factors.ts';
import { PasskeyForm } from '../passkeys/passkey-form.tsx';
import { describedBy, ErrorSummary, FieldErrorText } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';

/** Errors by the field with a code. */
export type CodeErrors = { code?: string; recoveryCode?: string; passkey?: string };

export interface SecondFactorProps {
  /** A validated path of this site. */
  returnTo: string;
  factors: SecondFactors;
  errors?: CodeErrors;
}

/** The code of a form with `CodeForms`. */
export const typedCode = (form: URLSearchParams): TypedCode => {
  const recoveryCode = form.get('recoveryCode');
  return recoveryCode === null
    ? { kind: 'code', text: form.get('code') ?? '' }
    : { kind: 'recoveryCode', text: recoveryCode };
};

/** The second step of a sign-in. */
export const SecondFactor = ({ returnTo, factors, errors }: SecondFactorProps) => (
  <Frame title={errors ? 'Error: Second factor' : 'Second factor'}>
    <div class="card">
      {errors && <CodeErrorSummary errors={errors} />}
      <h1>Show that it is you</h1>
      <p class="lead">The first step is done. Your account asks for a second factor too.</p>
      <CodeForms {...{ factors, errors }} action="/sign-in/second-factor" hidden={{ return_to: returnTo }} />
      <p class="after">
        <a href={`/sign-in?return_to=${encodeURIComponent(returnTo)}`}>Start again</a>
      </p>
    </div>
  </Frame>
);

export const CodeErrorSummary = ({ errors }: { errors: CodeErrors }) => (
  <ErrorSummary errors={Object.entries(errors).map(([at, text]) => ({ at, text }))} />
);

interface CodeFormsProps {
  factors: SecondFactors;
  errors?: CodeErrors;
  action: string;
  hidden: Record<string, string>;
}

/** Asks for a passkey, a code of the authenticator app, or a recovery code. */
export const CodeForms = ({ factors, errors, action, hidden }: CodeFormsProps) => (
  <>
    {factors.passkeys > 0 && (
      <PasskeyForm
        {...{ kind: 'get', hidden, label: 'Use a passkey', error: errors?.passkey }}
        action={`${action}/passkey`}
        options={`${action}/options`}
      />
    )}
    {factors.hasAuthenticatorApp && (
      <form method="post" action={action} novalidate>
        <HiddenFields of={hidden} />
        <CodeField error={errors?.code} focus={!errors && factors.passkeys === 0} />
        <div class="actions">
          <button type="submit">Continue</button>
        </div>
      </form>
    )}
    {factors.recoveryCodes > 0 && (
      <details class="other" open={errors?.recoveryCode !== undefined}>
        <summary>Use a recovery code</summary>
        <form method="post" action={action} novalidate>
          <HiddenFields of={hidden} />
          <Field
            {...{ name: 'recoveryCode', label: 'Recovery code', type: 'text', autocomplete: 'off' }}
            error={errors?.recoveryCode}
            capitalize="none"
          />
          <button type="submit" class="plain">
            Use this code
          </button>
        </form>
      </details>
    )}
  </>
);

const HiddenFields = ({ of }: { of: Record<string, string> }) => (
  <>
    {Object.entries(of).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** Six digits of an authenticator app. */
export const CodeField = ({ error, focus }: { error?: string; focus?: boolean }) => (
  <div class="field">
    <label for="code">Code of your authenticator app</label>
    <span class="hint" id="code-hint">
      Six digits
    </span>
    <FieldErrorText id="code" text={error} />
    <input
      {...{ id: 'code', name: 'code', type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code' }}
      class="code"
      maxlength={11}
      spellcheck={false}
      required
      autofocus={focus}
      {...describedBy('code', { hint: true, error: error !== undefined })}
    />
  </div>
);
