import { ListViewerDocumentsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';
import { documentRecord } from './record.ts';

/** What applications ask beside the authorization server: the documents of the user (specification §4.1). */
export const applicationRoutes: Route[] = [
  route({
    id: 'listViewerDocuments',
    method: 'GET',
    path: '/documents',
    operation: storedOperation(ListViewerDocumentsDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) => pageRecord('Documents', viewer.documents, page.first, documentRecord),
  }),
];
