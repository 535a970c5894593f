import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Mail as MailRow, MailState } from '../../generated/prisma/client.ts';
import { readableMails, visibleMails } from '../access/access-mail.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { type MailKind, READABLE_KINDS } from './mail-kind.ts';

/** Without its text. */
export type Mail = Omit<MailRow, 'message' | 'data' | 'dedupeKey' | 'mailbox' | 'organizationId' | 'kind'> & {
  organizationId: string;
  kind: MailKind;
  /** The id again, as rows of a page cannot be copied into a Delivery. */
  mailId: string;
};

const columns = sql`m.id, m.id AS mail_id, m.organization_id, m.kind, m.priority, m.to_email, m.to_user_id, m.subject_id, m.created_by_id,
  m.created_at, m.queued_at, m.expires_at, m.state::text AS state, m.attempts, m.next_at, m.admitted_at, m.handing_at,
  m.uncertain_at, m.ended_at, m.answer`;

const byAge = (): Record<'CREATED_AT', ReturnType<typeof sortBy<Mail>>> => ({
  CREATED_AT: sortBy(sql`m.id`, sql`m.created_at`, 'timestamptz', (row) => row.createdAt),
});

export interface MailFilter {
  states?: readonly MailState[] | null;
  kinds?: readonly MailKind[] | null;
  /** Mails of which at least one attempt may have succeeded without an answer. */
  mayHaveArrived?: boolean | null;
}

/** The mails of an organization, for its owners and admins. */
export const mailsOfOrganization: Listing<Mail, MailFilter, 'CREATED_AT'> = {
  name: 'mailsOfOrganization',
  select: () => columns,
  from: tables.mails.from,
  where: ({ viewer }, { states, kinds, mayHaveArrived }) =>
    sql.all([
      sql`m.organization_id = k.id`,
      visibleMails(viewer, tables.mails),
      states && sql`m.state::text = ANY(${states})`,
      kinds && sql`m.kind = ANY(${kinds})`,
      mayHaveArrived != null && sql`(m.uncertain_at IS NOT NULL) = ${mayHaveArrived}`,
    ]),
  sorts: byAge(),
};

/** The mails in the outbox that the viewer may read. */
export const mailsOfOutbox: Listing<Mail, object, 'CREATED_AT'> = {
  name: 'mailsOfOutbox',
  select: () => columns,
  from: tables.mails.from,
  where: ({ viewer }) => sql`m.state = 'OUTBOX' AND ${readableMails(viewer, tables.mails, READABLE_KINDS)}`,
  sorts: byAge(),
};

/** Returns the mails with these ids that the viewer may see, in any order. */
export const findMails = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Mail>(
    sql`SELECT ${columns} FROM ${tables.mails.from} WHERE m.id ${sql.any(ids)} AND ${visibleMails(ctx.viewer, tables.mails)}`,
  );

/** The newest mail about each subject, with the subject's id as `id`. The caller has checked that its viewer may know. */
export const deliveriesOf = (ctx: Context, subjectIds: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Delivery>(deliveries(sql`m.subject_id = ANY(${subjectIds})`));

const deliveries = (
  condition: Sql,
): Sql => sql`SELECT DISTINCT ON (m.subject_id) m.subject_id AS id, m.id AS mail_id,
  m.state::text AS state, m.attempts, m.next_at, m.uncertain_at, m.ended_at, m.answer
  FROM ${tables.mails.from} WHERE ${condition} ORDER BY m.subject_id, m.created_at DESC, m.id DESC`;

/** What became of a mail; `id` is of what it is about. */
export interface Delivery {
  id: string;
  mailId: string;
  state: MailState;
  attempts: number;
  nextAt: Date | null;
  uncertainAt: Date | null;
  endedAt: Date | null;
  answer: string | null;
}

/** The texts of mails in the outbox, as they would have been transmitted, by id; only those that the viewer may read. */
export async function outboxMessages(
  { db, storage, viewer }: Context,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const mails = await db.query<{
    id: string;
    message: string;
  }>(sql`SELECT m.id, m.message FROM ${tables.mails.from}
    WHERE m.id ${sql.any(ids)} AND m.state = 'OUTBOX' AND ${readableMails(viewer, tables.mails, READABLE_KINDS)}`);
  return new Map(
    mails.map(({ id, message }) => [id, Buffer.from(storage.vault.open(message, id), 'latin1')]),
  );
}
