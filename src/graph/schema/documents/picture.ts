import { pictureUrl } from '../../../domain/downloads/download.ts';
import { builder } from '../kernel/builder.ts';
import { Revision } from './revision.ts';
import { Document, newestOrNone } from './type.ts';

const WIDTH = 'How wide, in pixels: 16 to 2,048. An image is never made wider than it is.';
const PICTURE =
  'A URL that returns a page as a WebP image without a credential, for some minutes, to anyone who has it: of PDF, JPEG, ' +
  'PNG, WebP and GIF files. Null where there is no such page, or no picture of it.';

builder.objectField(Document, 'thumbnailUrl', (t) =>
  t.string({
    nullable: true,
    description: `${PICTURE} Here, the first page of the newest revision.`,
    args: { width: t.arg.int({ defaultValue: 320, description: WIDTH }) },
    resolve: async (document, { width }, ctx) => {
      const revision = await newestOrNone(document, ctx);
      return revision && pictureUrl(ctx, revision, 1, width ?? 320);
    },
  }),
);

builder.objectField(Revision, 'imageUrl', (t) =>
  t.string({
    nullable: true,
    description: PICTURE,
    args: {
      page: t.arg.int({ defaultValue: 1, description: 'Which page, from 1; an image has one.' }),
      width: t.arg.int({ defaultValue: 320, description: WIDTH }),
    },
    resolve: (revision, { page, width }, ctx) => pictureUrl(ctx, revision, page ?? 1, width ?? 320),
  }),
);
