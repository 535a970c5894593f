import { ConsoleOwnDocumentsDocument } from '../../../generated/operations/graphql.ts';
import { storedOperation } from '../../../graph/http/execute.ts';
import { consolePage } from '../ui/frame.tsx';
import { Pager, Rows } from '../ui/parts.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { DocumentRow } from './document-row.tsx';

const DOCUMENTS = storedOperation(ConsoleOwnDocumentsDocument);

/** `/console/documents`: all that the viewer sees, the last changed first. */
export function ownDocumentPages(pages: ConsolePages): void {
  pages.get('/console/documents', showDocuments);
}

async function showDocuments(visit: Visit): Promise<Response> {
  const after = visit.query('after');
  const { nodes, pageInfo } = (await visit.run(DOCUMENTS, { after })).viewer.documents;
  return consolePage({
    visit,
    title: 'Your documents',
    children: (
      <>
        <p class="lead">All that you see, in all your projects; the last changed first.</p>
        <section class="card" aria-label="Documents">
          <Rows count={nodes.length} empty="You see no document yet.">
            {nodes.map((document) => (
              <DocumentRow document={document} />
            ))}
          </Rows>
          <Pager path={visit.path} after={after} pageInfo={pageInfo} />
        </section>
      </>
    ),
  });
}
