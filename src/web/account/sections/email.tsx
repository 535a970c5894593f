import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Field } from '../../ui/field.tsx';

export interface EmailErrors {
  email?: string;
  emailPassword?: string;
}

export interface EmailState {
  email: string;
  isVerified: boolean;
  /** Without a mail server an address cannot be confirmed. */
  sendsMail: boolean;
  hasPassword: boolean;
  /** The address that waits for its confirmation. */
  pending?: string;
}

interface EmailSectionProps extends EmailState {
  formToken: string;
  /** What was entered. */
  entered?: string;
  errors?: EmailErrors;
}

/** The part of `/account` that changes the e-mail address. */
export const EmailSection = (props: EmailSectionProps) => (
  <div class="card" id="email-address">
    <h2>E-mail address</h2>
    <p class="who">
      <bdi>{shownEmail(props.email)}</bdi>
      {!props.isVerified && ' – not confirmed: invitations to it do not reach you'}
    </p>
    {props.pending && (
      <div class="note who">
        <p>
          A mail was sent to <bdi>{props.pending}</bdi>. The address counts once you have opened the link in
          it, within 24 hours.
        </p>
      </div>
    )}
    {props.sendsMail ? (
      <EmailForm {...props} />
    ) : (
      <p>This server sends no mail. Ask its administrator to change your address.</p>
    )}
  </div>
);

const EmailForm = ({ formToken, email, isVerified, hasPassword, entered, errors }: EmailSectionProps) => (
  <form method="post" action="/account/email" novalidate>
    <input type="hidden" name="form_token" value={formToken} />
    <Field
      {...{ name: 'email', label: isVerified ? 'New address' : 'Your address', type: 'email' }}
      value={entered ?? (isVerified ? undefined : email)}
      autocomplete="email"
      error={errors?.email}
    />
    {hasPassword && (
      <Field
        {...{ name: 'emailPassword', label: 'Your password', type: 'password' }}
        autocomplete="current-password"
        error={errors?.emailPassword}
      />
    )}
    <div class="actions">
      <button type="submit">{isVerified ? 'Change the address' : 'Send the mail'}</button>
    </div>
  </form>
);
