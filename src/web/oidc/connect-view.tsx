import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';

export interface ConnectProps {
  /** The name of the identity provider. */
  provider: string;
  /** The address that the provider names. */
  address?: string;
  canCreate: boolean;
  /** What was entered. */
  email?: string;
  error?: string;
}

/** Asks a person who comes from the identity provider for the first time which account is theirs. */
export const Connect = ({ provider, address, canCreate, email, error }: ConnectProps) => (
  <Frame title={error ? 'Error: Which account is yours?' : 'Which account is yours?'}>
    <div class="card">
      {error && <ErrorSummary errors={[{ at: 'email', text: error }]} />}
      <h1>Which account is yours?</h1>
      <p class="lead who">
        You sign in with {provider} for the first time
        {address && (
          <>
            , as <bdi>{address}</bdi>
          </>
        )}
        . If you have an account here, enter its password once to connect it.
      </p>
      <form method="post" action="/sign-in/oidc/connect" novalidate>
        <Field
          {...{
            name: 'email',
            label: 'E-mail address of your account',
            type: 'email',
            value: email ?? address,
          }}
          autocomplete="username"
        />
        <Field
          {...{ name: 'password', label: 'Password', type: 'password' }}
          autocomplete="current-password"
        />
        <div class="actions">
          <button type="submit">Connect the account</button>
        </div>
      </form>
    </div>
    {canCreate && (
      <div class="card">
        <h2>You have no account yet?</h2>
        <p class="who">
          A mail to <bdi>{address}</bdi> proves that the address is yours.
        </p>
        <form method="post" action="/sign-in/oidc/create">
          <button type="submit" class="plain">
            Send the mail
          </button>
        </form>
      </div>
    )}
  </Frame>
);
