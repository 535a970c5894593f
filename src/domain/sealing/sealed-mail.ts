import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { queueMails } from '../mails/queue-mail.ts';

const DEDUPE = {
  SIGNATURE_COMPLETED: 'signature.completed',
  SIGNATURE_NOT_SEALED: 'signature.notSealed',
} as const;

interface Informed {
  email: string;
  /** Null for who sent the document. */
  recipientId: string | null;
  userId: string | null;
}

/**
 * Queues a mail to each signer of a session that is sealed, or for good is not, and to who sent it. An address gets one of
 * each kind.
 */
export async function queueSealingMails(
  tx: Transaction,
  kind: 'SIGNATURE_COMPLETED' | 'SIGNATURE_NOT_SEALED',
  { organizationId, sessionId }: { organizationId: string; sessionId: string },
): Promise<void> {
  const informed =
    await tx.query<Informed>(sql`SELECT DISTINCT ON (x.email) x.email, x.recipient_id, x.user_id FROM (
      SELECT r.email, r.id AS recipient_id, r.user_id FROM signature_recipients r
      WHERE r.organization_id = ${organizationId} AND r.session_id = ${sessionId}
      UNION ALL
      SELECT u.email, NULL, u.id FROM signature_sessions g JOIN users u ON u.id = g.created_by_id
      WHERE g.organization_id = ${organizationId} AND g.id = ${sessionId}
    ) x ORDER BY x.email, x.recipient_id NULLS LAST`);
  await queueMails(
    tx,
    informed.map(({ email: to, recipientId, userId: toUserId }) => ({
      ...{ kind, organizationId, subjectId: sessionId, data: { recipientId } },
      ...{ to, toUserId, dedupeKey: `${DEDUPE[kind]}:${sessionId}:${recipientId ?? 'sender'}` },
    })),
  );
}
