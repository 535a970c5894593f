import type { Folder as FolderRow } from '../../../domain/folders/folder.ts';
import { updateFolder } from '../../../domain/folders/folder-change.ts';
import { createFolders } from '../../../domain/folders/folder-create.ts';
import { deleteFolders } from '../../../domain/folders/folder-delete.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Folder } from './type.ts';

const NewFolder = builder.inputType('NewFolder', {
  description: 'One folder to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    parentId: t.id({ description: 'The folder to create it in; the root if omitted.' }),
    hexColor: t.string({ description: 'A colour such as `#3366cc`.' }),
    assigneeEmails: t.stringList({ description: 'The e-mail addresses of its assignees.' }),
  }),
});

const createFoldersInput = mutationInput({
  description: 'New folders of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    folders: t.field({ type: [NewFolder], required: true, description: 'The folders, in order.' }),
  }),
});

const createFoldersPayload = mutationPayload<{ folders: FolderRow[] }>({
  description: 'The new folders.',
  fields: (t) => ({
    folders: t.expose('folders', { type: [Folder], description: 'In the order of the input.' }),
  }),
});

const updateFolderInput = mutationInput({
  description: 'A change of a folder; an omitted member keeps its value.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    folderId: t.id({ required: true, description: 'Which folder.' }),
    name: t.string({ description: 'The new display name.' }),
    hexColor: t.string({ description: 'The new colour; an empty string removes it.' }),
    parentId: t.id({
      description: 'The folder to move it into, with its content; null moves it to the root.',
    }),
    assigneeEmails: t.stringList({
      description: 'The e-mail addresses of its assignees: replaces the list.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const moveFolderInput = mutationInput({
  description: 'A folder to move.',
  fields: (t) => ({
    folderId: t.id({ required: true, description: 'Which folder.' }),
    parentId: t.id({ description: 'The folder to move it into; the root if omitted.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const deleteFoldersInput = mutationInput({
  description: 'Folders of one project: all are deleted, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Their project.' }),
    folderIds: t.idList({ required: true, description: 'Which folders.' }),
  }),
});

const deleteFoldersPayload = mutationPayload<{ ids: string[] }>({
  description: 'The deleted folders.',
  fields: (t) => ({
    folderIds: t.exposeIDList('ids', {
      description: 'Their ids, including those of the folders below them.',
    }),
  }),
});

const folderPayload = mutationPayload<{ folder: FolderRow }>({
  description: 'The folder after the change.',
  fields: (t) => ({ folder: t.expose('folder', { type: Folder, description: 'The folder.' }) }),
});

mutation('createFolders', {
  scope: 'documents:write',
  description: 'Creates folders. Requires the role EDITOR in the project.',
  argument: 'The folders.',
  input: createFoldersInput,
  payload: createFoldersPayload,
  batch: { items: 'folders', empty: { folders: [] } },
  resolve: async (input, ctx) => ({ folders: await createFolders(ctx, input) }),
});

mutation('updateFolder', {
  scope: 'documents:write',
  description: 'Changes a folder. Requires the role EDITOR in the project.',
  argument: 'The change.',
  input: updateFolderInput,
  payload: folderPayload,
  resolve: async (input, ctx) => ({ folder: await updateFolder(ctx, input) }),
});

mutation('deleteFolders', {
  scope: 'documents:write',
  description:
    'Deletes folders with the folders below them. Requires the role ADMIN in the project. CONFLICT if one of them contains ' +
    'an active document; recycled documents are moved to the root.',
  argument: 'The folders.',
  input: deleteFoldersInput,
  payload: deleteFoldersPayload,
  batch: { items: 'folderIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await deleteFolders(ctx, input) }),
});

mutation('moveFolder', {
  scope: 'documents:write',
  description: 'Moves a folder with its content. Requires the role EDITOR in the project.',
  argument: 'The folder and its new parent.',
  input: moveFolderInput,
  payload: folderPayload,
  resolve: async (input, ctx) => ({
    folder: await updateFolder(ctx, {
      folderId: input.folderId,
      expectedVersion: input.expectedVersion,
      parentId: input.parentId ?? null,
    }),
  }),
});
