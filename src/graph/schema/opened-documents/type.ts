import { findDocuments } from '../../../domain/documents/document.ts';
import { relationByColumn } from '../../../domain/kernel/relation.ts';
import {
  findOpenedDocuments,
  type OpenedDocument as OpenedDocumentRow,
  openedDocumentsOfOrganization,
} from '../../../domain/opened-documents/opened-document.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';

const OpenedDocument = builder.objectRef<OpenedDocumentRow>('OpenedDocument').implement({
  scope: 'documents:read',
  description:
    'You opened a document: you asked for a URL of its content, not as an item of a list. Nobody else sees that.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization of the document.' }),
    openedAt: t.expose('openedAt', {
      type: 'DateTime',
      description: 'When you opened it last, to the minute.',
    }),
    document: t.field({
      type: Document,
      nullable: true,
      description: 'The document; null if it was deleted in this moment.',
      extensions: { relation: relationByColumn('document_id', findDocuments) },
      resolve: ({ documentId }, _, { load }) => load.one(findDocuments, documentId),
    }),
  }),
});

nodeType('OpenedDocument', ({ load }, id) => load.one(findOpenedDocuments, id));

const newestFirst = fixedOrder('OPENED_AT', 'DESC');

builder.objectField(Organization, 'recentlyOpenedDocuments', (t) =>
  t.connection(
    {
      type: OpenedDocument,
      description:
        'The documents of it that you opened last, newest first: the last 100 of which those are left that you still see and that are not recycled.',
      resolve: ({ id }, args, ctx) =>
        connect(ctx, openedDocumentsOfOrganization, { organizationId: id, id }, args, newestFirst),
    },
    connectionOf(OpenedDocument),
  ),
);
