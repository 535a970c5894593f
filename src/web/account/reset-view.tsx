import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';

/** `/password/forgot`: asks for the address. */
export const Forgot = ({ email, error }: { email?: string; error?: string }) => (
  <Frame title={error ? 'Error: Forgot your password?' : 'Forgot your password?'}>
    <div class="card">
      {error && <ErrorSummary errors={[{ at: 'email', text: error }]} />}
      <h1>Forgot your password?</h1>
      <p class="lead">
        Enter the e-mail address of your account. You get a mail with a link to a new password.
      </p>
      <form method="post" action="/password/forgot" novalidate>
        <Field
          {...{ name: 'email', label: 'E-mail address', type: 'email', value: email, error }}
          autocomplete="username"
          focus={!error}
        />
        <div class="actions">
          <button type="submit">Send the mail</button>
          <a href="/sign-in">Sign in</a>
        </div>
      </form>
    </div>
  </Frame>
);

/** The page of a mailed link: asks for the new password. */
export const Reset = ({ email, path, error }: { email: string; path: string; error?: string }) => (
  <Frame title={error ? 'Error: Set a new password' : 'Set a new password'}>
    <div class="card">
      {error && <ErrorSummary errors={[{ at: 'password', text: error }]} />}
      <h1>Set a new password</h1>
      <p class="lead who">
        For <bdi>{email}</bdi>. All sign-ins of the account end, and applications need your permission again.
      </p>
      <form method="post" action={path} novalidate>
        <input type="hidden" name="email" autocomplete="username" value={email} />
        <Field
          {...{ name: 'password', label: 'New password', type: 'password', error }}
          autocomplete="new-password"
          focus={!error}
        />
        <div class="actions">
          <button type="submit">Set the password</button>
        </div>
      </form>
    </div>
  </Frame>
);
