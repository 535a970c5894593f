import type {
  DocumentFilter as Filter,
  DocumentOrder as Order,
} from '../../../domain/documents/document-filter.ts';
import {
  documentsOfFolder,
  documentsOfProject,
  documentsOfViewer,
} from '../../../domain/documents/document-list.ts';
import { eventsOfSubject } from '../../../domain/events/event.ts';
import type { ListArguments } from '../../../domain/kernel/listing.ts';
import type { PageRequest } from '../../../domain/kernel/page.ts';
import { countPages } from '../../../domain/projects/project-totals.ts';
import { Event } from '../events/type.ts';
import { Folder } from '../folders/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection, orderInput, PREFETCH } from '../kernel/connection.ts';
import { Project } from '../projects/type.ts';
import { Viewer } from '../viewer/type.ts';
import { Document, DocumentState } from './type.ts';

const DocumentFilter = builder.inputType('DocumentFilter', {
  description: 'Which documents a list holds; all conditions have to be met.',
  fields: (t) => ({
    state: t.field({ type: DocumentState, description: 'ACTIVE unless you say otherwise.' }),
    folderId: t.id({ description: 'Directly in this folder.' }),
    belowFolderId: t.id({ description: 'In this folder or in one below it.' }),
    atRoot: t.boolean({ description: 'With true: in no folder.' }),
    groupId: t.string({ description: 'Created from one form submission.' }),
    namePrefix: t.string({ description: 'What the name starts with, whatever the case.' }),
    contentType: t.string({ description: 'MIME type.' }),
    tag: t.string({ description: 'Tagged so, whatever the case.' }),
    createdById: t.id({ description: 'Created by this person.' }),
    legalHold: t.boolean({ description: 'Under legal hold, or not.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Created before this time.' }),
  }),
});

const DocumentOrder = orderInput('Document', {
  NAME: { description: 'The name, whatever the case.' },
  CREATED_AT: { description: 'When it was created.' },
  MODIFIED_AT: { description: 'When it was last changed, or created.' },
  RECYCLED_AT: { description: 'When it went to the recycle bin.' },
  SIZE: { description: 'The size in bytes.' },
});

/** Arguments that all lists of documents have. */
const WHICH = { type: DocumentFilter, description: 'Which of them.' };
const ORDER = {
  type: DocumentOrder,
  description: 'In which order; newest first unless you say otherwise.',
};
const NEWEST = { field: 'CREATED_AT', direction: 'DESC' } as const;

interface DocumentListArguments extends PageRequest {
  filter?: Filter | null;
  orderBy?: { field: Order; direction: 'ASC' | 'DESC' } | null;
}

const toListArguments = ({
  filter,
  orderBy,
  ...page
}: DocumentListArguments): ListArguments<Filter, Order> => ({
  ...page,
  filter: filter ?? {},
  orderBy: orderBy ?? NEWEST,
});

builder.objectField(Project, 'documents', (t) =>
  t.connection({
    type: Document,
    description: 'The documents of the project, in whatever folder unless the filter says.',
    args: { filter: t.arg(WHICH), orderBy: t.arg(ORDER) },
    extensions: PREFETCH,
    resolve: (project, args, ctx) => connect(ctx, documentsOfProject, project, args, toListArguments),
  }),
);

builder.objectField(Project, 'pageCount', (t) =>
  t.field({
    type: 'BigInt',
    description: 'How many pages its documents have, those in the recycle bin and of unknown length aside.',
    resolve: async ({ id }, _, { load }) => (await load.one(countPages, id))?.pages ?? 0n,
  }),
);

builder.objectField(Document, 'events', (t) =>
  t.connection({
    type: Event,
    description: 'What happened to it, oldest first unless you say otherwise; comments are among it.',
    args: { direction: t.arg({ type: OrderDirection, defaultValue: 'ASC', description: 'By their age.' }) },
    resolve: (document, args, ctx) =>
      connect(ctx, eventsOfSubject, document, args, ({ direction, ...page }) => ({
        ...page,
        filter: {},
        orderBy: { field: 'CREATED_AT', direction: direction ?? 'ASC' },
      })),
  }),
);

builder.objectField(Folder, 'documents', (t) =>
  t.connection({
    type: Document,
    description: 'The documents directly in the folder.',
    args: { filter: t.arg(WHICH), orderBy: t.arg(ORDER) },
    extensions: PREFETCH,
    resolve: (folder, args, ctx) => connect(ctx, documentsOfFolder, folder, args, toListArguments),
  }),
);

builder.objectField(Viewer, 'documents', (t) =>
  t.connection({
    type: Document,
    description: 'All documents that you see, in whatever organization.',
    args: { filter: t.arg(WHICH), orderBy: t.arg(ORDER) },
    resolve: ({ id }, args, ctx) => {
      const listing = documentsOfViewer(ctx, args.filter ?? {});
      return connect(ctx, listing, { organizationId: '', id }, args, toListArguments);
    },
  }),
);
