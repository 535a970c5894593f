import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { CertificateRevoked } from '../../revocation/answer.ts';
import { recordEvents } from '../kernel/audit.ts';
import { SERVER_ACTOR, type SealingAttempt } from './sealing-state.ts';
import { releaseStamp } from './stamp-schedule.ts';

/**
 * Ends the attempts to add validation data to a sealed file, and records which certificate was revoked, and when. Returns false,
 * and records nothing, if another attempt has taken over.
 */
export function endRevoked(
  db: Database,
  attempt: SealingAttempt,
  { subject, revokedAt }: CertificateRevoked,
): Promise<boolean> {
  const { organizationId, projectId, documentId, sessionId } = attempt;
  return inTransaction(db, async (tx) => {
    const isReleased = await releaseStamp(tx, attempt, undefined);
    if (isReleased)
      await recordEvents(SERVER_ACTOR, tx, [
        {
          ...{ organizationId, projectId, subjectId: documentId, kind: 'document.validationFailed' },
          data: {
            ...{ sessionId, reason: 'CERTIFICATE_REVOKED' },
            ...{ certificate: subject, revokedAt: revokedAt.toISOString() },
          },
        },
      ]);
    return isReleased;
  });
}
