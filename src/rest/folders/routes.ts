import { notFound } from '../../domain/kernel/errors.ts';
import {
  CreateFoldersDocument,
  DeleteFoldersDocument,
  GetFolderDocument,
  ListChildFoldersDocument,
  ListRootFoldersDocument,
  UpdateFolderDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { folderRecord } from '../wire/common-records.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import { type Route, route } from '../wire/route.ts';
import { pageRecord } from '../wire/wire.ts';

const FOLDERS = `${PROJECT}/documentFolders`;

const rootFolders = route({
  id: 'listDocumentFolders',
  method: 'GET',
  path: FOLDERS,
  operation: storedOperation(ListRootFoldersDocument),
  in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
  out: ({ project }, request) => {
    if (project?.organizationId !== projectPath(request).organizationId) throw notFound('Project');
    return pageRecord('DocumentFolders', project.folders, request.page.first, folderRecord);
  },
});

const childFolders = route({
  ...rootFolders,
  operation: storedOperation(ListChildFoldersDocument),
  in: ({ query, page }) => ({ parentId: query.required('parentId'), ...page }),
  out: ({ folder }, request) => {
    const { folders } = requireInProject(folder, request, 'Folder');
    return pageRecord('DocumentFolders', folders, request.page.first, folderRecord);
  },
});

export const folderRoutes: Route[] = [
  {
    ...rootFolders,
    run: (request, execute) =>
      (request.query.text('parentId') ? childFolders : rootFolders).run(request, execute),
  },
  route({
    id: 'createDocumentFolders',
    method: 'POST',
    path: FOLDERS,
    operation: storedOperation(CreateFoldersDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
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
  route({
    id: 'deleteDocumentFolders',
    method: 'DELETE',
    path: FOLDERS,
    operation: storedOperation(DeleteFoldersDocument),
    in: (request) => ({
      input: { ...projectPath(request), folderIds: request.body.object().texts('IDs') ?? [] },
    }),
    out: () => undefined,
  }),
  route({
    id: 'getDocumentFolder',
    method: 'GET',
    path: `${FOLDERS}/:documentFolderId`,
    operation: storedOperation(GetFolderDocument),
    in: ({ path }) => ({ folderId: path.documentFolderId as string }),
    out: ({ folder }, request) => folderRecord(requireInProject(folder, request, 'Folder')),
  }),
  route({
    id: 'updateDocumentFolder',
    method: 'PUT',
    path: `${FOLDERS}/:documentFolderId`,
    operation: storedOperation(UpdateFolderDocument),
    in: (request) => {
      const folder = request.body.object();
      const parentId = folder.text('ParentID');
      return {
        input: {
          ...projectPath(request),
          folderId: request.path.documentFolderId as string,
          name: folder.text('Name'),
          hexColor: folder.text('HexColor'),
          assigneeEmails: folder.texts('AssignmentUserEmails'),
          moveTo: parentId === undefined ? undefined : { parentId: parentId || undefined },
        },
      };
    },
    out: ({ updateFolder }) => folderRecord(updateFolder.folder),
  }),
];
