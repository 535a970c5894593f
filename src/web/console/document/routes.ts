import { notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleCommentDocumentDocument,
  ConsoleDocumentDocument,
  ConsoleRecycleDocumentsDocument,
  ConsoleRestoreDocumentsDocument,
  ConsoleRestoreRevisionDocument,
  ConsoleRetryRenditionDocument,
  ConsoleUpdateDocumentDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { crumbsOf } from '../documents/hrefs.ts';
import { rootOf } from '../documents/routes.ts';
import { readStartable, START_FIELDS, startOn } from '../processes/start.ts';
import { attempt, type FormError, fieldError } from '../ui/form-error.ts';
import { consolePage, visible } from '../ui/frame.tsx';
import { visibleProject } from '../ui/project-tabs.tsx';
import type { ConsolePages, Visit } from '../ui/visit.ts';
import { UPLOAD_POLICY } from '../upload/upload-view.tsx';
import { firstPageOf, pageVariables } from './page-window.ts';
import { DocumentView, type Entered } from './view.tsx';

const DOCUMENT = storedOperation(ConsoleDocumentDocument);
const UPDATE = storedMutation(ConsoleUpdateDocumentDocument);
const COMMENT = storedMutation(ConsoleCommentDocumentDocument);
const RECYCLE = storedMutation(ConsoleRecycleDocumentsDocument);
const RESTORE_REVISION = storedMutation(ConsoleRestoreRevisionDocument);
const RETRY_RENDITION = storedMutation(ConsoleRetryRenditionDocument);
const RESTORE = storedMutation(ConsoleRestoreDocumentsDocument);

/** `projects/PROJECT/documents/DOCUMENT`: one document. */
export function documentPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/projects/:project/documents/:document`;
  pages.get(path, (visit) => showDocument(visit));
  pages.post(path, rename);
  pages.post(`${path}/comments`, comment);
  pages.post(`${path}/processes`, start);
  pages.post(`${path}/revisions`, restoreRevision);
  pages.post(`${path}/rendition`, retryRendition);
  pages.post(`${path}/recycle`, recycle);
  pages.post(`${path}/restore`, restore);
}

/** What was just done, by the query of the page. */
const DONE: Record<string, string> = {
  renamed: 'The document was renamed.',
  commented: 'The comment was added.',
  restored: 'The document was restored.',
  started: 'The process was started.',
  revision: 'The revision was restored, as the newest one.',
  uploaded: 'The new revision was uploaded.',
  rendition: 'Its pages are made in the background. Load this page again in some seconds.',
};

/** The field of the page by the name of that of the graph; a refusal of another is about the whole form. */
const FIELDS: Record<string, string> = { name: 'name', texts: 'text', ...START_FIELDS };

const pathOf = (visit: Visit): string => `${rootOf(visit)}/documents/${visit.param('document')}`;

async function readDocument(visit: Visit) {
  const id = visit.param('organization');
  const { organization, document } = await visit.run(DOCUMENT, {
    id,
    documentId: visit.param('document'),
    revisions: visit.query('revisions'),
    comments: visit.query('comments'),
    ...pageVariables(firstPageOf(visit)),
  });
  if (document?.project.id !== visit.param('project')) throw notFound('Document');
  return { organization: visible(organization), project: visibleProject(document.project, id), document };
}

async function showDocument(visit: Visit, error?: FormError, entered?: Entered): Promise<Response> {
  const { organization, project, document } = await readDocument(visit);
  const after = { revisions: visit.query('revisions'), comments: visit.query('comments') };
  const { formToken } = visit;
  const path = pathOf(visit);
  const first = firstPageOf(visit);
  const startable = await readStartable(visit, document.id);
  return consolePage({
    visit,
    title: document.name,
    organization,
    project,
    crumbs: crumbsOf(project, document.folder),
    done: DONE[visit.query('done') ?? ''],
    error,
    policy: UPLOAD_POLICY,
    children: DocumentView({ path, formToken, document, startable, first, after, error, entered }),
  });
}

/** Runs a change of the document, and continues at its page, or at `target`. */
const change = (
  visit: Visit,
  target: string,
  run: (documentId: string) => Promise<unknown>,
  entered?: Entered,
): Promise<Response> =>
  attempt(
    async () => {
      const { document } = await readDocument(visit);
      await run(document.id);
      return seeOther(target);
    },
    (error) => showDocument(visit, { ...error, at: FIELDS[error.at ?? ''] }, entered),
  );

async function rename(visit: Visit, form: URLSearchParams): Promise<Response> {
  const name = (form.get('name') ?? '').trim();
  if (!name) return showDocument(visit, fieldError('name', 'Enter a name.'), { name });
  const expectedVersion = Number(form.get('version'));
  const run = (documentId: string) => visit.run(UPDATE, { input: { documentId, name, expectedVersion } });
  return change(visit, `${pathOf(visit)}?done=renamed`, run, { name });
}

async function comment(visit: Visit, form: URLSearchParams): Promise<Response> {
  const text = (form.get('text') ?? '').trim();
  if (!text) return showDocument(visit, fieldError('text', 'Write a comment.'), { text });
  const run = (documentId: string) => visit.run(COMMENT, { input: { documentId, texts: [text] } });
  return change(visit, `${pathOf(visit)}?done=commented#comments`, run, { text });
}

function start(visit: Visit, form: URLSearchParams): Promise<Response> {
  const run = (documentId: string) => startOn(visit, form, documentId);
  const processId = form.get('processId') ?? '';
  return change(visit, `${pathOf(visit)}?done=started#processes`, run, { processId });
}

const restoreRevision = (visit: Visit, form: URLSearchParams): Promise<Response> =>
  change(visit, `${pathOf(visit)}?done=revision#revisions`, (documentId) =>
    visit.run(RESTORE_REVISION, { input: { documentId, number: Number(form.get('revision')) } }),
  );

const retryRendition = (visit: Visit): Promise<Response> =>
  change(visit, `${pathOf(visit)}?done=rendition`, (documentId) =>
    visit.run(RETRY_RENDITION, { input: { documentIds: [documentId] } }),
  );

async function recycle(visit: Visit, form: URLSearchParams): Promise<Response> {
  if (form.get('confirm') !== 'yes')
    return showDocument(visit, fieldError('confirm', 'Check the box to move the document.'));
  return change(visit, `${rootOf(visit)}?done=recycled`, (documentId) =>
    visit.run(RECYCLE, { input: { documentIds: [documentId] } }),
  );
}

const restore = (visit: Visit): Promise<Response> =>
  change(visit, `${pathOf(visit)}?done=restored`, (documentId) =>
    visit.run(RESTORE, { input: { documentIds: [documentId] } }),
  );
