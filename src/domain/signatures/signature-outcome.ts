import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { User } from '../../generated/prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { queueMails } from '../mails/queue-mail.ts';

/** Queues a mail to who sent the document, unless they decline themselves. */
export async function queueDeclinedMail(
  { viewer }: Context,
  tx: Transaction,
  { id: recipientId, organizationId, sessionId }: { id: string; organizationId: string; sessionId: string },
): Promise<void> {
  const [sender] = await tx.query<Pick<User, 'id' | 'email'>>(sql`SELECT u.id, u.email
    FROM signature_sessions g JOIN users u ON u.id = g.created_by_id
    WHERE g.organization_id = ${organizationId} AND g.id = ${sessionId}`);
  if (!sender || sender.id === viewer.userId) return;
  await queueMails(tx, [
    {
      ...{ kind: 'SIGNATURE_DECLINED', organizationId, subjectId: sessionId, data: { recipientId } },
      ...{ to: sender.email, toUserId: sender.id, dedupeKey: `signature.declined:${sessionId}` },
    },
  ]);
}
