import { Frame } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';

export interface SignInProps {
  /** A validated path of this site. */
  returnTo: string;
  /** What the user signs in for. */
  purpose?: string;
  email?: string;
  /** Faults by field; `form` is the summary. */
  faults?: { form?: string; email?: string; password?: string };
  signedOut?: boolean;
  /** The user who is already signed in. */
  viewer?: { name: string; email: string; formToken: string };
  /** Path to continue with an API key instead. */
  keyPath?: string;
}

/** The sign-in page. After a fault the summary has the focus, and each entry links to its field. */
export const SignIn = (props: SignInProps) => {
  const { returnTo, email, faults, viewer, keyPath } = props;
  return (
    <Frame title={faults ? 'Error: Sign in' : 'Sign in'}>
      {viewer && <Already viewer={viewer} returnTo={returnTo} />}
      <div class="card">
        {faults ? <Faults faults={faults} /> : props.signedOut && <SignedOut />}
        {viewer ? <h2>Sign in as someone else</h2> : <h1>Sign in</h1>}
        <p class="lead">{props.purpose ?? 'Use the e-mail address and password of your account.'}</p>
        <form method="post" action="/sign-in" novalidate>
          <input type="hidden" name="return_to" value={returnTo} />
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="username"
            value={email}
            fault={faults?.email}
            focus={!faults && !viewer}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            fault={faults?.password}
          />
          <div class="actions">
            <button type="submit">Sign in</button>
          </div>
        </form>
      </div>
      {keyPath && !viewer && (
        <p class="after">
          Have an API key? <a href={keyPath}>Go on with the key</a>
        </p>
      )}
    </Frame>
  );
};

interface FieldProps {
  name: 'email' | 'password';
  label: string;
  type: string;
  autocomplete: string;
  value?: string;
  fault?: string;
  focus?: boolean;
}

const Field = ({ name, label, fault, focus, ...input }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    {fault && (
      <span class="fault" id={`${name}-fault`}>
        {fault}
      </span>
    )}
    <input
      id={name}
      name={name}
      {...input}
      autocapitalize="none"
      spellcheck={false}
      required
      autofocus={focus}
      aria-invalid={fault ? 'true' : undefined}
      aria-describedby={fault ? `${name}-fault` : undefined}
    />
  </div>
);

const Faults = ({ faults }: { faults: NonNullable<SignInProps['faults']> }) => (
  <div class="note alarm" role="alert" tabindex={-1} autofocus aria-labelledby="faults">
    <h2 id="faults">{faults.form ?? 'Something is missing'}</h2>
    {(faults.email || faults.password) && (
      <ul>
        {faults.email && (
          <li>
            <a href="#email">{faults.email}</a>
          </li>
        )}
        {faults.password && (
          <li>
            <a href="#password">{faults.password}</a>
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
}: {
  viewer: NonNullable<SignInProps['viewer']>;
  returnTo: string;
}) => (
  <div class="card">
    <h1>You are signed in</h1>
    <p class="lead who">
      As <Name of={name} /> ({email}).
    </p>
    <form method="post" action="/sign-out">
      <input type="hidden" name="form_token" value={formToken} />
      <div class="row">
        <a class="button" href={returnTo}>
          Go on
        </a>
        <button type="submit" class="plain">
          Sign out
        </button>
      </div>
    </form>
  </div>
);
