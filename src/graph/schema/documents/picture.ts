import { pictureUrl } from '../../../domain/downloads/download.ts';
import { builder } from '../kernel/builder.ts';
import { recordOpening } from './opening.ts';
import { picturedFile } from './rendition.ts';
import { Revision } from './revision.ts';
import { Document, newestOrNone } from './type.ts';

const WIDTH = 'The width in pixels, 16 to 2,048. An image is never enlarged.';
const PICTURE =
  'A URL that returns a page of a PDF, JPEG, PNG, WebP or GIF file, or of the PDF of an office file, as a WebP image, without a credential. It is valid for ' +
  'some minutes, for anyone who has it. Null if there is no such page, or no image of it.';

builder.objectField(Document, 'thumbnailUrl', (t) =>
  t.string({
    nullable: true,
    description: `${PICTURE} The first page of the newest revision.`,
    args: { width: t.arg.int({ defaultValue: 320, description: WIDTH }) },
    resolve: async (document, { width }, ctx) => {
      const revision = await newestOrNone(document, ctx);
      return revision && pictureUrl(ctx, await picturedFile(revision, ctx), 1, width ?? 320);
    },
  }),
);

builder.objectField(Revision, 'imageUrl', (t) =>
  t.string({
    nullable: true,
    description: PICTURE,
    args: {
      page: t.arg.int({ defaultValue: 1, description: 'The page, from 1; an image has one page.' }),
      width: t.arg.int({ defaultValue: 320, description: WIDTH }),
    },
    resolve: async (revision, { page, width }, ctx, info) => {
      await recordOpening(revision.documentId, ctx, info);
      return pictureUrl(ctx, await picturedFile(revision, ctx), page ?? 1, width ?? 320);
    },
  }),
);
