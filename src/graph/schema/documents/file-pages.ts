import { findPageStates } from '../../../domain/documents/file-pages.ts';
import type { PageStatus as Status } from '../../../generated/prisma/client.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';
import { Revision } from './revision.ts';
import { Document, INCLUDES_REVISION, newest } from './type.ts';

const PageStatus = builder.enumType('PageStatus', {
  description: 'The state of counting the pages of a file.',
  values: {
    READY: { description: 'The pages are counted, or the file is not a PDF.' },
    PENDING: { description: 'The pages are still being counted.' },
    BROKEN: { description: 'The PDF is broken.' },
    LOCKED: { description: 'The PDF is protected by a password.' },
    COSTLY: { description: 'The PDF takes too long, or too much memory, to open.' },
  } as const,
});

const stateOf = async ({ blobId }: { blobId: string }, { load }: GraphContext): Promise<Status> =>
  (await load.seen(findPageStates, blobId, 'Revision')).pageStatus;

builder.objectField(Revision, 'pageStatus', (t) =>
  t.field({
    type: PageStatus,
    description: 'The state of counting its pages, on which pageCount depends.',
    resolve: (revision, _, ctx) => stateOf(revision, ctx),
  }),
);

builder.objectField(Document, 'pageStatus', (t) =>
  t.field({
    type: PageStatus,
    description: 'The state of counting the pages of the newest revision, on which pageCount depends.',
    extensions: INCLUDES_REVISION,
    resolve: async (document, _, ctx) => stateOf(await newest(document, {}, ctx), ctx),
  }),
);
