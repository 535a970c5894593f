import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { RenditionState } from '../../generated/prisma/client.ts';
import type { Document } from '../documents/document.ts';
import {
  documentsInput,
  IN_RECYCLE_BIN,
  recordAndRead,
  requireDocuments,
  requireState,
} from '../documents/document-batch.ts';
import { isOffice, requestRenditions } from '../documents/rendition-request.ts';
import { positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, DomainError } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';

const retry = z.strictObject(documentsInput);

interface Newest {
  organizationId: string;
  documentId: string;
  id: string;
  contentType: string;
  state: RenditionState | null;
}

/**
 * Makes the PDFs of office files due: those that could not be made, and those of files that came before this server converted
 * any. Takes EDITOR. Throws BAD_USER_INPUT for other files, CONFLICT if one is there or due, UNAVAILABLE where none are made.
 */
export function retryRenditions(ctx: Context, input: z.input<typeof retry>): Promise<Document[]> {
  const { documentIds, ...path } = parse(retry, input);
  return inTransaction(ctx.db, async (tx) => {
    const documents = await requireDocuments(ctx, tx, documentIds, path, 'changeDocuments');
    const pathOf = positionIn('documentIds', documentIds);
    requireState(documents, 'ACTIVE', IN_RECYCLE_BIN, pathOf);
    requireConverter(ctx);
    const revisions = await findNewest(
      tx,
      documents.map(({ id }) => id),
    );
    for (const { documentId, contentType, state } of revisions) {
      if (!isOffice(contentType))
        throw badValue(pathOf(documentId), `a file of the type ${contentType} is not converted to PDF`);
      if (state !== null && state !== 'FAILED')
        throw conflict('The PDF of a document did not fail to be made.', pathOf(documentId));
    }
    await requestRenditions(ctx, tx, revisions);
    return recordAndRead(ctx, tx, documents, 'document.renditionRetried', () => ({}));
  });
}

function requireConverter({ storage }: Context): void {
  if (storage.office === undefined)
    throw new DomainError('UNAVAILABLE', 'Office files are not converted to PDF on this server.');
}

const findNewest = (tx: Transaction, ids: readonly string[]): Promise<Newest[]> =>
  tx.query<Newest>(sql`SELECT r.organization_id, r.document_id, r.id, r.content_type, x.state::text AS state
    FROM documents d
    JOIN revisions r ON r.organization_id = d.organization_id AND r.document_id = d.id AND r.number = d.revision_number
    LEFT JOIN renditions x ON x.organization_id = r.organization_id AND x.revision_id = r.id
    WHERE d.id ${sql.any(ids)} ORDER BY r.id`);
