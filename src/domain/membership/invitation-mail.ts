import type { Transaction } from '../../db/database.ts';
import { queueMails } from '../mails/queue-mail.ts';
import type { Invitation } from '../organizations/invitation.ts';

/** Queues a mail with the link to each invitation, once each time that it is sent. */
export const queueInvitationMails = (
  tx: Transaction,
  invitations: readonly Pick<
    Invitation,
    'organizationId' | 'id' | 'email' | 'createdById' | 'resends' | 'expiresAt'
  >[],
): Promise<void> =>
  queueMails(
    tx,
    invitations.map(({ organizationId, id: subjectId, email: to, createdById, resends, expiresAt }) => ({
      ...{ kind: 'INVITATION', organizationId, subjectId, to, createdById, expiresAt },
      data: { resends },
      dedupeKey: `invitation:${subjectId}:${resends + 1}`,
    })),
  );
