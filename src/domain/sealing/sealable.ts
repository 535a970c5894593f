import type { Transaction } from '../../db/database.ts';
import { SealUnusable } from '../../pdf/seal/certificate.ts';
import type { Document } from '../documents/document.ts';
import { requirePageCount } from '../documents/file-pages.ts';
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
 * Checks that a document can be sealed once it is signed. Throws BAD_USER_INPUT, and UNAVAILABLE while its PDF is not
 * inspected yet.
 */
export async function requireSealable(tx: Transaction, document: Document): Promise<void> {
  const { contentType, size } = document;
  if (!SEALABLE_TYPES.test(contentType))
    throw badValue(
      'documentId',
      `a file of the type ${contentType} cannot be sealed; sign a PDF, a PNG or JPEG image, or plain text`,
    );
  await requirePageCount(tx, document, 'it cannot be sealed');
  if (size > MAX_BYTES)
    throw badValue('documentId', `what is signed may have ${MAX_BYTES / 2 ** 20} MiB at most`);
}
