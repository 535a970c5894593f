import { extname } from 'node:path';
import { DRAWABLE_TYPES } from '../../files/content/sniff/inspect.ts';
import type { Document, Revision } from '../documents/document.ts';
import type { FormTemplate } from '../forms/form.ts';
import type { Context } from '../kernel/context.ts';
import { badValue } from '../kernel/errors.ts';

/**
 * Returns a signed URL of limited lifetime for the bytes of a revision. `inline` displays them in the browser if their
 * type is safe.
 */
export const revisionUrl = (
  ctx: Context,
  revision: Pick<Revision, 'blobId' | 'contentType' | 'name'>,
  inline: boolean,
): Promise<string> => downloadUrl(ctx, revision, revision.name, inline);

/** Like revisionUrl for the newest revision, with the document's name as file name. */
export const documentUrl = (
  ctx: Context,
  document: Document,
  newest: Revision,
  inline: boolean,
): Promise<string> => downloadUrl(ctx, newest, fileName(document.name, newest.name), inline);

/** Like revisionUrl for the PDF of a form template; null if it has none. */
export const formFileUrl = async (ctx: Context, { blobId, name }: FormTemplate): Promise<string | null> =>
  blobId
    ? downloadUrl(ctx, { blobId, contentType: 'application/pdf' }, fileName(name, 'form.pdf'), false)
    : null;

/** The document's name with the extension of the uploaded file, so that it opens with the right program. */
function fileName(name: string, uploaded: string): string {
  const extension = extname(uploaded);
  return name.toLowerCase().endsWith(extension.toLowerCase()) ? name : name + extension;
}

const downloadUrl = (
  { storage, limits }: Context,
  { blobId, contentType }: Pick<Revision, 'blobId' | 'contentType'>,
  filename: string,
  inline: boolean,
) => storage.signedUrls.download({ key: blobId, filename, contentType, inline }, limits.signedUrl);

/** The file of a revision, or of its rendition. */
export type PicturedFile = Pick<Revision, 'organizationId' | 'blobId' | 'contentType' | 'pageCount'>;

/**
 * Returns a signed URL of limited lifetime for a page (from 1) as a WebP image, `width` pixels wide. An image has one
 * page. Null if there is no such image. Throws BAD_USER_INPUT for a width out of range.
 */
export const pictureUrl = async (
  { storage, limits }: Context,
  file: PicturedFile,
  page: number,
  width: number,
): Promise<string | null> => {
  if (width < 16 || width > 2_048) throw badValue('width', '16 to 2,048 pixels');
  const { organizationId, blobId, contentType } = file;
  return page >= 1 && page <= imageCount(file)
    ? storage.signedUrls.image({ key: blobId, organizationId, contentType, page, width }, limits.signedUrl)
    : null;
};

const imageCount = ({ contentType, pageCount }: PicturedFile): number =>
  contentType === 'application/pdf'
    ? (pageCount ?? 0)
    : DRAWABLE_TYPES.some((type) => type === contentType)
      ? 1
      : 0;
