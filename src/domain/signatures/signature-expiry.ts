import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { overdueSession } from '../access/access-signing.ts';
import { type DueWork, doDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { recordEvents, serverActor, subjectEvent } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import { queueMails } from '../mails/queue-mail.ts';

interface Expired {
  organizationId: string;
  projectId: string;
  documentId: string;
  id: string;
  createdById: string;
  senderEmail: string;
}

/**
 * Stops the active session whose time passed first, round-robin over the organizations, and tells its sender; false if there is
 * none. Locks the document first, as signing does, so that the two are serialized.
 */
export const expireNextSession = (db: Database): Promise<boolean> => doDueWork(db, expiring);

/** Its rows are documents. */
const expiring: DueWork<DueRow> = {
  work: 'expireSession',
  async claim(tx, idCondition) {
    const [document] =
      await tx.query<DueRow>(sql`SELECT d.organization_id, d.id FROM ${tables.signatureSessions.from}
        JOIN ${tables.documents.from} ON d.organization_id = g.organization_id AND d.id = g.document_id
      WHERE ${overdueSession(tables.signatureSessions)} AND g.expires_at <= now() AND g.organization_id ${idCondition}
        AND ${mayBeTried('expireSession', tables.documents)}
      ORDER BY g.organization_id, g.expires_at LIMIT 1 FOR NO KEY UPDATE OF d SKIP LOCKED`);
    return document;
  },
  run: expireSessions,
};

async function expireSessions(tx: Transaction, { id: documentId }: DueRow): Promise<void> {
  const expired = await tx.query<Expired>(sql`UPDATE ${tables.signatureSessions.from}
    SET state = 'STOPPED', stop_reason = 'EXPIRED', stopped_at = now(), version = g.version + 1
    FROM documents d, users u WHERE d.organization_id = g.organization_id AND d.id = g.document_id AND u.id = g.created_by_id
      AND g.document_id = ${documentId} AND ${overdueSession(tables.signatureSessions)}
    RETURNING g.organization_id, d.project_id, g.document_id, g.id, g.created_by_id, u.email AS sender_email`);
  await queueMails(
    tx,
    expired.map(({ organizationId, id: subjectId, createdById: toUserId, senderEmail: to }) => ({
      ...{ kind: 'SIGNATURE_EXPIRED', organizationId, subjectId, to, toUserId },
      dedupeKey: `signature.expired:${subjectId}`,
    })),
  );
  const events = expired.map(({ documentId, id: sessionId, ...path }) =>
    subjectEvent({ ...path, id: documentId }, 'document.signingStopped', {
      sessionId,
      after: { state: 'STOPPED', stopReason: 'EXPIRED' },
    }),
  );
  await recordEvents(serverActor('expiry'), tx, events);
}
