import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { TextStatus } from '../../generated/prisma/client.ts';
import type { Document } from '../documents/document.ts';
import {
  documentsInput,
  IN_RECYCLE_BIN,
  recordAndRead,
  requireDocuments,
  requireState,
} from '../documents/document-batch.ts';
import { requestPageCount } from '../documents/file-pages.ts';
import { idsOf, pathOfMissing, positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';

const retry = z.strictObject(documentsInput);

/** Queues files again whose text could not be read. Takes EDITOR. Throws CONFLICT if the text of one did not fail. */
export function retryTexts(ctx: Context, input: z.input<typeof retry>): Promise<Document[]> {
  const { documentIds, ...path } = parse(retry, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await requireDocuments(ctx, tx, documentIds, path, 'changeDocuments');
    const pathOf = positionIn('documentIds', documentIds);
    requireState(documents, 'ACTIVE', IN_RECYCLE_BIN, pathOf);
    const ids = documents.map(({ id }) => id);
    const contents = await tx.query<{ id: string; textStatus: TextStatus }>(sql`
      SELECT b.id, b.text_status FROM blobs b WHERE b.id IN (SELECT r.blob_id FROM documents d JOIN revisions r
        ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
        WHERE d.id ${sql.any(ids)})
      ORDER BY b.id FOR UPDATE`);
    if (contents.some(({ textStatus }) => textStatus !== 'FAILED'))
      throw conflict(
        'The text of a document did not fail to be read.',
        pathOfMissing(ids, idsOf(await findWithFailedText(tx, ids)), pathOf),
      );
    await tx.query(sql`UPDATE blobs SET text_status = 'PENDING', text_step = 'READ', text_attempts = 0, text_next_at = now()
      WHERE id = ANY(${contents.map(({ id }) => id)})`);
    await requestPageCount(
      tx,
      contents.map(({ id }) => id),
    );
    tx.wake('text');
    return recordAndRead(ctx, tx, documents, 'document.textRetried', () => ({}));
  });
}

/** Those of the documents whose newest revision has a file that could not be read. */
const findWithFailedText = (tx: Transaction, ids: readonly string[]): Promise<{ id: string }[]> =>
  tx.query(sql`SELECT d.id FROM documents d
    JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
    JOIN blobs b ON b.organization_id = r.organization_id AND b.id = r.blob_id
    WHERE d.id ${sql.any(ids)} AND b.text_status = 'FAILED'`);
