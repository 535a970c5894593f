import { shownEmail } from '../../lib/text/shown-email.ts';
import { AddressPage } from '../ui/address-page.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';

/** `/password/forgot`: asks for the address. */
export const Forgot = (entered: { email?: string; error?: string }) => (
  <AddressPage
    title="Forgot your password?"
    lead="Enter the e-mail address of your account. You get a mail with a link to a new password."
    action="/password/forgot"
    {...entered}
  />
);

/** The page of a mailed link: asks for the new password. */
export const Reset = ({ email, path, error }: { email: string; path: string; error?: string }) => (
  <Frame title={error ? 'Error: Set a new password' : 'Set a new password'}>
    <div class="card">
      {error && <ErrorSummary errors={[{ at: 'password', text: error }]} />}
      <h1>Set a new password</h1>
      <p class="lead who">
        For <bdi>{shownEmail(email)}</bdi>. All sign-ins of the account end, and applications need your
        permission again.
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
