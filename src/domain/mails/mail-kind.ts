import { DAY, HOUR } from '../../lib/time.ts';

/**
 * ACCOUNT: about the recipient's own account. REQUEST: a person waits for another one to sign. INVITATION: anybody can cause one for
 * anybody. NOTICE, DIGEST: what happened.
 */
export const PRIORITY = { ACCOUNT: 0, REQUEST: 1, INVITATION: 2, NOTICE: 3, DIGEST: 4 } as const;

interface KindRules {
  /** What it is about, for the schema. */
  readonly description: string;
  /** Lower ones are sent first. Each priority has hourly limits of its own, so that none uses up those of another. */
  readonly priority: number;
  /** After an attempt whose result is unknown: sent once more, with the same Message-ID, or left UNCERTAIN. */
  readonly resendUncertain: boolean;
  /** In ms from its creation, unless it is queued with `expiresAt`: it is not sent later than that. */
  readonly lifetime: number;
  /** It opens an account, or is about several organizations: no administrator lists it, nor reads it in the outbox. */
  readonly isPersonal?: boolean;
  /** Its link stops mails to its recipient: administrators list it, and do not read it in the outbox. */
  readonly hasPersonalLink?: boolean;
  /** Its row, which has the address, is deleted once it was handed over or has failed. */
  readonly isForgotten?: boolean;
}

/**
 * Every kind of mail. Each has a template of the same name in src/mail/kinds/, which src/mail/templates.ts lists. The names are
 * stored, and are values of the enum MailKind in the graph.
 */
const MAIL_KINDS = {
  INVITATION: {
    description: 'An invitation to an organization.',
    priority: PRIORITY.INVITATION,
    resendUncertain: true,
    lifetime: 7 * DAY,
  },
  PASSWORD_RESET: {
    description: 'A link with which the recipient sets a new password.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: true,
    lifetime: HOUR,
    isPersonal: true,
  },
  PASSWORD_CHANGED: {
    description: 'The password of the recipient was changed.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: false,
    lifetime: DAY,
    isPersonal: true,
  },
  ACCOUNT_ERASED: {
    description: 'The account of the recipient was erased: to the address that it had.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: false,
    lifetime: DAY,
    isPersonal: true,
    isForgotten: true,
  },
  SECOND_FACTOR_CHANGED: {
    description: 'The second factors of the recipient were changed, or a recovery code was used.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: false,
    lifetime: DAY,
    isPersonal: true,
  },
  SECOND_FACTOR_REQUIRED: {
    description: 'An organization requires a second factor from now on: to its members without one.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: 7 * DAY,
  },
  NEW_SIGN_IN: {
    description: 'A sign-in of the recipient with a device that had not signed in before.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: false,
    lifetime: DAY,
    isPersonal: true,
  },
  SIGN_UP: {
    description: 'A link with which the recipient creates an account.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: true,
    lifetime: DAY,
    isPersonal: true,
  },
  IDENTITY_CHANGED: {
    description: 'An identity provider was connected with the account, or disconnected.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: false,
    lifetime: DAY,
    isPersonal: true,
  },
  EMAIL_CHANGE: {
    description: 'A link with which the recipient confirms that an address is theirs.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: true,
    lifetime: DAY,
    isPersonal: true,
  },
  EMAIL_CHANGE_NOTICE: {
    description: 'The address of an account is to be changed, or was, to the address before.',
    priority: PRIORITY.ACCOUNT,
    resendUncertain: true,
    lifetime: 7 * DAY,
    isPersonal: true,
  },
  SIGNATURE_REQUEST: {
    description: 'A request to sign a document, with the link of the signer.',
    priority: PRIORITY.REQUEST,
    resendUncertain: true,
    lifetime: 7 * DAY,
  },
  SIGNATURE_REMINDER: {
    description: 'A reminder of a request to sign a document, with the link of the signer.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: DAY,
    hasPersonalLink: true,
  },
  SIGNATURE_EXPIRED: {
    description: 'The time to sign a document has ended before all had signed: to who sent it.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: 7 * DAY,
  },
  SIGNATURE_COMPLETED: {
    description: 'All have signed a document: to its signers, and to who sent it.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: 7 * DAY,
  },
  SIGNATURE_NOT_SEALED: {
    description: 'All have signed a document, which could not be sealed: to its signers, and to who sent it.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: 7 * DAY,
  },
  NOTIFICATION: {
    description: 'A notification that its reader wants by mail.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: DAY,
    hasPersonalLink: true,
  },
  DIGEST: {
    description: 'What happened within a day: to a person who wants that in one mail.',
    priority: PRIORITY.DIGEST,
    resendUncertain: false,
    lifetime: DAY,
    isPersonal: true,
  },
  FORM_NOT_FILED: {
    description: 'Submissions of a form could not be filed as documents: to who created the form.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: 7 * DAY,
  },
  WEBHOOK_ENDED: {
    description: 'A webhook was disabled or suspended by the server: to its owner.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: 7 * DAY,
  },
  SIGNATURE_DECLINED: {
    description: 'A signer has declined to sign a document: to who sent it.',
    priority: PRIORITY.NOTICE,
    resendUncertain: false,
    lifetime: 7 * DAY,
  },
} as const satisfies Record<string, KindRules>;

export type MailKind = keyof typeof MAIL_KINDS;

export const rulesOf = (kind: string): KindRules => MAIL_KINDS[kind as MailKind];

/** Kinds of which nothing is stored once they have ended. */
export const FORGOTTEN_KINDS = (Object.keys(MAIL_KINDS) as MailKind[]).filter(
  (kind) => rulesOf(kind).isForgotten,
);

/** Kinds that administrators list. */
export const LISTED_KINDS = (Object.keys(MAIL_KINDS) as MailKind[]).filter(
  (kind) => !rulesOf(kind).isPersonal,
);

/** Kinds whose text administrators read in the outbox. */
export const READABLE_KINDS = LISTED_KINDS.filter((kind) => !rulesOf(kind).hasPersonalLink);
