import {
  CreateFoldersDocument,
  DeleteFoldersDocument,
  GetFolderDocument,
  ListChildFoldersDocument,
  ListRootFoldersDocument,
  UpdateFolderDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { idList } from '../shape/ids.ts';
import { choose, single } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireInProject, requireProject } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { folderChange, newFolder } from './input.ts';
import { folderRecord } from './record.ts';

const FOLDERS = `${PROJECT}/documentFolders`;
const FOLDER = `${FOLDERS}/:documentFolderId`;

export const folderRoutes: Route[] = [
  {
    id: 'listDocumentFolders',
    method: 'GET',
    path: FOLDERS,
    operations: choose(({ query }) => (query.text('parentId') ? 'children' : 'roots'), {
      roots: single({
        operation: storedOperation(ListRootFoldersDocument),
        in: (request) => ({ projectId: projectPath(request).projectId, ...request.page }),
        out: ({ project }, request) => {
          const { folders } = requireProject(project, request);
          return pageRecord('DocumentFolders', folders, request.page.first, folderRecord);
        },
      }),
      children: single({
        operation: storedOperation(ListChildFoldersDocument),
        in: ({ query, page }) => ({ parentId: query.required('parentId'), ...page }),
        out: ({ folder }, request) => {
          const { folders } = requireInProject(folder, request, 'Folder');
          return pageRecord('DocumentFolders', folders, request.page.first, folderRecord);
        },
      }),
    }),
  },
  route({
    id: 'createDocumentFolders',
    names: { folders: '', ...newFolder.names },
    method: 'POST',
    path: FOLDERS,
    operation: storedMutation(CreateFoldersDocument),
    in: (request) => ({ input: { ...projectPath(request), folders: request.body.array().map(newFolder) } }),
    out: ({ createFolders }) => createFolders.folders.map(folderRecord),
  }),
  route({
    id: 'deleteDocumentFolders',
    names: { folderIds: 'IDs' },
    method: 'DELETE',
    path: FOLDERS,
    operation: storedMutation(DeleteFoldersDocument),
    in: (request) => ({
      input: { ...projectPath(request), folderIds: idList(request.body.object()).ids },
    }),
    out: () => undefined,
  }),
  route({
    id: 'getDocumentFolder',
    names: { folderId: 'documentFolderId' },
    method: 'GET',
    path: FOLDER,
    operation: storedOperation(GetFolderDocument),
    in: ({ path }) => ({ folderId: path.documentFolderId as string }),
    out: ({ folder }, request) => folderRecord(requireInProject(folder, request, 'Folder')),
  }),
  route({
    id: 'updateDocumentFolder',
    names: { folderId: 'documentFolderId', ...folderChange.names },
    method: 'PUT',
    path: FOLDER,
    operation: storedMutation(UpdateFolderDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        folderId: request.path.documentFolderId as string,
        ...folderChange(request.body.object()),
      },
    }),
    out: ({ updateFolder }) => folderRecord(updateFolder.folder),
  }),
];
