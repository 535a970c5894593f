import { shownEmail } from '../../lib/text/shown-email.ts';
import { Frame } from '../ui/layout.tsx';

interface ConfirmProps {
  path: string;
  oldEmail: string;
  newEmail: string;
  /** Who is signed in. */
  viewer?: { email: string; isOwner: boolean; formToken: string };
}

/** The page of the link that was mailed to a new address. Only who is signed in to the account can confirm it. */
export const ConfirmEmail = ({ path, oldEmail, newEmail, viewer }: ConfirmProps) => (
  <Frame title="Confirm your e-mail address">
    <div class="card">
      <h1>
        Confirm your <span class="whole">e-mail</span> address
      </h1>
      <p class="lead who">
        <bdi>{newEmail}</bdi>
        {oldEmail !== newEmail && (
          <>
            {' '}
            instead of <bdi>{oldEmail}</bdi>
          </>
        )}
      </p>
      {viewer?.isOwner ? (
        <form method="post" action={path}>
          <input type="hidden" name="form_token" value={viewer.formToken} />
          <p>All other sign-ins of your account end.</p>
          <button type="submit">Confirm the address</button>
        </form>
      ) : (
        <>
          {viewer && (
            <p class="who">
              You are signed in as <bdi>{shownEmail(viewer.email)}</bdi>.
            </p>
          )}
          <p class="who">
            If you have asked for this, sign in as <bdi>{oldEmail}</bdi> first. If not, close this page:
            nothing happens.
          </p>
          <a class="button" href={`/sign-in?return_to=${encodeURIComponent(path)}`}>
            Sign in
          </a>
        </>
      )}
    </div>
  </Frame>
);

/** The page of the link that was mailed to the address before. */
export const UndoEmail = ({
  path,
  oldEmail,
  newEmail,
  isDone,
}: {
  path: string;
  oldEmail: string;
  newEmail: string;
  isDone: boolean;
}) => (
  <Frame title="Undo the change">
    <div class="card">
      <h1>{isDone ? 'Take your e-mail address back' : 'Keep your e-mail address'}</h1>
      <p class="lead who">
        <bdi>{oldEmail}</bdi> instead of <bdi>{newEmail}</bdi>
      </p>
      <p>All sign-ins of the account end, and applications need your permission again.</p>
      <form method="post" action={path}>
        <button type="submit">{isDone ? 'Take the change back' : 'Cancel the change'}</button>
      </form>
    </div>
  </Frame>
);
