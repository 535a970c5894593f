import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Mail } from '../../generated/prisma/client.ts';
import { MINUTE } from '../../lib/time.ts';
import { claimRoundRobin } from '../due-work/round-robin.ts';
import { admit, type MailLimits } from './mail-admission.ts';
import { rulesOf } from './mail-kind.ts';

/** How long a process may work on a mail before another one may claim it; longer than every timeout of an attempt together. */
const LEASE = 5 * MINUTE;

/** When a mail is sent once more whose first attempt may have succeeded. */
const RESEND_DELAY = 5 * MINUTE;

/** A mail that this process has leased; `attempts` identifies the claim. */
export type ClaimedMail = Omit<Mail, 'organizationId'> & { organizationId: string; isExpired: boolean };

/** What became of the look for a mail: `mail` is undefined where the one that was due is not to be sent now. */
export interface MailClaim {
  organizationId: string;
  mail?: ClaimedMail;
}

/** Mails without an organization take turns as one organization, ''. */
const share: Sql = sql`coalesce(m.organization_id, '')`;

/**
 * Claims the next due mail, round-robin over the organizations; undefined if none is due. A mail that a process was handing
 * over when it died becomes UNCERTAIN instead; one beyond the hourly limits waits until they allow it.
 */
export const claimMail = (db: Database, limits: MailLimits): Promise<MailClaim | undefined> =>
  claimRoundRobin(db, 'mail', (condition) =>
    inTransaction(db, async (tx) => {
      const [mail] = await tx.query<ClaimedMail>(sql`
        WITH due AS MATERIALIZED (
          SELECT m.id, ${share} AS share FROM mails m
          WHERE m.state IN ('WAITING', 'SENDING') AND m.next_at <= now() AND ${share} ${condition}
          ORDER BY ${share}, m.priority, m.next_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        UPDATE mails m SET state = 'SENDING', attempts = m.attempts + 1, next_at = ${nowPlus(LEASE)} FROM due WHERE m.id = due.id
        RETURNING m.*, due.share AS organization_id, m.expires_at <= now() AS is_expired`);
      if (!mail) return undefined;
      const { organizationId } = mail;
      if (mail.handingAt) await settleInterrupted(tx, mail);
      else if (await admit(tx, mail, limits)) return { organizationId, mail };
      return { organizationId };
    }),
  );

/** The process that handed the mail over died before it stored the answer. */
const settleInterrupted = (tx: Transaction, mail: ClaimedMail): Promise<unknown> =>
  tx.query(sql`UPDATE mails SET ${uncertainColumns(mail, 'The server stopped before it had read the answer.')}
    WHERE id = ${mail.id}`);

/** The columns of a mail of which nobody knows whether it arrived: left, or to be sent once more. */
export const uncertainColumns = ({ kind, uncertainAt }: ClaimedMail, answer: string): Sql =>
  rulesOf(kind).resendUncertain && !uncertainAt
    ? sql`state = 'WAITING', next_at = ${nowPlus(RESEND_DELAY)}, handing_at = NULL, uncertain_at = now(), answer = ${answer}`
    : sql`state = 'UNCERTAIN', next_at = NULL, handing_at = NULL, uncertain_at = now(), ended_at = now(), answer = ${answer}`;

/** Marks the mail as being handed over. False if the claim has ended: then nothing of it may be transmitted. */
export async function beginHandOver(db: Database, { id, attempts }: ClaimedMail): Promise<boolean> {
  const marked = await db.query(sql`UPDATE mails SET handing_at = now()
    WHERE id = ${id} AND attempts = ${attempts} AND state = 'SENDING' AND next_at > now() RETURNING id`);
  return marked.length === 1;
}
