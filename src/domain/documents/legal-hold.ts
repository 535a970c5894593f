import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, text } from '../kernel/input.ts';
import type { ProjectPath } from '../kernel/project-path.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import type { Document } from './document.ts';
import { documentsInput, lockDocuments, recordAndRead, updateDocuments } from './document-batch.ts';

const hold = z.strictObject({
  ...documentsInput,
  reason: text(2_000).refine((reason) => reason.trim() !== '', 'must not be empty'),
});

/**
 * Prevents documents from being purged until the hold is lifted; they can still be changed and recycled, and their project
 * may be disabled. Takes OWNER or ADMIN of the organization. Throws CONFLICT if one is under legal hold already.
 */
export function placeLegalHold(ctx: Context, input: z.input<typeof hold>): Promise<Document[]> {
  const { documentIds, reason, ...path } = parse(hold, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await manage(ctx, tx, documentIds, path);
    const blocking = documents.find(({ legalHold }) => legalHold);
    if (blocking)
      throw conflict(
        'A document is under legal hold already.',
        positionIn('documentIds', documentIds)(blocking.id),
      );
    await updateDocuments(ctx, tx, documentIds, { legalHold: true, legalHoldReason: reason });
    return recordAndRead(ctx, tx, documents, 'document.held', () => ({
      before: { reason: null },
      after: { reason },
    }));
  });
}

const lift = z.strictObject(documentsInput);

/** Lifts legal holds; the next sweep purges documents past their date. Throws CONFLICT if one is not under legal hold. */
export function liftLegalHold(ctx: Context, input: z.input<typeof lift>): Promise<Document[]> {
  const { documentIds, ...path } = parse(lift, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await manage(ctx, tx, documentIds, path);
    const free = documents.find(({ legalHold }) => !legalHold);
    if (free)
      throw conflict('A document is not under legal hold.', positionIn('documentIds', documentIds)(free.id));
    await updateDocuments(ctx, tx, documentIds, { legalHold: false, legalHoldReason: null });
    return recordAndRead(ctx, tx, documents, 'document.released', ({ legalHoldReason }) => ({
      before: { reason: legalHoldReason },
      after: { reason: null },
    }));
  });
}

async function manage(ctx: Context, tx: Transaction, ids: string[], path: ProjectPath): Promise<Document[]> {
  const documents = await lockDocuments(ctx, tx, ids, path);
  for (const each of new Set(documents.map(({ organizationId }) => organizationId)))
    await requireOrganizationAdmin(ctx, tx, each);
  return documents;
}
