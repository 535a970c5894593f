import { shownEmail } from '../../lib/text/shown-email.ts';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Field } from '../ui/field.tsx';
import { Frame } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';

export interface SignUpErrors {
  name?: string;
  password?: string;
}

export interface InvitationProps {
  invitation: { email: string; organizationName: string; inviterName: string; inviterEmail: string };
  /** Who is signed in. */
  viewer?: { email: string; isVerified: boolean; formToken: string };
  path: string;
  /** The reader may create the account of the address. */
  canSignUp?: boolean;
  /** Where accounts come from for who has none, if not from this page. */
  accounts?: 'BY_MAIL' | 'BY_ADMINISTRATOR';
  /** The name that was entered. */
  name?: string;
  errors?: SignUpErrors;
}

/** An invitation, to be accepted by the person with its address. */
export const Invitation = (props: InvitationProps) => {
  const { invitation, viewer, path, canSignUp, accounts, errors } = props;
  return (
    <Frame title={errors ? 'Error: Invitation' : 'Invitation'}>
      <div class="card">
        {errors && <ErrorSummary errors={entriesOf(errors)} />}
        <h1>
          You are invited to <Name of={invitation.organizationName} maxLength={60} />
        </h1>
        <p class="lead who">
          By <Name of={invitation.inviterName} maxLength={60} /> ({invitation.inviterEmail}), for{' '}
          {shownEmail(invitation.email)}.
        </p>
        {viewer?.email === invitation.email && !viewer.isVerified ? (
          <>
            <p>Confirm your address first: on the page of your account, ask for the mail with the link.</p>
            <a class="button" href="/account#email-address">
              Your account
            </a>
          </>
        ) : viewer?.email === invitation.email ? (
          <form method="post" action={path}>
            <input type="hidden" name="form_token" value={viewer.formToken} />
            <button type="submit">Accept the invitation</button>
          </form>
        ) : canSignUp ? (
          <SignUpForm {...props} />
        ) : (
          <>
            {viewer && (
              <p>You are signed in as {shownEmail(viewer.email)}. The invitation is for another address.</p>
            )}
            <a class="button" href={`/sign-in?return_to=${encodeURIComponent(path)}`}>
              Sign in as {shownEmail(invitation.email)}
            </a>
            {!viewer && accounts && <WithoutAccount {...{ accounts, email: invitation.email }} />}
          </>
        )}
      </div>
    </Frame>
  );
};

/** The same text whether the address has an account or not. */
const WithoutAccount = ({ accounts, email }: { accounts: 'BY_MAIL' | 'BY_ADMINISTRATOR'; email: string }) =>
  accounts === 'BY_MAIL' ? (
    <p>
      If {shownEmail(email)} has no account yet: the link in the mail creates one, as that proves the address.
      This link was passed on by hand.
    </p>
  ) : (
    <>
      <p>
        If {shownEmail(email)} has no account yet: the administrator of this server creates it, with this
        command in the folder of the server. Then sign in here.
      </p>
      <pre>npm run admin -- create-user --email ADDRESS --name NAME</pre>
    </>
  );

interface OverProps {
  invitation: Pick<InvitationProps['invitation'], 'organizationName' | 'inviterName' | 'inviterEmail'>;
  /** A newer link was sent. */
  isReplaced: boolean;
}

/** The page of a link that has expired or was replaced. */
export const Over = ({
  invitation: { organizationName, inviterName, inviterEmail },
  isReplaced,
}: OverProps) => (
  <Frame title={isReplaced ? 'There is a newer link' : 'This invitation has expired'}>
    <div class="card">
      <h1>{isReplaced ? 'There is a newer link' : 'This invitation has expired'}</h1>
      <p class="who">
        {isReplaced
          ? 'The invitation was sent again: use the link in the newest mail about '
          : 'The link works no more, and nothing was changed. It was an invitation to '}
        <Name of={organizationName} maxLength={60} />.
      </p>
      <p class="who">
        {isReplaced ? 'If you did not get that mail, ask ' : 'To get a new one, ask '}
        <Name of={inviterName} maxLength={60} /> (<a href={`mailto:${inviterEmail}`}>{inviterEmail}</a>) to
        send it again.
      </p>
    </div>
  </Frame>
);

const entriesOf = ({ name, password }: SignUpErrors) => [
  ...(name ? [{ at: 'name', text: name }] : []),
  ...(password ? [{ at: 'password', text: password }] : []),
];

const SignUpForm = ({ invitation, path, name, errors }: InvitationProps) => (
  <form method="post" action={path} novalidate>
    <input type="hidden" name="email" autocomplete="username" value={invitation.email} />
    <Field
      {...{ name: 'name', label: 'Your name', type: 'text', value: name, error: errors?.name }}
      autocomplete="name"
    />
    <Field
      {...{ name: 'password', label: 'Choose a password', type: 'password', error: errors?.password }}
      autocomplete="new-password"
    />
    <div class="actions">
      <button type="submit">Create the account and accept</button>
    </div>
  </form>
);
