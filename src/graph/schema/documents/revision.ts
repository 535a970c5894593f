import { findDigests, findRevisions } from '../../../domain/documents/document.ts';
import { revisionUrl } from '../../../domain/downloads/download.ts';
import { toHex } from '../../../lib/text/hex.ts';
import { builder } from '../kernel/builder.ts';
import { DOWNLOAD_URL, INLINE } from '../kernel/descriptions.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { author, toAuthor, User } from '../users/type.ts';
import { recordOpening } from './opening.ts';

/** Further fields: file-pages.ts, file-text/type.ts, picture.ts, rendition.ts. */
export const Revision = builder.prismaObject('Revision', {
  scope: 'documents:read',
  description: "One version of a document's content; immutable.",
  interfaces: [Node],
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Counts from 1.' }),
    name: t.exposeString('name', { description: 'The name of the file that was uploaded.' }),
    contentType: t.exposeString('contentType', { description: 'MIME type, as detected from the bytes.' }),
    pageCount: t.exposeInt('pageCount', {
      nullable: true,
      description: 'Number of pages; null if unknown.',
    }),
    size: t.expose('size', { type: 'BigInt', description: 'Size in bytes.' }),
    sha256: t.string({
      description: 'SHA-256 of the content, in hex.',
      extensions: IN_PAST,
      resolve: async ({ blobId }, _, { load }) => {
        const { sha256 } = await load.seen(findDigests, blobId, 'Revision');
        return toHex(sha256);
      },
    }),
    downloadUrl: t.string({
      description: DOWNLOAD_URL,
      extensions: IN_PAST,
      args: { inline: t.arg.boolean({ defaultValue: false, description: INLINE }) },
      resolve: async (revision, { inline }, ctx, info) => {
        await recordOpening(revision.documentId, ctx, info);
        return revisionUrl(ctx, revision, inline ?? false);
      },
    }),
    restoredFrom: t.exposeInt('restoredFrom', {
      nullable: true,
      description: 'The number of the earlier revision that it restored.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    createdBy: t.field({
      type: User,
      description: 'Who created it.',
      extensions: toAuthor('created_by_id'),
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
  }),
});

nodeType('Revision', ({ load }, id) => load.one(findRevisions, id));
