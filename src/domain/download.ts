import { extname } from 'node:path';
import type { Context } from './context.ts';
import type { Document, Revision } from './document.ts';

/**
 * An address that gives the bytes of a revision to whoever has it, for a while. `inline` asks for a view in the
 * browser, where the type is safe for it.
 */
export const revisionUrl = (ctx: Context, revision: Revision, inline: boolean): Promise<string> =>
  address(ctx, revision, revision.name, inline);

/** The same for a document: its newest revision, saved under the document's name. */
export const documentUrl = (
  ctx: Context,
  document: Document,
  newest: Revision,
  inline: boolean,
): Promise<string> => address(ctx, newest, fileName(document.name, newest.name), inline);

/** A document that was renamed without an extension still has to open by a double click. */
export function fileName(name: string, uploaded: string): string {
  const extension = extname(uploaded);
  return name.toLowerCase().endsWith(extension.toLowerCase()) ? name : name + extension;
}

const address = (
  { storage, limits }: Context,
  { blobId, contentType }: Revision,
  filename: string,
  inline: boolean,
) => storage.addresses.download({ key: blobId, filename, contentType, inline }, limits.signedAddress);
