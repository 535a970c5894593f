import { notFound } from '../../domain/kernel/errors.ts';
import {
  GetDocumentContentDocument,
  GetDocumentDocument,
  GetDocumentEvidenceDocument,
  GetDocumentThumbnailDocument,
  ListDocumentsDocument,
  type ListDocumentsQuery,
  MoveDocumentsDocument,
  RecycleDocumentsDocument,
  RestoreDocumentsDocument,
  UpdateDocumentDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { idList } from '../shape/ids.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireInProject, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { PlainText } from '../wire/text-reply.ts';
import { text } from '../wire/values.ts';
import { contentRecord, evidenceRecord } from './content-record.ts';
import { documentChange, documentMove } from './input.ts';
import { orderIn } from './order.ts';
import { changedDocumentRecord, documentRecord, ORIGINS } from './record.ts';

/** One folder, or everything below it with `showAll`; the documents of a form submission at any depth. */
function filterIn({ query }: RestRequest) {
  const groupId = query.text('documentGroupId') || undefined;
  const folderId = query.text('documentFolderId') || undefined;
  const isUnsigned = query.flag('unsigned');
  const includesSubfolders = query.flag('showAll') || groupId !== undefined;
  return {
    groupId,
    state: query.flag('recycleBin') ? ('RECYCLED' as const) : undefined,
    signed: isUnsigned === undefined ? undefined : !isUnsigned,
    hasPicture: query.flag('hasSinglePageImages'),
    origin: query.term('documentOriginType', ORIGINS),
    ...(includesSubfolders ? { belowFolderId: folderId } : { folderId, atRoot: folderId === undefined }),
  };
}

function documentPage({ project }: ListDocumentsQuery, request: RestRequest) {
  const { documents } = requireProject(project, request);
  return pageRecord('Documents', documents, request.page.first, documentRecord);
}

const documentsIn = (request: RestRequest) => ({
  ...projectPath(request),
  documentIds: idList(request.body.object()).ids,
});

const DOCUMENT = `${PROJECT}/documents/:documentId`;

const documentIn = ({ path }: RestRequest) => ({ documentId: path.documentId as string });

export const documentRoutes: Route[] = [
  route({
    id: 'listDocuments',
    names: { folderId: 'documentFolderId', belowFolderId: 'documentFolderId', groupId: 'documentGroupId' },
    method: 'GET',
    path: `${PROJECT}/documents`,
    takesSortType: true,
    operation: storedOperation(ListDocumentsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      filter: filterIn(request),
      orderBy: orderIn(request),
      ...request.page,
    }),
    out: documentPage,
  }),
  route({
    id: 'listRecycleBinDocuments',
    method: 'GET',
    path: `${PROJECT}/recycleBinDocuments`,
    operation: storedOperation(ListDocumentsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      filter: { state: 'RECYCLED' as const },
      orderBy: { field: 'RECYCLED_AT' as const, direction: 'DESC' as const },
      ...request.page,
    }),
    out: documentPage,
  }),
  route({
    id: 'getDocument',
    method: 'GET',
    path: DOCUMENT,
    operation: storedOperation(GetDocumentDocument),
    in: documentIn,
    out: ({ document }, request) => documentRecord(requireInProject(document, request, 'Document')),
  }),
  route({
    id: 'updateDocument',
    names: documentChange.names,
    method: 'PUT',
    path: DOCUMENT,
    operation: storedMutation(UpdateDocumentDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        ...documentIn(request),
        ...documentChange(request.body.object()),
      },
    }),
    out: ({ updateDocument }) => changedDocumentRecord(updateDocument.document),
  }),
  route({
    id: 'setDocumentFolder',
    names: documentMove.names,
    method: 'POST',
    path: `${PROJECT}/documentActions/setDocumentFolder`,
    operation: storedMutation(MoveDocumentsDocument),
    in: (request) => ({ input: { ...projectPath(request), ...documentMove(request.body.object()) } }),
    out: ({ moveDocuments }) => moveDocuments.documents.map(documentRecord),
  }),
  route({
    id: 'sendToRecycleBin',
    names: { documentIds: 'IDs' },
    method: 'POST',
    path: `${PROJECT}/documentActions/sendToRecycleBin`,
    operation: storedMutation(RecycleDocumentsDocument),
    in: (request) => ({ input: documentsIn(request) }),
    out: ({ recycleDocuments }) => recycleDocuments.documents.map(documentRecord),
  }),
  route({
    id: 'restoreFromRecycleBin',
    names: { documentIds: 'IDs' },
    method: 'POST',
    path: `${PROJECT}/documentActions/restoreFromRecycleBin`,
    operation: storedMutation(RestoreDocumentsDocument),
    in: (request) => ({ input: documentsIn(request) }),
    out: ({ restoreDocuments }) => restoreDocuments.documents.map(documentRecord),
  }),
  route({
    id: 'getDocumentContentPackage',
    method: 'GET',
    path: `${PROJECT}/documentContentPackages/:documentId`,
    allowance: 'content',
    operation: storedOperation(GetDocumentContentDocument),
    in: (request) => ({
      ...documentIn(request),
      inline: request.query.flag('displayInline') ?? false,
    }),
    out: ({ document }, request) => {
      const { downloadUrl, contentType, name, pageCount } = requireInProject(document, request, 'Document');
      return contentRecord({ url: downloadUrl, contentType, name, pageCount });
    },
  }),
  route({
    id: 'getDocumentThumbnail',
    method: 'GET',
    path: `${DOCUMENT}/thumbnails`,
    operation: storedOperation(GetDocumentThumbnailDocument),
    in: documentIn,
    out: ({ document }, request) =>
      new PlainText('text/plain', text(requireInProject(document, request, 'Document').thumbnailUrl)),
  }),
  route({
    id: 'getDocumentEvidence',
    method: 'GET',
    path: `${DOCUMENT}/evidence`,
    operation: storedOperation(GetDocumentEvidenceDocument),
    in: documentIn,
    out: ({ document }, request) => {
      const { id, name, evidence } = requireInProject(document, request, 'Document');
      if (evidence == null) throw notFound('Evidence');
      return evidenceRecord({ id, name, evidence });
    },
  }),
];
