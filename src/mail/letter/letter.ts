import type { Child } from 'hono/jsx';
import type { Database } from '../../db/database.ts';
import type { Storage } from '../../domain/kernel/context.ts';
import type { ClaimedMail } from '../../domain/mails/mail-claim.ts';

/** The content of a mail. The parts of layout.tsx make its HTML and its plain text. */
export interface Letter {
  /** One line of our own words; names in it by `isolatedName`. */
  subject: string;
  body: Child;
  /** Why the recipient gets it, at its foot. */
  reason: Child;
  /** The address that answers go to: of the person who caused the mail. */
  replyTo?: string;
  /** The id of what mails of one conversation are about: mail programs group them by it. */
  threadId?: string;
  /** The page that ends mails of this kind, with its secret; it takes a POST without a cookie (RFC 8058). */
  unsubscribeUrl?: string;
  /** The text of that link, where there is a better one than for mails of its kind. */
  unsubscribeText?: string;
}

interface LetterContext {
  db: Database;
  storage: Storage;
  /** Where the mail goes: what is kept in the outbox may be read by administrators too. */
  mail: { target: 'SMTP' | 'OUTBOX' | 'NONE' };
}

/**
 * The template of a kind of mail: reads what it is about and writes it. Undefined when the cause has ended, or the recipient
 * may not see it any more: the mail is cancelled. It may store the hash of a secret that it puts into a link.
 */
export type Template = (context: LetterContext, mail: ClaimedMail) => Promise<Letter | undefined>;
