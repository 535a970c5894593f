import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { SignatureRecipient, SignatureSession } from '../../generated/prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { queueMails } from '../mails/queue-mail.ts';

/** A signer whose link is mailed; `createdById` created the session. */
type Asked = Pick<SignatureRecipient, 'organizationId' | 'id' | 'email' | 'linkVersion' | 'linkExpiresAt'> &
  Pick<SignatureSession, 'createdById'>;

const asked = sql`r.organization_id, r.id, r.email, r.link_version, r.link_expires_at, g.created_by_id`;

/** Requests the signatures of these signers from now on, and queues a mail with the link to each. */
export async function requestSignatures(
  { limits }: Pick<Context, 'limits'>,
  tx: Transaction,
  recipientIds: readonly string[],
): Promise<void> {
  if (recipientIds.length === 0) return;
  await mailLinks(
    tx,
    await tx.query<Asked>(sql`UPDATE signature_recipients r
      SET state = 'REQUESTED', requested_at = now(), link_expires_at = ${nowPlus(limits.signingLink)}
      FROM signature_sessions g WHERE g.organization_id = r.organization_id AND g.id = r.session_id
      AND r.id = ANY(${recipientIds}) RETURNING ${asked}`),
  );
}

/**
 * Replaces the links of those signers whose signature is requested, starts their lifetimes and access code attempts again,
 * and queues a mail with the new link to each. Returns their ids.
 */
export async function renewLinks(
  { limits }: Pick<Context, 'limits'>,
  tx: Transaction,
  recipientIds: readonly string[],
): Promise<string[]> {
  const renewed = await tx.query<Asked>(sql`UPDATE signature_recipients r
    SET link_version = link_version + 1, link_expires_at = ${nowPlus(limits.signingLink)}, code_passed_at = NULL,
      code_tries = 0, code_tries_from = NULL, code_failures = 0, code_locked_at = NULL
    FROM signature_sessions g WHERE g.organization_id = r.organization_id AND g.id = r.session_id
    AND r.id = ANY(${recipientIds}) AND r.state = 'REQUESTED' RETURNING ${asked}`);
  await mailLinks(tx, renewed);
  return renewed.map(({ id }) => id);
}

const mailLinks = (tx: Transaction, signers: readonly Asked[]): Promise<void> =>
  queueMails(
    tx,
    signers.map(({ organizationId, id: subjectId, email: to, createdById, linkVersion, linkExpiresAt }) => ({
      ...{ kind: 'SIGNATURE_REQUEST', organizationId, subjectId, to, createdById, expiresAt: linkExpiresAt },
      dedupeKey: `signature.request:${subjectId}:${linkVersion}`,
    })),
  );
