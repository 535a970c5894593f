import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { tables } from '../kernel/tables.ts';

/** The events that were redacted, and their subjects. */
interface Redacted {
  eventIds: string[];
  subjectIds: string[];
}

/**
 * Deletes the mails of the outbox that were written about these events. What follows a subject may have moved on to another
 * event since its mail, so all mails about followed subjects go. Mails that wait are written from what is there by then.
 */
export const deleteQuotingMails = (
  tx: Transaction,
  organizationId: string,
  { eventIds, subjectIds }: Redacted,
): Promise<unknown> =>
  tx.query(sql`DELETE FROM ${tables.mails.from} WHERE m.state = 'OUTBOX' AND m.kind IN ('NOTIFICATION', 'DIGEST')
    AND EXISTS (SELECT FROM ${tables.notifications.from} WHERE n.organization_id = ${organizationId}
      AND (n.event_id = ANY(${eventIds}) OR (n.kind = 'FOLLOWED' AND n.subject_id = ANY(${subjectIds})))
      AND (n.id = m.subject_id OR (n.user_id = m.to_user_id AND n.digest_at = (m.data ->> 'at')::timestamptz)))`);
