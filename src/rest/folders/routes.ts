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
import { inPlace, PROJECT, place } from '../wire/path.ts';
import { type Row, row } from '../wire/route.ts';
import { paged } from '../wire/wire.ts';

const FOLDERS = `${PROJECT}/documentFolders`;

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
    const { folders } = inPlace(folder, request, 'Folder');
    return paged('DocumentFolders', folders, request.page.first, folderRecord);
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
  row({
    id: 'deleteDocumentFolders',
    method: 'DELETE',
    path: FOLDERS,
    operation: storedOperation(DeleteFoldersDocument),
    in: (request) => ({
      input: { ...place(request), folderIds: request.body.object().texts('IDs') ?? [] },
    }),
    out: () => undefined,
  }),
  row({
    id: 'getDocumentFolder',
    method: 'GET',
    path: `${FOLDERS}/:documentFolderId`,
    operation: storedOperation(GetFolderDocument),
    in: ({ path }) => ({ folderId: path.documentFolderId as string }),
    out: ({ folder }, request) => folderRecord(inPlace(folder, request, 'Folder')),
  }),
  row({
    id: 'updateDocumentFolder',
    method: 'PUT',
    path: `${FOLDERS}/:documentFolderId`,
    operation: storedOperation(UpdateFolderDocument),
    in: (request) => {
      const folder = request.body.object();
      const parentId = folder.text('ParentID');
      return {
        input: {
          ...place(request),
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
