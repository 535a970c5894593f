import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Storage } from '../kernel/context.ts';

const message = (recipientId: string): string => `signature-reminders.${recipientId}`;

/** The URL that ends the reminders of one signer (RFC 8058); it does not open the document. */
export const stopRemindersUrl = ({ signedUrls }: Storage, recipientId: string): string =>
  signedUrls.page(`/notifications/stop/${recipientId}/${signedUrls.linkSecret(message(recipientId))}`);

export const opensStopReminders = ({ signedUrls }: Storage, secret: string, recipientId: string): boolean =>
  signedUrls.opensLink(secret, message(recipientId));

/** Ends the reminders of a signer whose link was checked; the sender sees that no reminder follows. */
export const stopReminders = (tx: Transaction, recipientId: string): Promise<unknown> =>
  tx.query(sql`UPDATE signature_recipients SET reminders_off_at = coalesce(reminders_off_at, now()), next_reminder_at = NULL
    WHERE id = ${recipientId}`);
