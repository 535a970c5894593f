import {
  CreateFoldersDocument,
  DeleteFoldersDocument,
  GetFolderDocument,
  ListChildFoldersDocument,
  ListRootFoldersDocument,
  UpdateFolderDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { choose, single } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireInProject, requireProject } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { folderRecord } from './record.ts';

const FOLDERS = `${PROJECT}/documentFolders`;
const FOLDER = `${FOLDERS}/:documentFolderId`;

const FOLDER_NAMES = {
  name: 'Name',
  parentId: 'ParentID',
  hexColor: 'HexColor',
  assigneeEmails: 'AssignmentUserEmails',
};

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
    names: { folders: '', ...FOLDER_NAMES },
    method: 'POST',
    path: FOLDERS,
    operation: storedMutation(CreateFoldersDocument),
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
    names: { folderIds: 'IDs' },
    method: 'DELETE',
    path: FOLDERS,
    operation: storedMutation(DeleteFoldersDocument),
    in: (request) => ({
      input: { ...projectPath(request), folderIds: request.body.object().texts('IDs') ?? [] },
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
    names: { folderId: 'documentFolderId', ...FOLDER_NAMES },
    method: 'PUT',
    path: FOLDER,
    operation: storedMutation(UpdateFolderDocument),
    in: (request) => {
      const item = request.body.object();
      const parentId = item.text('ParentID');
      return {
        input: {
          ...projectPath(request),
          folderId: request.path.documentFolderId as string,
          name: item.text('Name'),
          hexColor: item.text('HexColor'),
          assigneeEmails: item.texts('AssignmentUserEmails'),
          parentId: parentId === undefined ? undefined : parentId || null,
        },
      };
    },
    out: ({ updateFolder }) => folderRecord(updateFolder.folder),
  }),
];
