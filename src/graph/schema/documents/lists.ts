import {
  documentsOfFolder,
  documentsOfProject,
  documentsOfViewer,
} from '../../../domain/documents/document-list.ts';
import { eventsOfSubject } from '../../../domain/events/event.ts';
import { countPages } from '../../../domain/projects/project-totals.ts';
import { Event } from '../events/type.ts';
import { Folder } from '../folders/type.ts';
import { builder } from '../kernel/builder.ts';
import {
  ageDirection,
  connect,
  defaultOrder,
  fixedOrder,
  orderInput,
  PREFETCH,
} from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Project } from '../projects/type.ts';
import { Viewer } from '../viewer/type.ts';
import { Document, DocumentOrigin, DocumentState } from './type.ts';

const DocumentFilter = builder.inputType('DocumentFilter', {
  description: 'Conditions for the documents of a list; all have to be met.',
  fields: (t) => ({
    state: t.field({ type: DocumentState, description: 'ACTIVE by default.' }),
    folderId: t.id({ description: 'Directly in this folder.' }),
    belowFolderId: t.id({ description: 'In this folder or in one below it.' }),
    atRoot: t.boolean({ description: 'With true: at the root, in no folder.' }),
    groupId: t.id({ description: 'Created by this form submission.' }),
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    contentType: t.string({ description: 'MIME type.' }),
    tag: t.string({ description: 'With this tag, ignoring case.' }),
    createdById: t.id({ description: 'Created by this person.' }),
    legalHold: t.boolean({ description: 'With true: under legal hold. With false: not.' }),
    signed: t.boolean({ description: 'With true: all its signers have signed. With false: not.' }),
    origin: t.field({ type: DocumentOrigin, description: 'Created in this way.' }),
    hasPicture: t.boolean({ description: 'With true: it has a `thumbnailUrl`. With false: not.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Created before this time.' }),
  }),
});

const DocumentOrder = orderInput('Document', {
  NAME: { description: 'The name, ignoring case.' },
  CREATED_AT: { description: 'When it was created.' },
  MODIFIED_AT: { description: 'When it was last changed, or created if it was never changed.' },
  RECYCLED_AT: { description: 'When it was moved to the recycle bin.' },
  SIZE: { description: 'The size in bytes.' },
});

/** Options of the arguments of lists of documents. */
const FILTER = { type: DocumentFilter, description: 'Which documents; all active ones if omitted.' };
const ORDER = {
  type: DocumentOrder,
  description: 'The order; newest first by default.',
};
const newestFirst = defaultOrder({ field: 'CREATED_AT', direction: 'DESC' });

builder.objectField(Project, 'documents', (t) =>
  t.connection(
    {
      type: Document,
      description: 'The documents of the project, in all folders unless filtered.',
      args: { filter: t.arg(FILTER), orderBy: t.arg(ORDER) },
      extensions: { ...PREFETCH, ...IN_PAST },
      resolve: (project, args, ctx) => connect(ctx, documentsOfProject, project, args, newestFirst),
    },
    connectionOf(Document),
  ),
);

builder.objectField(Project, 'pageCount', (t) =>
  t.field({
    type: 'BigInt',
    description:
      'The number of pages of its documents, without those in the recycle bin and of unknown length.',
    resolve: async ({ id }, _, { load }) => (await load.one(countPages, id))?.pages ?? 0n,
  }),
);

const byAge = fixedOrder('CREATED_AT');

builder.objectField(Document, 'events', (t) =>
  t.connection(
    {
      type: Event,
      description: 'Its events, comments included; oldest first by default.',
      args: { direction: t.arg(ageDirection('ASC')) },
      resolve: (document, args, ctx) => connect(ctx, eventsOfSubject, document, args, byAge),
    },
    connectionOf(Event),
  ),
);

builder.objectField(Folder, 'documents', (t) =>
  t.connection(
    {
      type: Document,
      description: 'The documents directly in the folder.',
      args: { filter: t.arg(FILTER), orderBy: t.arg(ORDER) },
      extensions: { ...PREFETCH, ...IN_PAST },
      resolve: (folder, args, ctx) => connect(ctx, documentsOfFolder, folder, args, newestFirst),
    },
    connectionOf(Document),
  ),
);

builder.objectField(Viewer, 'documents', (t) =>
  t.connection(
    {
      type: Document,
      description: 'All documents that are visible to you, in all organizations.',
      args: { filter: t.arg(FILTER), orderBy: t.arg(ORDER) },
      resolve: ({ id }, args, ctx) => {
        const listing = documentsOfViewer(ctx, args.filter ?? {});
        return connect(ctx, listing, { organizationId: '', id }, args, newestFirst);
      },
    },
    connectionOf(Document),
  ),
);
