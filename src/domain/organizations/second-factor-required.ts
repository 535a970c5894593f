import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { accountHasSecondFactor, membershipIsUsable } from '../access/access-second-factor.ts';
import { tables } from '../kernel/tables.ts';
import { type NewMail, queueMails } from '../mails/queue-mail.ts';

/** Mails all members without a second factor that the organization requires one from now on; each at most once a day. */
export async function tellSecondFactorRequired(
  tx: Transaction,
  organizationId: string,
  createdById: string,
): Promise<void> {
  const members = await tx.query<{ id: string; userId: string; email: string; day: string }>(sql`
    SELECT m.id, m.user_id, u.email, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
    FROM ${tables.memberships.from} JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND u.disabled_at IS NULL AND u.service_client_id IS NULL
      AND NOT ${accountHasSecondFactor(sql`m.user_id`)}
    ORDER BY m.id`);
  await queueMails(
    tx,
    members.map(
      ({ id, userId, email, day }): NewMail => ({
        kind: 'SECOND_FACTOR_REQUIRED',
        to: email,
        ...{ toUserId: userId, organizationId, subjectId: id, createdById },
        dedupeKey: `second-factor-required:${id}:${day}`,
      }),
    ),
  );
}

/** The organization that is closed to a member for lack of a second factor; undefined if it is not, or the member has left. */
export async function findClosedMembership(
  reader: Reader,
  membershipId: string,
): Promise<{ organizationName: string } | undefined> {
  const [closed] = await reader.query<{ organizationName: string }>(sql`SELECT o.name AS organization_name
    FROM ${tables.memberships.from} JOIN organizations o ON o.id = m.organization_id JOIN users u ON u.id = m.user_id
    WHERE m.id = ${membershipId} AND u.disabled_at IS NULL AND NOT ${membershipIsUsable(tables.memberships)}`);
  return closed;
}
