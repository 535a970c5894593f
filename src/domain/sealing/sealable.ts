import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Rendition } from '../../generated/prisma/client.ts';
import { SealUnusable } from '../../pdf/seal/certificate.ts';
import type { Document } from '../documents/document.ts';
import { requirePageCount } from '../documents/file-pages.ts';
import { isOffice } from '../documents/rendition-request.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, DomainError } from '../kernel/errors.ts';

/** Types that are drawn on as they are (PDF), or converted to PDF first. */
const SEALABLE_TYPES = /^(?:application\/pdf|image\/(?:png|jpeg)|text\/(?:plain|markdown|csv))$/;

/** Bytes of a file: all of it is in memory while it is sealed. */
const MAX_BYTES = 100 * 2 ** 20;

/**
 * Checks the sealing certificate, before the transaction in which a session begins. Throws UNAVAILABLE without a usable
 * one.
 */
export async function requireSealer({ storage }: Context): Promise<void> {
  try {
    await storage.sealer();
  } catch (error) {
    if (!(error instanceof SealUnusable)) throw error;
    const text = `No signing can begin, because what is signed could not be sealed: ${error.message}.`;
    throw new DomainError('UNAVAILABLE', text, { cause: error });
  }
}

/**
 * Checks that a document can be sealed once it is signed. Returns it with the type, size and pages of the file that is signed: of an
 * office file, its PDF. Throws BAD_USER_INPUT, and UNAVAILABLE while its PDF is not inspected or made yet.
 */
export async function requireSealable(tx: Transaction, document: Document): Promise<Document> {
  const signed = isOffice(document.contentType) ? await requireRendition(tx, document) : document;
  const { contentType, size } = signed;
  if (!SEALABLE_TYPES.test(contentType))
    throw badValue(
      'documentId',
      `a file of the type ${contentType} cannot be sealed; sign a PDF, a PNG or JPEG image, or plain text`,
    );
  await requirePageCount(tx, signed, 'it cannot be sealed');
  if (size > MAX_BYTES)
    throw badValue('documentId', `what is signed may have ${MAX_BYTES / 2 ** 20} MiB at most`);
  return signed;
}

type RenditionRow = Pick<Rendition, 'state' | 'pageCount' | 'error'> & { size: bigint | null };

/** The document with its PDF in place of the office file. */
async function requireRendition(tx: Transaction, document: Document): Promise<Document> {
  const { organizationId, id, revisionNumber } = document;
  const [rendition] =
    await tx.query<RenditionRow>(sql`SELECT x.state::text AS state, x.page_count, x.error, b.size
    FROM revisions r JOIN renditions x ON x.organization_id = r.organization_id AND x.revision_id = r.id
    LEFT JOIN blobs b ON b.organization_id = x.organization_id AND b.id = x.blob_id
    WHERE r.organization_id = ${organizationId} AND r.document_id = ${id} AND r.number = ${revisionNumber}`);
  if (!rendition)
    throw badValue('documentId', 'no PDF was made of this office file, so it cannot be sealed; sign a PDF');
  const { state, pageCount, error, size } = rendition;
  if (state === 'FAILED')
    throw badValue(
      'documentId',
      `no PDF could be made of this office file, so it cannot be sealed: ${error}`,
    );
  if (size === null) throw new DomainError('UNAVAILABLE', MAKING, { at: 'documentId', retryAfter: 5 });
  return { ...document, contentType: 'application/pdf', pageCount, size };
}

const MAKING = 'The PDF of this office file is still being made. Try again in some seconds.';
