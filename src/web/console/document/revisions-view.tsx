import { Name } from '../../ui/name.tsx';
import { ownPath } from '../documents/hrefs.ts';
import { pagesText, sizeText } from '../documents/kind-text.ts';
import { Form } from '../ui/fields.tsx';
import { Pager, Row, Rows, Time } from '../ui/parts.tsx';
import type { ConsoleDocument } from './console-document.ts';

interface RevisionsProps {
  path: string;
  formToken: string;
  document: ConsoleDocument;
  after: string | undefined;
  mayRestore: boolean;
}

/** The files that the document had, newest first. */
export const RevisionsView = ({
  path,
  document: { revisions, revisionNumber },
  after,
  ...props
}: RevisionsProps) => (
  <section class="card" aria-labelledby="revisions">
    <h2 id="revisions">Revisions</h2>
    <Rows count={revisions.nodes.length} empty="There are no revisions.">
      {revisions.nodes.map((revision) => (
        <RevisionEntry {...{ ...props, path, revision, isNewest: revision.number === revisionNumber }} />
      ))}
    </Rows>
    <Pager
      {...{ path, after, pageInfo: revisions.pageInfo, parameter: 'revisions', anchor: 'revisions' }}
      label="Pages of revisions"
    />
  </section>
);

interface EntryProps {
  path: string;
  formToken: string;
  revision: ConsoleDocument['revisions']['nodes'][number];
  isNewest: boolean;
  mayRestore: boolean;
}

const RevisionEntry = ({ revision, ...props }: EntryProps) => (
  <Row
    buttons={
      <>
        {props.mayRestore && !props.isNewest && <RestoreForm {...{ ...props, revision }} />}
        <a href={ownPath(revision.downloadUrl)} aria-describedby={revision.id}>
          Download
        </a>
      </>
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

/** An earlier revision becomes the newest one again. */
const RestoreForm = ({ path, formToken, revision }: Omit<EntryProps, 'isNewest' | 'mayRestore'>) => (
  <Form action={`${path}/revisions`} formToken={formToken} class="one">
    <button
      type="submit"
      name="revision"
      value={`${revision.number}`}
      class="small plain"
      aria-describedby={revision.id}
    >
      Restore
    </button>
  </Form>
);
