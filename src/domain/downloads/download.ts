import { extname } from 'node:path';
import { DRAWN } from '../../files/content/sniff/inspect.ts';
import type { Document, Revision } from '../documents/document.ts';
import type { FormTemplate } from '../forms/form.ts';
import type { Context } from '../kernel/context.ts';
import { badInput } from '../kernel/errors.ts';

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

/** The same for the PDF that a form is filled in on; null where it has none. */
export const formFileUrl = async (ctx: Context, { blobId, name }: FormTemplate): Promise<string | null> =>
  blobId ? address(ctx, { blobId, contentType: 'application/pdf' }, fileName(name, 'form.pdf'), false) : null;

/** A document that was renamed without an extension still has to open by a double click. */
export function fileName(name: string, uploaded: string): string {
  const extension = extname(uploaded);
  return name.toLowerCase().endsWith(extension.toLowerCase()) ? name : name + extension;
}

const address = (
  { storage, limits }: Context,
  { blobId, contentType }: Pick<Revision, 'blobId' | 'contentType'>,
  filename: string,
  inline: boolean,
) => storage.signedUrls.download({ key: blobId, filename, contentType, inline }, limits.signedUrl);

/**
 * An address that gives a page (from 1) of a revision as a WebP image, `width` pixels wide, to whoever has it, for a
 * while. An image has one page. Null where there is no picture.
 */
export const pictureUrl = async (
  { storage, limits }: Context,
  revision: Revision,
  page: number,
  width: number,
): Promise<string | null> => {
  if (width < 16 || width > 2_048) throw badInput('width: 16 to 2,048 pixels', 'width');
  const { organizationId, blobId, contentType } = revision;
  return page >= 1 && page <= picturesOf(revision)
    ? storage.signedUrls.image({ key: blobId, organizationId, contentType, page, width }, limits.signedUrl)
    : null;
};

const picturesOf = ({ contentType, pageCount }: Revision): number =>
  contentType === 'application/pdf' ? (pageCount ?? 0) : DRAWN.some((type) => type === contentType) ? 1 : 0;
