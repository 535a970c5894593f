import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { SignatureRecipient } from '../../generated/prisma/client.ts';
import type { Context, Limits } from '../kernel/context.ts';
import { queueMails } from '../mails/queue-mail.ts';

/** A signer whose link is mailed. */
type RequestedSigner = Pick<
  SignatureRecipient,
  'organizationId' | 'id' | 'sessionId' | 'email' | 'linkVersion'
> & { linkExpiresAt: Date };

/** Who causes the mails, which are not sent if they lose the right to; null: the signer before has signed. */
type Causer = string | null;

const requestColumns = sql`r.organization_id, r.id, r.session_id, r.email, r.link_version, r.link_expires_at`;

/** On recipients as `r` of sessions as `g`: their link lives as long as the session, and reminders are scheduled. */
function linkColumns({ signingLink, signatureReminders: schedule }: Limits): Sql {
  const remindersEnd =
    schedule && sql`least(${nowPlus(schedule.last)}, coalesce(g.ends_at, ${nowPlus(signingLink)}))`;
  const first = schedule && nowPlus(schedule.first);
  return sql`link_expires_at = greatest(${nowPlus(signingLink)}, g.ends_at), mailed_at = now(),
    reminders_end_at = ${remindersEnd ?? sql`NULL`},
    next_reminder_at = ${first ? sql`CASE WHEN r.reminders_off_at IS NULL AND ${first} <= ${remindersEnd} THEN ${first} END` : sql`NULL`}`;
}

/** Requests the signatures of these signers from now on, and queues a mail with the link to each. */
export async function requestSignatures(
  { limits }: Pick<Context, 'limits'>,
  tx: Transaction,
  recipientIds: readonly string[],
  createdById: Causer,
): Promise<void> {
  if (recipientIds.length === 0) return;
  await mailLinks(
    tx,
    createdById,
    await tx.query<RequestedSigner>(sql`UPDATE signature_recipients r
      SET state = 'REQUESTED', requested_at = now(), ${linkColumns(limits)}
      FROM signature_sessions g WHERE g.organization_id = r.organization_id AND g.id = r.session_id
      AND r.id ${sql.any(recipientIds)} RETURNING ${requestColumns}`),
  );
}

/**
 * Replaces the links of those signers whose signature is requested, starts their lifetimes and access code attempts again,
 * and queues a mail with the new link to each. Returns their ids.
 */
export async function renewLinks(
  { limits, viewer }: Pick<Context, 'limits' | 'viewer'>,
  tx: Transaction,
  recipientIds: readonly string[],
): Promise<string[]> {
  const renewed = await tx.query<RequestedSigner>(sql`UPDATE signature_recipients r
    SET link_version = link_version + 1, ${linkColumns(limits)}, code_passed_at = NULL,
      code_tries = 0, code_tries_from = NULL, code_failures = 0, code_locked_at = NULL
    FROM signature_sessions g WHERE g.organization_id = r.organization_id AND g.id = r.session_id
    AND r.id ${sql.any(recipientIds)} AND r.state = 'REQUESTED' AND coalesce(g.ends_at > now(), true) RETURNING ${requestColumns}`);
  await mailLinks(tx, viewer.userId, renewed);
  return renewed.map(({ id }) => id);
}

async function mailLinks(
  tx: Transaction,
  createdById: Causer,
  signers: readonly RequestedSigner[],
): Promise<void> {
  await extendSessions(tx, signers);
  await queueMails(
    tx,
    signers.map(({ organizationId, id: subjectId, email: to, linkVersion, linkExpiresAt }) => ({
      ...{ kind: 'SIGNATURE_REQUEST', organizationId, subjectId, to, createdById, expiresAt: linkExpiresAt },
      dedupeKey: `signature.request:${subjectId}:${linkVersion}`,
    })),
  );
}

/** A session whose sender chose no end lasts as long as these links. */
const extendSessions = (tx: Transaction, signers: readonly RequestedSigner[]): Promise<unknown> =>
  tx.query(sql`UPDATE signature_sessions g SET expires_at = coalesce(g.ends_at, greatest(g.expires_at, x.at))
    FROM unnest(${sql.texts(signers.map(({ sessionId }) => sessionId))},
      ${signers.map(({ linkExpiresAt }) => linkExpiresAt)}::timestamptz[]) AS x(id, at) WHERE g.id = x.id`);
