import { ListViewerDocumentsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { pageRecord } from '../wire/pages.ts';
import { type Route, route } from '../wire/route.ts';
import { documentRecord } from './record.ts';

/** The resource of the OAuth interface, outside /api/v1: the documents of the user (specification §4.1). */
export const viewerDocumentRoutes: Route[] = [
  route({
    id: 'listViewerDocuments',
    method: 'GET',
    path: '/documents',
    operation: storedOperation(ListViewerDocumentsDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) => pageRecord('Documents', viewer.documents, page.first, documentRecord),
  }),
];
