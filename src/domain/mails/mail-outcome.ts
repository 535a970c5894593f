import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { shorten } from '../../lib/text/shorten.js';
import { DAY, MINUTE } from '../../lib/time.ts';
import { type ClaimedMail, uncertainColumns } from './mail-claim.ts';
import { rulesOf } from './mail-kind.ts';

/**
 * The result of an attempt. ACCEPTED: the server has taken over the mail. STORED: it is in the outbox, as `message`.
 * DEFERRED: not taken over, but perhaps later. REFUSED: never. UNCERTAIN: the text was transmitted, and no answer came.
 * `answer` is the server's, or the reason.
 */
export type MailOutcome =
  | {
      result: 'ACCEPTED' | 'DEFERRED' | 'REFUSED' | 'UNCERTAIN' | 'NOT_CONFIGURED' | 'CANCELLED';
      answer: string;
    }
  | { result: 'STORED'; message: string };

/** Between attempts; the last one repeats, for RETRY_PERIOD in all. */
const RETRY_DELAYS = [1, 2, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE);
const RETRY_PERIOD = 3 * DAY;

/** Characters of an answer that are stored. */
const MAX_ANSWER = 500;

/** Milliseconds after the failure of attempt number `attempts`, with 10 % jitter. */
const retryDelay = (attempts: number, random = Math.random()): number =>
  (RETRY_DELAYS[Math.min(attempts, RETRY_DELAYS.length) - 1] as number) * (0.9 + 0.2 * random);

/** Stores the result of an attempt. Changes nothing when the claim has ended: another process is responsible now. */
export const recordMailOutcome = (
  db: Database,
  mail: ClaimedMail,
  outcome: MailOutcome,
): Promise<unknown> => {
  const claimed = sql`id = ${mail.id} AND attempts = ${mail.attempts} AND state = 'SENDING'`;
  if (isForgotten(mail, outcome)) return db.query(sql`DELETE FROM mails WHERE ${claimed}`);
  const ended = sql`UPDATE mails SET ${outcomeColumns(mail, outcome)} WHERE ${claimed}`;
  const columns = outcome.result === 'ACCEPTED' ? SIGNER_COLUMNS[mail.kind] : undefined;
  return db.query(columns ? noteSent(ended, columns) : ended);
};

/** In the outbox it is stored to be read; a sweep deletes those that ended in another way (mail-retention.ts). */
const isForgotten = ({ kind }: ClaimedMail, { result }: MailOutcome): boolean =>
  Boolean(rulesOf(kind).isForgotten) && result !== 'DEFERRED' && result !== 'STORED';

/** Mails are deleted after a time; that these were sent is stored with their signers. */
const SIGNER_COLUMNS: Record<string, Sql | undefined> = {
  SIGNATURE_REQUEST: sql`request_sent_at = coalesce(r.request_sent_at, now())`,
  SIGNATURE_REMINDER: sql`reminders_sent = r.reminders_sent + 1`,
};

const noteSent = (
  ended: Sql,
  columns: Sql,
): Sql => sql`WITH sent AS (${ended} RETURNING organization_id, subject_id)
  UPDATE signature_recipients r SET ${columns} FROM sent
  WHERE r.organization_id = sent.organization_id AND r.id = sent.subject_id`;

/** A mail that was not handed over, nor tried, does not use up the hourly limits. */
const uncounted: Sql = sql`admitted_at = NULL`;

const ended = (state: string, answer: string | null): Sql =>
  sql`state = ${state}::mail_state, answer = ${answer}, next_at = NULL, handing_at = NULL, ended_at = now()`;

function outcomeColumns(mail: ClaimedMail, outcome: MailOutcome): Sql {
  if (outcome.result === 'STORED') return sql`${ended('OUTBOX', null)}, message = ${outcome.message}`;
  const answer = oneLine(outcome.answer);
  switch (outcome.result) {
    case 'ACCEPTED':
      return ended('SENT', answer);
    case 'DEFERRED':
      return deferredColumns(mail, answer);
    case 'UNCERTAIN':
      return uncertainColumns(mail, answer);
    case 'CANCELLED':
      return mail.uncertainAt ? ended('UNCERTAIN', answer) : sql`${ended('CANCELLED', answer)}, ${uncounted}`;
    case 'REFUSED':
      return ended('REFUSED', answer);
    default:
      return sql`${ended(outcome.result, answer)}, ${uncounted}`;
  }
}

function deferredColumns({ attempts }: ClaimedMail, answer: string): Sql {
  const next = nowPlus(retryDelay(attempts));
  const isLate = sql`(${next} > queued_at + ${RETRY_PERIOD / 1_000} * interval '1 second' OR ${next} > expires_at)`;
  return sql`answer = ${answer}, handing_at = NULL,
    state = (CASE WHEN ${isLate} THEN 'GIVEN_UP' ELSE 'WAITING' END)::mail_state,
    next_at = CASE WHEN NOT ${isLate} THEN ${next} END, ended_at = CASE WHEN ${isLate} THEN now() END`;
}

/** Releases a mail that could not be tried for a reason of this server, after growing pauses until it expires. */
export const releaseMail = (db: Database, { id, attempts }: ClaimedMail): Promise<unknown> =>
  db.query(sql`UPDATE mails SET state = 'WAITING', ${uncounted}, next_at = ${nowPlus(retryDelay(attempts))}
    WHERE id = ${id} AND attempts = ${attempts} AND state = 'SENDING' AND handing_at IS NULL`);

/** An answer as it is stored: well-formed, in one line, without control characters. */
const oneLine = (answer: string): string =>
  shorten(
    answer
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    MAX_ANSWER,
  );
