import type { Startable } from '../processes/start.ts';
import { StartView } from '../processes/start-view.tsx';
import { CommentsView } from '../ui/comments-view.tsx';
import type { FormError } from '../ui/form-error.ts';
import { mayEdit } from '../ui/project-tabs.tsx';
import { UploadView } from '../upload/upload-view.tsx';
import type { ConsoleDocument } from './console-document.ts';
import { FactsView, pageCountOf } from './facts-view.tsx';
import { RecycledNotice, RecycleForm, RenameForm } from './forms-view.tsx';
import { picturesOf } from './page-window.ts';
import { PagesView } from './pages-view.tsx';
import { RenditionView } from './rendition-view.tsx';
import { RevisionsView } from './revisions-view.tsx';

/** What was typed into the forms of the page. */
export interface Entered {
  name?: string;
  text?: string;
  processId?: string;
}

interface DocumentProps {
  path: string;
  formToken: string;
  document: ConsoleDocument;
  startable: Startable | undefined;
  /** The first page to show. */
  first: number;
  /** The cursors of the lists. */
  after: { revisions: string | undefined; comments: string | undefined };
  error?: FormError;
  entered?: Entered;
}

export const DocumentView = ({ document, startable, first, after, entered, ...props }: DocumentProps) => {
  const isRecycled = document.state === 'RECYCLED';
  const mayChange = mayEdit(document.project) && !isRecycled;
  const pictures = picturesOf(document.currentRevision, first);
  return (
    <>
      {isRecycled && <RecycledNotice {...props} document={document} mayRestore={mayEdit(document.project)} />}
      <RenditionView {...props} document={document} mayRetry={mayChange} />
      <FactsView document={document} isShown={pictures.length > 0} />
      {pictures.length > 0 && (
        <PagesView
          {...props}
          name={document.name}
          pageCount={pageCountOf(document)}
          {...{ first, pictures }}
        />
      )}
      {startable && (
        <StartView {...{ ...props, ...startable, mayStart: mayChange, chosen: entered?.processId }} />
      )}
      <CommentsView
        {...{ ...props, comments: document.comments, after: after.comments }}
        mayAdd={mayChange}
        field="text"
        entered={entered?.text}
      />
      <RevisionsView {...{ ...props, document, after: after.revisions, mayRestore: mayChange }} />
      {mayChange && (
        <UploadView
          {...{ projectId: document.project.id, documentId: document.id }}
          target={`${props.path}?done=uploaded`}
        />
      )}
      {mayChange && <RenameForm {...props} document={document} entered={entered?.name} />}
      {mayChange && <RecycleForm {...props} document={document} />}
    </>
  );
};
