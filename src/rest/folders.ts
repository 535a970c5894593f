import { notFound } from '../domain/errors.ts';
import {
  CreateFoldersDocument,
  ListChildFoldersDocument,
  ListRootFoldersDocument,
} from '../generated/operations/graphql.ts';
import { storedOperation } from '../graph/execute.ts';
import { folderRecord } from './records.ts';
import { type RestRequest, type Row, row } from './row.ts';
import { paged } from './wire.ts';

const FOLDERS = '/organizations/:organizationId/projects/:projectId/documentFolders';

const place = ({ path }: RestRequest) => ({
  organizationId: path.organizationId as string,
  projectId: path.projectId as string,
});

const rootFolders = row({
  id: 'listDocumentFolders',
  method: 'GET',
  path: FOLDERS,
  operation: storedOperation(ListRootFoldersDocument),
  in: (request) => ({ projectId: place(request).projectId, ...request.page }),
  out: ({ project }, request) => {
    if (project?.organizationId !== place(request).organizationId) throw notFound('Project');
    return paged('DocumentFolders', project.folders, request.page.first, folderRecord);
  },
});

const childFolders = row({
  ...rootFolders,
  operation: storedOperation(ListChildFoldersDocument),
  in: ({ query, page }) => ({ parentId: query.required('parentId'), ...page }),
  out: ({ folder }, request) => {
    const { organizationId, projectId } = place(request);
    if (folder?.organizationId !== organizationId || folder.project.id !== projectId)
      throw notFound('Folder');
    return paged('DocumentFolders', folder.folders, request.page.first, folderRecord);
  },
});

export const folderRows: Row[] = [
  {
    ...rootFolders,
    run: (request, execute) =>
      (request.query.text('parentId') ? childFolders : rootFolders).run(request, execute),
  },
  row({
    id: 'createDocumentFolders',
    method: 'POST',
    path: FOLDERS,
    operation: storedOperation(CreateFoldersDocument),
    in: (request) => ({
      input: {
        ...place(request),
        folders: request.body.array().map((item) => ({
          name: item.required('Name'),
          parentId: item.text('ParentID') || undefined,
          hexColor: item.text('HexColor') || undefined,
          assigneeEmails: item.texts('AssignmentUserEmails'),
        })),
      },
    }),
    out: ({ createFolders }) => createFolders.folders.map(folderRecord),
  }),
];
