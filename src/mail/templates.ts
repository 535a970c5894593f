import type { MailKind } from '../domain/mails/mail-kind.ts';
import { accountErased } from './kinds/account-erased.tsx';
import { digest } from './kinds/digest.tsx';
import { emailChange } from './kinds/email-change.tsx';
import { emailChangeNotice } from './kinds/email-change-notice.tsx';
import { formNotFiled } from './kinds/form-not-filed.tsx';
import { identityChanged } from './kinds/identity-changed.tsx';
import { invitation } from './kinds/invitation.tsx';
import { newSignIn } from './kinds/new-sign-in.tsx';
import { notification } from './kinds/notification.tsx';
import { passwordChanged } from './kinds/password-changed.tsx';
import { passwordReset } from './kinds/password-reset.tsx';
import { secondFactorChanged } from './kinds/second-factor-changed.tsx';
import { secondFactorRequired } from './kinds/second-factor-required.tsx';
import { signUp } from './kinds/sign-up.tsx';
import { signatureCompleted } from './kinds/signature-completed.tsx';
import { signatureDeclined } from './kinds/signature-declined.tsx';
import { signatureExpired } from './kinds/signature-expired.tsx';
import { signatureNotSealed } from './kinds/signature-not-sealed.tsx';
import { signatureReminder } from './kinds/signature-reminder.tsx';
import { signatureRequest } from './kinds/signature-request.tsx';
import { webhookEnded } from './kinds/webhook-ended.tsx';
import type { Template } from './letter/letter.ts';

/** The template of each kind of mail. */
export const TEMPLATES: Readonly<Record<MailKind, Template>> = {
  ACCOUNT_ERASED: accountErased,
  INVITATION: invitation,
  NEW_SIGN_IN: newSignIn,
  SIGN_UP: signUp,
  IDENTITY_CHANGED: identityChanged,
  EMAIL_CHANGE: emailChange,
  EMAIL_CHANGE_NOTICE: emailChangeNotice,
  NOTIFICATION: notification,
  DIGEST: digest,
  PASSWORD_RESET: passwordReset,
  PASSWORD_CHANGED: passwordChanged,
  SECOND_FACTOR_CHANGED: secondFactorChanged,
  SECOND_FACTOR_REQUIRED: secondFactorRequired,
  SIGNATURE_REQUEST: signatureRequest,
  SIGNATURE_REMINDER: signatureReminder,
  SIGNATURE_EXPIRED: signatureExpired,
  SIGNATURE_COMPLETED: signatureCompleted,
  SIGNATURE_NOT_SEALED: signatureNotSealed,
  SIGNATURE_DECLINED: signatureDeclined,
  FORM_NOT_FILED: formNotFiled,
  WEBHOOK_ENDED: webhookEnded,
};
