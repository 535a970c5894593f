import { Frame } from '../ui/layout.tsx';
import { Name } from '../ui/name.tsx';

export interface InvitationProps {
  invitation: { email: string; organizationName: string; inviterName: string; inviterEmail: string };
  /** Who is signed in. */
  viewer?: { email: string; formToken: string };
  path: string;
}

/** An invitation, to be accepted by the person with its address. */
export const Invitation = ({ invitation, viewer, path }: InvitationProps) => (
  <Frame title="Invitation">
    <div class="card">
      <h1>
        You are invited to <Name of={invitation.organizationName} maxLength={60} />
      </h1>
      <p class="lead who">
        By <Name of={invitation.inviterName} maxLength={60} /> ({invitation.inviterEmail}), for{' '}
        {invitation.email}.
      </p>
      {viewer?.email === invitation.email ? (
        <form method="post" action={path}>
          <input type="hidden" name="form_token" value={viewer.formToken} />
          <button type="submit">Accept the invitation</button>
        </form>
      ) : (
        <>
          {viewer && <p>You are signed in as {viewer.email}. The invitation is for another address.</p>}
          <a class="button" href={`/sign-in?return_to=${encodeURIComponent(path)}`}>
            Sign in as {invitation.email}
          </a>
        </>
      )}
    </div>
  </Frame>
);
