import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import type { SignatureRecipient } from '../../generated/prisma/client.ts';
import type { Document } from '../documents/document.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { name } from '../kernel/input.ts';
import type { SignatureSession } from './signature-session.ts';

/** Fields of a form or of a template. */
export const MAX_FIELDS = 1_000;

/** Coordinates and sizes, in percent of the page. */
export const position = z.number().min(0).max(100_000);
export const pageIndex = z.int().min(0).max(100_000);
export const rank = z.int().min(0).max(1_000);
export const label = z.union([z.literal(''), name]);

/** Returns the signers of a session in signing order; none without a session. */
export const findSigners = (
  tx: Transaction,
  draft: SignatureSession | undefined,
): Promise<SignatureRecipient[]> =>
  tx.prisma.signatureRecipient.findMany({
    where: { organizationId: draft?.organizationId ?? '', sessionId: draft?.id ?? '' },
    orderBy: [{ rank: 'asc' }, { id: 'asc' }],
  });

/**
 * Returns the id of the signer named by id or rank, null if none is named. Throws NOT_FOUND if the draft has no such
 * signer; `prefix` is that of the members' paths.
 */
export function requireSignerId(
  signers: readonly SignatureRecipient[],
  { recipientId, recipientRank }: { recipientId?: string | null; recipientRank?: number | null },
  prefix = '',
): string | null {
  if (!recipientId && recipientRank == null) return null;
  const signer = signers.find(({ id, rank }) => (recipientId ? id === recipientId : rank === recipientRank));
  if (!signer)
    throw notFound('Signature recipient', `${prefix}${recipientId ? 'recipientId' : 'recipientRank'}`);
  return signer.id;
}

/**
 * Throws BAD_USER_INPUT for a page (counted from 0) that the document does not have. An unknown page count allows any.
 */
export function requirePage({ pageCount }: Document, index: number, at: string): void {
  if (pageCount !== null && index >= Math.max(pageCount, 1))
    throw badValue(at, `the document has ${pageCount} pages, counted from 0`);
}
