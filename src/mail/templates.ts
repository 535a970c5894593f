import type { MailKind } from '../domain/mails/mail-kind.ts';
import { invitation } from './kinds/invitation.tsx';
import { notification } from './kinds/notification.tsx';
import { passwordChanged } from './kinds/password-changed.tsx';
import { passwordReset } from './kinds/password-reset.tsx';
import { signatureCompleted } from './kinds/signature-completed.tsx';
import { signatureDeclined } from './kinds/signature-declined.tsx';
import { signatureRequest } from './kinds/signature-request.tsx';
import type { Template } from './letter/letter.ts';

/** The template of each kind of mail. */
export const TEMPLATES: Readonly<Record<MailKind, Template>> = {
  INVITATION: invitation,
  NOTIFICATION: notification,
  PASSWORD_RESET: passwordReset,
  PASSWORD_CHANGED: passwordChanged,
  SIGNATURE_REQUEST: signatureRequest,
  SIGNATURE_COMPLETED: signatureCompleted,
  SIGNATURE_DECLINED: signatureDeclined,
};
