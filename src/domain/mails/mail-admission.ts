import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Mail } from '../../generated/prisma/client.ts';
import { PRIORITY } from './mail-kind.ts';
import { mailboxOf } from './mailbox.ts';

/** Mails of one priority within an hour: to a mailbox, of an organization, and caused by a person. 0: no limit. */
export interface MailLimits {
  readonly mailsToAddress: number;
  readonly mailsOfOrganization: number;
  readonly mailsOfPerson: number;
  /** The part of the last two, in percent, with which a new organization and a new account begin. */
  readonly mailsAtStart: number;
}

type AdmittedMail = Pick<Mail, 'id' | 'toEmail' | 'organizationId' | 'createdById' | 'priority'>;

/** How many of the mails that meet the condition, on mails as `m`, may be let through within an hour. */
interface Allowance {
  of: Sql;
  limit: number;
}

/** The first part of the keys of advisory locks that the counts of mails use. */
const LOCK = 7_206_119;

/** The share of a mailbox's limit that one organization, and one person, may use up. */
const SHARE_OF_MAILBOX = 1 / 2;

/** Mails that strangers can cause, who have nothing to lose yet. */
const TO_STRANGERS: readonly number[] = [PRIORITY.REQUEST, PRIORITY.INVITATION];

/** A new organization or account begins with a part of a limit, which doubles with each day of its age. */
export const limitAtAge = (limit: number, startPercent: number, days: number): number =>
  Math.min(limit, Math.ceil((limit * startPercent * 2 ** Math.max(0, Math.floor(days))) / 100));

/**
 * Whether the hourly limits allow the mail now. Otherwise it waits until they do. What counts is what was handed over, or is
 * being so. Locks, which all take in one order, keep concurrent processes from counting the same mails.
 */
export async function admit(tx: Transaction, mail: AdmittedMail, limits: MailLimits): Promise<boolean> {
  const mailbox = mailboxOf(mail.toEmail);
  const allowances = await allowancesOf(tx, mail, mailbox, limits);
  if (allowances.length > 0) {
    const keys = [mailbox, mail.organizationId, mail.createdById].filter((key) => key);
    await tx.query(sql`SELECT pg_advisory_xact_lock(${LOCK}, x.key)::text
      FROM (SELECT DISTINCT hashtext(k) AS key FROM unnest(${sql.texts(keys)}) k ORDER BY 1) x`);
    if (await postpone(tx, mail, allowances)) return false;
  }
  await tx.query(sql`UPDATE mails SET admitted_at = now(), mailbox = ${mailbox} WHERE id = ${mail.id}`);
  return true;
}

/** Of each allowance that is used up, the time at which a mail leaves its hour; the mail waits for the last of them. */
async function postpone(
  tx: Transaction,
  { id, priority }: AdmittedMail,
  allowances: readonly Allowance[],
): Promise<boolean> {
  const free = allowances.map(
    ({ of, limit }) => sql`(SELECT m.admitted_at + interval '1 hour' AS at FROM mails m
      WHERE ${of} AND m.priority = ${priority} AND m.id <> ${id} AND m.admitted_at > now() - interval '1 hour'
      ORDER BY m.admitted_at DESC OFFSET ${limit - 1} LIMIT 1)`,
  );
  const postponed =
    await tx.query(sql`UPDATE mails SET state = 'WAITING', attempts = attempts - 1, next_at = free.at,
      answer = 'Too many mails within an hour; this one waits.'
    FROM (SELECT max(x.at) AS at FROM (${sql.join(free, ' UNION ALL ')}) x) free
    WHERE id = ${id} AND free.at IS NOT NULL RETURNING id`);
  return postponed.length > 0;
}

async function allowancesOf(
  tx: Transaction,
  { organizationId, createdById, priority }: AdmittedMail,
  mailbox: string,
  { mailsToAddress, mailsOfOrganization, mailsOfPerson, mailsAtStart }: MailLimits,
): Promise<Allowance[]> {
  const days = TO_STRANGERS.includes(priority) ? await daysOfAge(tx, organizationId, createdById) : undefined;
  const grown = (limit: number, age: number | null | undefined) =>
    age == null ? limit : limitAtAge(limit, mailsAtStart, age);
  const toMailbox = sql`m.mailbox = ${mailbox}`;
  const share = Math.ceil(mailsToAddress * SHARE_OF_MAILBOX);
  const allowances = [{ of: toMailbox, limit: mailsToAddress }];
  if (organizationId) {
    const of = sql`m.organization_id = ${organizationId}`;
    allowances.push({ of: sql`${toMailbox} AND ${of}`, limit: share });
    allowances.push({ of, limit: grown(mailsOfOrganization, days?.organization) });
  }
  if (createdById) {
    const of = sql`m.created_by_id = ${createdById}`;
    allowances.push({ of: sql`${toMailbox} AND ${of}`, limit: share });
    allowances.push({ of, limit: grown(mailsOfPerson, days?.person) });
  }
  return allowances.filter(({ limit }) => limit > 0);
}

async function daysOfAge(tx: Transaction, organizationId: string | null, createdById: string | null) {
  const days = (from: Sql) =>
    sql`(SELECT (extract(epoch FROM now() - x.created_at) / 86400)::float8 FROM ${from})`;
  const [age] = await tx.query<{ organization: number | null; person: number | null }>(sql`
    SELECT ${days(sql`organizations x WHERE x.id = ${organizationId}`)} AS organization,
      ${days(sql`users x WHERE x.id = ${createdById}`)} AS person`);
  return age;
}
