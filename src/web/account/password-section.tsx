import { Field } from '../ui/field.tsx';

/** Errors by the id of their field. */
export type PasswordErrors = { current?: string; password?: string };

export const PasswordSection = ({ formToken, errors }: { formToken: string; errors?: PasswordErrors }) => (
  <>
    <h2>Change the password</h2>
    <form method="post" action="/account/password" novalidate>
      <input type="hidden" name="form_token" value={formToken} />
      <Field
        {...{ name: 'current', label: 'Your password now', type: 'password' }}
        autocomplete="current-password"
        error={errors?.current}
      />
      <Field
        {...{ name: 'password', label: 'New password', type: 'password' }}
        autocomplete="new-password"
        error={errors?.password}
      />
      <p>All other sign-ins end.</p>
      <div class="actions">
        <button type="submit">Change the password</button>
      </div>
    </form>
  </>
);
