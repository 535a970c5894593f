import { notFound } from '../../domain/kernel/errors.ts';
import {
  GetDocumentContentDocument,
  GetDocumentEvidenceDocument,
  ListDocumentsDocument,
  MoveDocumentsDocument,
  RecycleDocumentsDocument,
  RestoreDocumentsDocument,
  UpdateDocumentDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';
import { changedDocumentRecord, documentRecord } from './record.ts';

/** One level of the tree, unless showAll asks for all below it; a submission's documents are found at any depth. */
function filter({ query }: RestRequest) {
  const groupId = query.text('documentGroupId') || undefined;
  const folderId = query.text('documentFolderId') || undefined;
  const deep = query.flag('showAll') || groupId !== undefined;
  return {
    groupId,
    state: query.flag('recycleBin') ? ('RECYCLED' as const) : undefined,
    ...(deep ? { belowFolderId: folderId } : { folderId, atRoot: folderId === undefined }),
  };
}

const several = (request: RestRequest) => ({
  ...projectPath(request),
  documentIds: request.body.object().texts('IDs') ?? [],
});

export const documentRoutes: Route[] = [
  route({
    id: 'listDocuments',
    method: 'GET',
    path: `${PROJECT}/documents`,
    operation: storedOperation(ListDocumentsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      filter: filter(request),
      ...request.page,
    }),
    out: ({ project }, request) => {
      if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
      return pageRecord('Documents', project.documents, request.page.first, documentRecord);
    },
  }),
  route({
    id: 'updateDocument',
    method: 'PUT',
    path: `${PROJECT}/documents/:documentId`,
    operation: storedOperation(UpdateDocumentDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        documentId: request.path.documentId as string,
        name: request.body.object().text('Name'),
        assigneeEmails: request.body.object().texts('AssignmentUserEmails'),
      },
    }),
    out: ({ updateDocument }) => changedDocumentRecord(updateDocument.document),
  }),
  route({
    id: 'setDocumentFolder',
    method: 'POST',
    path: `${PROJECT}/documentActions/setDocumentFolder`,
    operation: storedOperation(MoveDocumentsDocument),
    in: (request) => ({
      input: { ...several(request), folderId: request.body.object().text('DocumentFolderID') || undefined },
    }),
    out: ({ moveDocuments }) => moveDocuments.documents.map(documentRecord),
  }),
  route({
    id: 'sendToRecycleBin',
    method: 'POST',
    path: `${PROJECT}/documentActions/sendToRecycleBin`,
    operation: storedOperation(RecycleDocumentsDocument),
    in: (request) => ({ input: several(request) }),
    out: ({ recycleDocuments }) => recycleDocuments.documents.map(documentRecord),
  }),
  route({
    id: 'restoreFromRecycleBin',
    method: 'POST',
    path: `${PROJECT}/documentActions/restoreFromRecycleBin`,
    operation: storedOperation(RestoreDocumentsDocument),
    in: (request) => ({ input: several(request) }),
    out: ({ restoreDocuments }) => restoreDocuments.documents.map(documentRecord),
  }),
  route({
    id: 'getDocumentContentPackage',
    method: 'GET',
    path: `${PROJECT}/documentContentPackages/:documentId`,
    operation: storedOperation(GetDocumentContentDocument),
    in: ({ path, query }) => ({
      documentId: path.documentId as string,
      inline: query.flag('displayInline') ?? false,
    }),
    out: ({ document }, request) => {
      const { downloadUrl, contentType, name, pageCount } = requireInProject(document, request, 'Document');
      return {
        Url: downloadUrl,
        ContentType: contentType,
        Name: name,
        PageIndex: 0,
        PageCount: pageCount ?? 0,
      };
    },
  }),
  route({
    id: 'getDocumentEvidence',
    method: 'GET',
    path: `${PROJECT}/documents/:documentId/evidence`,
    operation: storedOperation(GetDocumentEvidenceDocument),
    in: ({ path }) => ({ documentId: path.documentId as string }),
    out: ({ document }, request) => {
      const { id, name, evidence } = requireInProject(document, request, 'Document');
      if (evidence == null) throw notFound('Evidence');
      return {
        DocumentID: id,
        Name: `${name}.evidence.json`,
        ContentType: 'application/json',
        Content: evidence,
      };
    },
  }),
];
