import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { isServiceAddress } from '../../lib/text/service-address.ts';
import { SECOND } from '../../lib/time.ts';
import { type MailKind, rulesOf } from './mail-kind.ts';

export interface NewMail {
  kind: MailKind;
  /** The address, as it is stored of people: parsed by `email` of kernel/input.ts. */
  to: string;
  /** The user whom the mail is for, where it depends on an account. */
  toUserId?: string | null;
  /** Null for mails about an account. */
  organizationId: string | null;
  /** The id of what the mail is about; `delivery` of that object is its newest mail. */
  subjectId?: string | null;
  /** The user whose act causes it, to whom a failure is reported. */
  createdById?: string | null;
  /** What the template needs and cannot read elsewhere. No secrets: it is stored as it is. */
  data?: Prisma.InputJsonObject;
  /** At most one mail with the same key is ever queued, for instance `task.reminder:<task>:<due>:7`. */
  dedupeKey?: string | null;
  /** Milliseconds to wait before the first attempt. */
  delay?: number;
  /** By the database's clock; the lifetime of its kind by default. */
  expiresAt?: Date | null;
}

/**
 * Queues mails in the transaction of the change that causes them. Their text is written when they are handed over, by the
 * template of their kind in src/mail/kinds/, from the data of that moment; a mail whose cause has ended by then is cancelled.
 * What is for a service account is left out.
 */
export async function queueMails(tx: Transaction, mails: readonly NewMail[]): Promise<void> {
  const deliverable = mails.filter(({ to }) => !isServiceAddress(to));
  if (deliverable.length === 0) return;
  const rows = deliverable.map(({ kind, delay = 0, to, ...mail }) => {
    const { priority, lifetime } = rulesOf(kind);
    const timing = { delay: delay / SECOND, lifetime: lifetime / SECOND };
    return { id: newId('Mail'), kind, toEmail: to, data: {}, ...mail, priority, ...timing };
  });
  // Due columns hold whole milliseconds and round up, hence one millisecond less.
  await tx.query(sql`INSERT INTO mails (id, organization_id, kind, priority, to_email, to_user_id, subject_id, dedupe_key,
      data, created_by_id, next_at, expires_at)
    SELECT id, "organizationId", kind, priority, "toEmail", "toUserId", "subjectId", "dedupeKey", data, "createdById",
      now() + make_interval(secs => delay) - interval '1 millisecond',
      coalesce("expiresAt", now() + make_interval(secs => delay + lifetime))
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(id text, "organizationId" text, kind text, priority int,
      "toEmail" text, "toUserId" text, "subjectId" text, "dedupeKey" text, data jsonb, "createdById" text,
      delay double precision, lifetime double precision, "expiresAt" timestamptz)
    ON CONFLICT (dedupe_key) DO NOTHING`);
  tx.wake('mail');
}
