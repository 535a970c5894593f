import type { MailKind } from '../domain/mails/mail-kind.ts';
import { invitation } from './kinds/invitation.tsx';
import type { Template } from './letter/letter.ts';

/** The template of each kind of mail. */
export const TEMPLATES: Readonly<Record<MailKind, Template>> = {
  INVITATION: invitation,
};
