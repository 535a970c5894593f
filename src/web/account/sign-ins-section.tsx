import { programOf } from '../../domain/accounts/program.ts';
import type { SignInRow } from '../../domain/accounts/sign-in-list.ts';

export type ListedSignIn = SignInRow & { isCurrent: boolean };

export const SignInsSection = ({
  formToken,
  signIns,
  newSignInMails,
}: {
  formToken: string;
  signIns: readonly ListedSignIn[];
  newSignInMails: boolean;
}) => (
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
    <form method="post" action="/account/sign-ins">
      <input type="hidden" name="form_token" value={formToken} />
      <button type="submit" class="plain" name="which" value="all">
        Sign out everywhere
      </button>
    </form>
    <form method="post" action="/account/new-sign-in-mails">
      <input type="hidden" name="form_token" value={formToken} />
      <p>
        {newSignInMails
          ? 'You get a mail when a device signs in for the first time.'
          : 'You get no mail when a device signs in for the first time.'}
      </p>
      <button type="submit" class="plain" name="mails" value={newSignInMails ? 'off' : 'on'}>
        {newSignInMails ? 'Stop these mails' : 'Send these mails'}
      </button>
    </form>
  </div>
);

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const SignInEntry = ({
  signIn: { id, userAgent, ipAddress, createdAt, lastUsedAt, isCurrent },
  formToken,
}: {
  signIn: ListedSignIn;
  formToken: string;
}) => (
  <form method="post" action="/account/sign-ins">
    <input type="hidden" name="form_token" value={formToken} />
    <p>
      <bdi>{programOf(userAgent)}</bdi>
      <br />
      From {ipAddress}, since {timeOf(createdAt)}
      <br />
      Last used {timeOf(lastUsedAt ?? createdAt)}
      {isCurrent && ' – this browser'}
    </p>
    {!isCurrent && (
      <button type="submit" class="plain" name="which" value={id}>
        Sign out
      </button>
    )}
  </form>
);
