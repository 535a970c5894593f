import type { Database } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql/sql.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { queueMails } from '../../../src/domain/mails/queue-mail.ts';
import { newId } from '../../../src/lib/id.ts';

/**
 * Queues mails: every other one is of a kind that is sent once more when its result is unknown (an invitation); the others are
 * never sent twice.
 */
export async function queueMany(db: Database, organizationId: string, count: number): Promise<void> {
  const { id: createdById } = await db.prisma.user.findFirstOrThrow({ select: { id: true } });
  const size = 1_000;
  for (let from = 0; from < count; from += size) {
    const addresses = Array.from(
      { length: Math.min(size, count - from) },
      (_, index) => `p${from + index}@example.test`,
    );
    const invitations = addresses
      .filter((_, index) => index % 2 === 0)
      .map((email) => ({
        organizationId,
        id: newId('Invitation'),
        email,
        role: 'MEMBER' as const,
        createdById,
      }));
    await inTransaction(db, async (tx) => {
      await tx.prisma.invitation.createMany({ data: invitations });
      await queueMails(
        tx,
        invitations.map(({ id: subjectId, email: to }) => ({
          kind: 'INVITATION',
          organizationId,
          subjectId,
          to,
        })),
      );
      await queueMails(
        tx,
        addresses
          .filter((_, index) => index % 2 === 1)
          .map((to) => ({
            kind: 'PASSWORD_CHANGED',
            organizationId: null,
            to,
            data: { kind: 'password.changed' },
          })),
      );
    });
  }
}

/** Mails that are still to be tried. */
export async function countOpen(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM mails WHERE state IN ('WAITING', 'SENDING')`,
  );
  return row?.count ?? 0;
}

/** As if the leases of processes that died, and all waiting times, had passed. Nothing runs at this moment. */
export const makeDue = (db: Database) =>
  db.query(sql`UPDATE mails SET next_at = now() - interval '1 second' WHERE state IN ('WAITING', 'SENDING')`);

export interface MailRow {
  id: string;
  kind: string;
  state: string;
  isUncertain: boolean;
}

export const readMails = (db: Database) =>
  db.query<MailRow>(
    sql`SELECT id, kind, state::text AS state, uncertain_at IS NOT NULL AS is_uncertain FROM mails`,
  );
