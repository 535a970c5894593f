import { useQuery } from 'urql';
import { fileSize, shortDate } from './format.ts';
import type { DocumentCardFragment, DocumentFilter } from './gql/graphql.ts';
import { Link } from './link.tsx';
import { More } from './more.tsx';
import { DOCUMENTS } from './operations.ts';
import { Picture } from './picture.tsx';
import type { Route } from './route.ts';

interface Props {
  project: string;
  filter: DocumentFilter;
  route: Route;
}

/** The documents of a folder, page by page as one scrolls. */
export const DocumentPages = (props: Props) => (
  <div className="documents">
    <Page {...props} />
  </div>
);

/** A page, and those after it. Each starts where the one before ends, so that a new document moves none out of sight. */
function Page({ after, ...props }: Props & { after?: string }) {
  const { project, filter, route } = props;
  const [{ data, fetching }] = useQuery({ query: DOCUMENTS, variables: { project, filter, after } });
  const documents = data?.project?.documents;
  if (!documents) return fetching ? <Placeholders /> : null;
  const { hasNextPage, endCursor } = documents.pageInfo;
  if (!after && documents.nodes.length === 0)
    return <p className="empty">No documents here. Drop files anywhere on this page.</p>;
  return (
    <>
      {documents.nodes.map((document) => (
        <Card key={document.id} document={document} route={route} />
      ))}
      {hasNextPage && endCursor && (
        <More>
          <Page {...props} after={endCursor} />
        </More>
      )}
    </>
  );
}

function Card({ document, route }: { document: DocumentCardFragment; route: Route }) {
  const { id, name, size, createdAt, revisionNumber, thumbnailUrl, signedAt, pendingApproval } = document;
  return (
    <Link
      to={{ ...route, document: id }}
      className="document"
      aria-current={id === route.document ? 'true' : undefined}
    >
      <span className="picture">
        {thumbnailUrl ? (
          <Picture key={revisionNumber} url={thumbnailUrl} alt="" />
        ) : (
          <span>{name.split('.').pop()?.slice(0, 4)}</span>
        )}
        {signedAt && <span className="badge approved">Signed</span>}
        {pendingApproval && <span className="badge pending">Approval</span>}
      </span>
      <span className="name">{name}</span>
      <span className="muted small">
        {shortDate(createdAt)} · {fileSize(size)}
      </span>
    </Link>
  );
}

const Placeholders = () =>
  [1, 2, 3, 4, 5, 6].map((index) => <span key={index} className="document placeholder picture" />);
