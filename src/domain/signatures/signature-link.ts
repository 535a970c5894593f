import { z } from 'zod';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import { pathOfMissing, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context, Storage } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { inOrderOf } from '../projects/project.ts';
import { requireSession } from './signature-command.ts';
import { requireSignable } from './signature-form-change.ts';
import { renewLinks } from './signature-request.ts';
import { findSignatureRecipients, type SignatureRecipient } from './signature-session.ts';

/** The message from which the secret of a recipient's link is derived; a new version results in a new link. */
export const linkMessage = ({ id, linkVersion }: { id: string; linkVersion: number }): string =>
  `${id}.${linkVersion}`;

/** Returns the secret of a recipient's link; null unless the viewer may edit the project and the link is valid now. */
export function linkSecret({ storage }: Context, recipient: SignatureRecipient): string | null {
  const { viewerCanEdit, sessionState, requestedAt, linkUnexpired } = recipient;
  const isRequested = requestedAt !== null && (sessionState === 'ACTIVE' || sessionState === 'COMPLETED');
  return viewerCanEdit && isRequested && linkUnexpired
    ? storage.signedUrls.linkSecret(linkMessage(recipient))
    : null;
}

/** Returns the URL at which the recipient signs, null in the same cases as linkSecret. */
export function signingUrl(ctx: Context, recipient: SignatureRecipient): string | null {
  return linkSecret(ctx, recipient) && signingPage(ctx.storage, recipient);
}

/** The URL of the signing link, for the signer: it holds its secret. */
export const signingPage = (
  { signedUrls }: Storage,
  recipient: { id: string; linkVersion: number },
): string => signedUrls.page(`/sign/${recipient.id}/${signedUrls.linkSecret(linkMessage(recipient))}`);

/** Returns the current version of the recipient's link if the viewer presents its secret, null otherwise. */
export async function presentedLinkVersion(
  { viewer, storage }: Context,
  recipientId: string,
  reader: Reader,
): Promise<number | null> {
  if (!viewer.link) return null;
  const [recipient] = await reader.query<Pick<SignatureRecipient, 'id' | 'linkVersion'>>(
    sql`SELECT r.id, r.link_version FROM signature_recipients r WHERE r.id = ${recipientId}`,
  );
  const isPresented = recipient && storage.signedUrls.opensLink(viewer.link, linkMessage(recipient));
  return isPresented ? recipient.linkVersion : null;
}

const renewal = z.strictObject({ ...projectPath, documentId: z.string(), recipientIds: z.array(z.string()) });

/**
 * Replaces the links of signers whose signature is requested; the old links stop working, the lifetime and the access code
 * attempts start again, and the new links are mailed. All or nothing. Throws NOT_FOUND, or CONFLICT for a signer who is not requested.
 */
export function renewSignatureLinks(
  ctx: Context,
  input: z.input<typeof renewal>,
): Promise<SignatureRecipient[]> {
  const { documentId, recipientIds, ...path } = parse(renewal, input);
  requireBatchSize(recipientIds, ctx.limits.batchMax, 'recipientIds');
  const ids = [...new Set(recipientIds)];
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, path);
    const session = await requireSession({ ctx, tx, document });
    const recipients = await findSignatureRecipients(ctx, ids, tx);
    const own = recipients.filter(({ sessionId }) => sessionId === session.id);
    const pathOf = positionIn('recipientIds', recipientIds);
    requireFound('Signature recipient', ids, own, pathOf);
    const renewed = await renewLinks(ctx, tx, ids);
    const at = pathOfMissing(ids, session.state === 'ACTIVE' ? renewed : [], pathOf);
    if (at !== undefined) throw conflict('A signer is not asked at this moment.', at);
    const data = { sessionId: session.id, recipientIds: ids };
    await recordEvents(ctx, tx, [subjectEvent(document, 'document.signatureLinksRenewed', data)]);
    return inOrderOf(
      await findSignatureRecipients(ctx, ids, tx),
      ids.map((id) => ({ id })),
    );
  });
}
