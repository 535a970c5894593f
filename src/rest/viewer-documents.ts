import { ListViewerDocumentsDocument } from '../generated/operations/graphql.ts';
import { storedOperation } from '../graph/execute.ts';
import { documentRecord } from './document-record.ts';
import { type Row, row } from './row.ts';
import { paged } from './wire.ts';

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
