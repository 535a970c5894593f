import { Name } from '../../ui/name.tsx';
import { pagesText, sizeText } from '../documents/kind-text.ts';
import { ownPath } from '../documents/place.ts';
import { Pager, Row, Rows, Time } from '../ui/parts.tsx';
import type { ConsoleDocument } from './console-document.ts';

interface RevisionsProps {
  path: string;
  revisions: ConsoleDocument['revisions'];
  after: string | undefined;
}

/** The files that the document had, newest first. */
export const RevisionsView = ({ path, revisions, after }: RevisionsProps) => (
  <section class="card" aria-labelledby="revisions">
    <h2 id="revisions">Revisions</h2>
    <Rows count={revisions.nodes.length} empty="There are no revisions.">
      {revisions.nodes.map((revision) => (
        <RevisionEntry revision={revision} />
      ))}
    </Rows>
    <Pager
      {...{ path, after, pageInfo: revisions.pageInfo, parameter: 'revisions', anchor: 'revisions' }}
      label="Pages of revisions"
    />
  </section>
);

const RevisionEntry = ({ revision }: { revision: ConsoleDocument['revisions']['nodes'][number] }) => (
  <Row
    buttons={
      <a href={ownPath(revision.downloadUrl)} aria-describedby={revision.id}>
        Download
      </a>
    }
  >
    <span id={revision.id}>
      <strong>Revision {revision.number}</strong>: <Name of={revision.name} maxLength={120} />
    </span>
    <p>
      <Time at={revision.createdAt} byMinute /> by <Name of={revision.createdBy.name} maxLength={60} /> ·{' '}
      {sizeText(revision.size)}
      {revision.pageCount !== null && ` · ${pagesText(revision.pageCount)}`}
      {revision.restoredFrom !== null && ` · restored from revision ${revision.restoredFrom}`}
    </p>
  </Row>
);
