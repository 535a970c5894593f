import type { Transaction } from '../../db/database.ts';
import { SealUnusable } from '../../pdf/seal/certificate.ts';
import type { Document } from '../documents/document.ts';
import { requirePageCount } from '../documents/file-pages.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, DomainError } from '../kernel/errors.ts';

/** What can be drawn on, as it is or put on paper. */
const DRAWN = /^(?:application\/pdf|image\/(?:png|jpeg)|text\/(?:plain|markdown|csv))$/;

/** All of a file is in memory while it is sealed. */
const LARGEST = 100 * 2 ** 20;

/** Asked before the transaction in which a session begins. Throws UNAVAILABLE without a certificate that seals. */
export async function requireSealer({ storage }: Context): Promise<void> {
  try {
    await storage.sealer();
  } catch (error) {
    if (!(error instanceof SealUnusable)) throw error;
    const text = `No signing can begin, because what is signed could not be sealed: ${error.message}.`;
    throw new DomainError('UNAVAILABLE', text, { cause: error });
  }
}

/** Nobody is to sign what cannot be sealed in the end. Throws BAD_USER_INPUT, and UNAVAILABLE before a PDF was inspected. */
export async function requireSealable(tx: Transaction, document: Document): Promise<void> {
  const { contentType, size } = document;
  if (!DRAWN.test(contentType))
    throw badInput(
      `documentId: a file of the type ${contentType} cannot be sealed; sign a PDF, a PNG or JPEG image, or plain text`,
      'documentId',
    );
  await requirePageCount(tx, document, 'it cannot be sealed');
  if (size > LARGEST)
    throw badInput(`documentId: what is signed may have ${LARGEST / 2 ** 20} MiB at most`, 'documentId');
}
