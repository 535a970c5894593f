import { useEffect, useRef } from 'react';
import { useQuery } from 'urql';
import { ApprovalCard } from './approval-card.tsx';
import { Comments } from './comments.tsx';
import { fileSize, shortDate } from './format.ts';
import { DOCUMENT } from './operations.ts';
import { Picture } from './picture.tsx';
import { go, type Route } from './route.ts';
import { TaskRow } from './task-row.tsx';

/** A document beside the list: preview, approval, tasks, comments. Closes with Escape. */
export function DocumentPanel({ id, route }: { id: string; route: Route }) {
  const [{ data, fetching }] = useQuery({ query: DOCUMENT, variables: { id } });
  const close = () => go({ ...route, document: undefined });
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
  }, []);
  const document = data?.document;
  return (
    <aside
      className="panel"
      aria-label={document?.name ?? 'Document'}
      ref={panel}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <div className="panel-bar">
        <button type="button" className="quiet" onClick={close} aria-label="Close">
          ✕
        </button>
        {document && (
          <a className="button" href={document.downloadUrl}>
            Download
          </a>
        )}
      </div>
      {!document ? (
        <p className="empty">
          {fetching ? 'Loading …' : 'This document does not exist, or you may not see it.'}
        </p>
      ) : (
        <>
          <h2>{document.name}</h2>
          <p className="muted small">
            {[
              document.createdBy.name,
              shortDate(document.createdAt),
              fileSize(document.size),
              document.pageCount && `${document.pageCount} ${document.pageCount === 1 ? 'page' : 'pages'}`,
            ]
              .filter(Boolean)
              .join(' · ')}
            {document.tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          </p>
          {document.pendingApproval && <ApprovalCard approval={document.pendingApproval} />}
          {document.preview && (
            <Picture
              key={document.revisionNumber}
              className="preview"
              url={document.preview}
              alt={`First page of ${document.name}`}
            />
          )}
          {document.tasks.nodes.length > 0 && (
            <section>
              <h3>Tasks</h3>
              <ul className="rows">
                {document.tasks.nodes.map((task) => (
                  <TaskRow key={task.id} task={task} />
                ))}
              </ul>
            </section>
          )}
          <Comments document={id} comments={document.comments.nodes} />
        </>
      )}
    </aside>
  );
}
