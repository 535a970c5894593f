import { z } from 'zod';
import { nowPlus } from '../../db/clock.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newEvent, projectPath } from '../documents/document-batch.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { inOrderOf } from '../projects/project.ts';
import { requireSession } from './signature-command.ts';
import { requireSignable } from './signature-form-change.ts';
import { findSignatureRecipients, type SignatureRecipient } from './signature-session.ts';

/** What the secret of a recipient's link is derived from. */
export const linkMessage = ({ id, linkVersion }: { id: string; linkVersion: number }): string =>
  `${id}.${linkVersion}`;

/** The secret of the recipient's link, for those who may hand it on; null for others, and when it leads nowhere. */
export function linkSecret({ storage }: Context, recipient: SignatureRecipient): string | null {
  const { viewerCanEdit: viewerEdits, sessionState, requestedAt, linkUnexpired: linkLives } = recipient;
  const leads = requestedAt !== null && (sessionState === 'ACTIVE' || sessionState === 'COMPLETED');
  return viewerEdits && leads && linkLives ? storage.signedUrls.linkSecret(linkMessage(recipient)) : null;
}

/** The address at which the recipient signs, for the same people. */
export function signingUrl(ctx: Context, recipient: SignatureRecipient): string | null {
  const secret = linkSecret(ctx, recipient);
  return secret && ctx.storage.signedUrls.page(`/sign/${recipient.id}/${secret}`);
}

/** The version of the recipient's link whose secret the viewer has; null when it is none. */
export async function presentedLinkVersion(
  { viewer, storage }: Context,
  recipientId: string,
  reader: Reader,
): Promise<number | null> {
  if (!viewer.link) return null;
  const [recipient] = await reader.query<Pick<SignatureRecipient, 'id' | 'linkVersion'>>(
    sql`SELECT r.id, r.link_version FROM signature_recipients r WHERE r.id = ${recipientId}`,
  );
  const proved = recipient && storage.signedUrls.opensLink(viewer.link, linkMessage(recipient));
  return proved ? recipient.linkVersion : null;
}

const renewal = z.strictObject({ ...projectPath, documentId: z.string(), recipientIds: z.array(z.string()) });

/**
 * Gives signers who are asked a new link each, with a lifetime and tries of its own; the old ones are dead. All or nothing. Throws
 * CONFLICT for who is not asked at this moment.
 */
export function renewSignatureLinks(
  ctx: Context,
  input: z.input<typeof renewal>,
): Promise<SignatureRecipient[]> {
  const { documentId, recipientIds, ...within } = parse(renewal, input);
  requireBatchSize(recipientIds, ctx.limits.batchMax, 'recipientIds');
  const ids = [...new Set(recipientIds)];
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, within);
    const session = await requireSession({ ctx, tx, document });
    const found = await findSignatureRecipients(ctx, ids, tx);
    if (found.filter(({ sessionId }) => sessionId === session.id).length < ids.length)
      throw notFound('Signature recipient', 'recipientIds');
    const renewed = await tx.query(sql`UPDATE signature_recipients
      SET link_version = link_version + 1, link_expires_at = ${nowPlus(ctx.limits.signingLink)}, code_passed_at = NULL,
        code_tries = 0, code_tries_from = NULL, code_failures = 0, code_locked_at = NULL
      WHERE id = ANY(${ids}) AND state = 'REQUESTED' RETURNING id`);
    if (session.state !== 'ACTIVE' || renewed.length < ids.length)
      throw conflict('A signer is not asked at this moment.', 'recipientIds');
    const data = { sessionId: session.id, recipientIds: ids };
    await recordEvents(ctx, tx, [newEvent(document, 'document.signatureLinksRenewed', data)]);
    return inOrderOf(
      await findSignatureRecipients(ctx, ids, tx),
      ids.map((id) => ({ id })),
    );
  });
}
