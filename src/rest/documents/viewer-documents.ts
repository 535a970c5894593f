import { ListViewerDocumentsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { type Row, row } from '../wire/route.ts';
import { paged } from '../wire/wire.ts';
import { documentRecord } from './record.ts';

/** What applications ask beside the authorization server: the documents of the user (specification §4.1). */
export const applicationRows: Row[] = [
  row({
    id: 'listViewerDocuments',
    method: 'GET',
    path: '/documents',
    operation: storedOperation(ListViewerDocumentsDocument),
    in: ({ page }) => page,
    out: ({ viewer }, { page }) => paged('Documents', viewer.documents, page.first, documentRecord),
  }),
];
