import type { SignInRow } from '../../domain/accounts/sign-in-list.ts';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';
import { programOf } from './program.ts';

export interface PasswordErrors {
  current?: string;
  password?: string;
}

export interface AccountProps {
  name: string;
  email: string;
  formToken: string;
  signIns: readonly (SignInRow & { isCurrent: boolean })[];
  errors?: PasswordErrors;
  /** What was just done. */
  done?: string;
}

/** `/account`: the password and the sign-ins of who is signed in. */
export const Account = ({ name, email, formToken, signIns, errors, done }: AccountProps) => (
  <Frame title={errors ? 'Error: Your account' : 'Your account'}>
    <div class="card">
      {errors && <ErrorSummary errors={entriesOf(errors)} />}
      {done && (
        <div class="note" role="status">
          <p>{done}</p>
        </div>
      )}
      <h1>Your account</h1>
      <p class="lead who">
        <Name of={name} /> ({email})
      </p>
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
    </div>
    <div class="card">
      <h2>Where you are signed in</h2>
      {signIns.map((each) => (
        <SignInEntry signIn={each} formToken={formToken} />
      ))}
      {signIns.length > 1 && (
        <form method="post" action="/account/sign-ins">
          <input type="hidden" name="form_token" value={formToken} />
          <button type="submit" class="plain" name="which" value="others">
            Sign out everywhere else
          </button>
        </form>
      )}
    </div>
  </Frame>
);

const entriesOf = ({ current, password }: PasswordErrors) => [
  ...(current ? [{ at: 'current', text: current }] : []),
  ...(password ? [{ at: 'password', text: password }] : []),
];

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const SignInEntry = ({
  signIn: { id, userAgent, ipAddress, createdAt, isCurrent },
  formToken,
}: {
  signIn: AccountProps['signIns'][number];
  formToken: string;
}) => (
  <form method="post" action="/account/sign-ins">
    <input type="hidden" name="form_token" value={formToken} />
    <p>
      <bdi>{programOf(userAgent)}</bdi>
      <br />
      From {ipAddress}, since {timeOf(createdAt)}
      {isCurrent && ' – this browser'}
    </p>
    {!isCurrent && (
      <button type="submit" class="plain" name="which" value={id}>
        Sign out
      </button>
    )}
  </form>
);
