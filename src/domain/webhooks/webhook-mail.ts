import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { visibleWebhooks } from '../access/access-credential.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { queueMails } from '../mails/queue-mail.ts';

/** Queues the mail to the owner of a webhook that the server has ended. */
export async function queueEndedMail(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  const [owner] = await tx.query<{ id: string; email: string }>(
    sql`SELECT u.id, u.email FROM webhooks w JOIN users u ON u.id = w.owner_id WHERE w.id = ${id}`,
  );
  if (!owner) return;
  await queueMails(tx, [
    { kind: 'WEBHOOK_ENDED', to: owner.email, toUserId: owner.id, organizationId, subjectId: id },
  ]);
}

/** What the mail says of a webhook that has ended. */
interface EndedWebhook {
  url: string;
  stateReason: string;
  organizationId: string;
  organizationName: string;
}

/** The webhook, while it sends nothing and the reader of the mail sees it. */
export async function findEndedWebhook(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<EndedWebhook | undefined> {
  const [webhook] = await db.query<EndedWebhook>(sql`SELECT w.url, w.state_reason, w.organization_id,
      o.name AS organization_name
    FROM ${tables.webhooks.from} JOIN organizations o ON o.id = w.organization_id
    WHERE w.id = ${id} AND w.state <> 'ACTIVE' AND w.state_reason IS NOT NULL AND ${visibleWebhooks(viewer, tables.webhooks)}`);
  return webhook;
}
