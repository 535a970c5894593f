import { PasskeyForm } from '../passkeys/passkey-form.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';
import { LookalikeWarning } from '../ui/lookalike-warning.tsx';
import { Name } from '../ui/name.tsx';
import type { Destination } from './destination.ts';

export interface SignInProps {
  /** A validated path of this site. */
  returnTo: string;
  /** Why the user has to sign in. */
  purpose?: string;
  email?: string;
  /** Errors by field; `form` is the summary. */
  errors?: { form?: string; email?: string; password?: string };
  signedOut?: boolean;
  /** The user who is already signed in. */
  viewer?: { name: string; email: string; formToken: string };
  /** The name of the identity provider, if there is one. */
  provider?: string;
  /** Whether anybody may create an account. */
  offersSignUp?: boolean;
  /** The application that the user signs in for. */
  destination?: Destination;
  /** Path to continue with an API key instead. */
  keyPath?: string;
}

/** The sign-in page. After an error the summary has the focus, and each entry links to its field. */
export const SignIn = (props: SignInProps) => {
  const { returnTo, email, errors, viewer, keyPath, destination } = props;
  return (
    <Frame title={errors ? 'Error: Sign in' : 'Sign in'}>
      {viewer && <Already viewer={viewer} returnTo={returnTo} destination={destination} />}
      <div class="card">
        {errors ? <SignInErrors errors={errors} /> : props.signedOut && <SignedOut />}
        {viewer ? <h2>Sign in with another account</h2> : <h1>Sign in</h1>}
        {destination && !viewer && <GoesOnTo destination={destination} />}
        <p class="lead">{props.purpose ?? 'Use the e-mail address and password of your account.'}</p>
        <form method="post" action="/sign-in" novalidate>
          <input type="hidden" name="return_to" value={returnTo} />
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="username"
            value={email}
            error={errors?.email}
            focus={!errors && !viewer}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            error={errors?.password}
          />
          <div class="actions">
            <button type="submit">Sign in</button>
            <a href="/password/forgot">Forgot your password?</a>
          </div>
        </form>
        <PasskeyForm
          {...{ kind: 'get', label: 'Use a passkey instead', plain: true }}
          action="/sign-in/passkey"
          options="/sign-in/passkey/options"
          hidden={{ return_to: returnTo }}
        />
      </div>
      {props.provider && (
        <form class="after" method="post" action="/sign-in/oidc">
          <input type="hidden" name="return_to" value={returnTo} />
          <button type="submit" class="plain">
            Sign in with {props.provider}
          </button>
        </form>
      )}
      {props.offersSignUp && !viewer && (
        <p class="after">
          No account yet? <a href="/sign-up">Create one</a>
        </p>
      )}
      {keyPath && !viewer && (
        <p class="after">
          Have an API key? <a href={keyPath}>Continue with the key</a>
        </p>
      )}
    </Frame>
  );
};

/** The application is shown as the consent page shows it, which comes next. */
const GoesOnTo = ({ destination: { name, organizationName, logo } }: { destination: Destination }) => (
  <>
    <div class={logo ? 'asking' : undefined}>
      {logo && <img class="logo" src={logo} width={32} height={32} alt="" />}
      <p class="who">
        You go on to <Name of={name} maxLength={50} />, an application of{' '}
        <Name of={organizationName} maxLength={50} />.
      </p>
    </div>
    <LookalikeWarning names={[name, organizationName]} />
  </>
);

const SignInErrors = ({ errors }: { errors: NonNullable<SignInProps['errors']> }) => (
  <div class="note alarm" role="alert" tabindex={-1} autofocus aria-labelledby="error-summary">
    <h2 id="error-summary">{errors.form ?? 'There is a problem'}</h2>
    {(errors.email || errors.password) && (
      <ul>
        {errors.email && (
          <li>
            <a href="#email">{errors.email}</a>
          </li>
        )}
        {errors.password && (
          <li>
            <a href="#password">{errors.password}</a>
          </li>
        )}
      </ul>
    )}
  </div>
);

const SignedOut = () => (
  <div class="note" role="status">
    <p>You are signed out.</p>
  </div>
);

const Already = ({
  viewer: { name, email, formToken },
  returnTo,
  destination,
}: {
  viewer: NonNullable<SignInProps['viewer']>;
  returnTo: string;
  destination: SignInProps['destination'];
}) => (
  <div class="card">
    <h1>You are signed in</h1>
    <p class="lead who">
      As <Name of={name} /> ({email}).
    </p>
    {destination && <GoesOnTo destination={destination} />}
    <form method="post" action="/sign-out">
      <input type="hidden" name="form_token" value={formToken} />
      <div class="row">
        <a class="button" href={returnTo}>
          Continue
        </a>
        <a class="button plain" href="/account">
          Your account
        </a>
        <button type="submit" class="plain">
          Sign out
        </button>
      </div>
    </form>
  </div>
);
