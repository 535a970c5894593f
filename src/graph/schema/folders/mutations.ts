import type { Folder as FolderRow } from '../../../domain/folders/folder.ts';
import { updateFolder } from '../../../domain/folders/folder-change.ts';
import { createFolders } from '../../../domain/folders/folder-create.ts';
import { deleteFolders } from '../../../domain/folders/folder-delete.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { Folder } from './type.ts';

const NewFolder = builder.inputType('NewFolder', {
  description: 'One folder to create.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 255 characters.' }),
    parentId: t.id({ description: 'The folder to create it in; the root unless you say otherwise.' }),
    hexColor: t.string({ description: 'A colour such as `#3366cc`.' }),
    assigneeEmails: t.stringList({ description: 'Who it is assigned to.' }),
  }),
});

const CreateFoldersInput = builder.inputType('CreateFoldersInput', {
  description: 'New folders of one project: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where to create them.' }),
    folders: t.field({ type: [NewFolder], required: true, description: 'The folders, in order.' }),
  }),
});

const CreateFoldersPayload = builder.objectRef<{ folders: FolderRow[] }>('CreateFoldersPayload').implement({
  description: 'The new folders.',
  fields: (t) => ({
    folders: t.expose('folders', { type: [Folder], description: 'In the order of the input.' }),
  }),
});

const FolderPlaceInput = builder.inputType('FolderPlaceInput', {
  description: 'A folder to create.',
  fields: (t) => ({
    parentId: t.id({ description: 'The folder that holds it; the root when left out.' }),
  }),
});

const UpdateFolderInput = builder.inputType('UpdateFolderInput', {
  description: 'A change of a folder; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    folderId: t.id({ required: true, description: 'Which folder.' }),
    name: t.string({ description: 'The new display name.' }),
    hexColor: t.string({ description: 'The new colour; an empty string takes it away.' }),
    moveTo: t.field({ type: FolderPlaceInput, description: 'Where to move it, with all below it.' }),
    assigneeEmails: t.stringList({ description: 'Who it is assigned to from now on: replaces the list.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const MoveFolderInput = builder.inputType('MoveFolderInput', {
  description: 'Where a folder goes.',
  fields: (t) => ({
    folderId: t.id({ required: true, description: 'Which folder.' }),
    parentId: t.id({ description: 'The folder to move it into; the root when left out.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const DeleteFoldersInput = builder.inputType('DeleteFoldersInput', {
  description: 'Folders of one project: all are deleted, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'Where they are.' }),
    folderIds: t.idList({ required: true, description: 'Which folders.' }),
  }),
});

const DeleteFoldersPayload = builder.objectRef<{ ids: string[] }>('DeleteFoldersPayload').implement({
  description: 'What was deleted.',
  fields: (t) => ({
    folderIds: t.exposeIDList('ids', { description: 'The ids of the folders, those below them included.' }),
  }),
});

const FolderPayload = builder.objectRef<{ folder: FolderRow }>('FolderPayload').implement({
  description: 'The folder as it now is.',
  fields: (t) => ({ folder: t.expose('folder', { type: Folder, description: 'The folder.' }) }),
});

builder.mutationFields((t) => ({
  createFolders: t.field({
    type: CreateFoldersPayload,
    description: 'Creates folders. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CreateFoldersInput, required: true, description: 'The folders.' }) },
    resolve: async (_, { input }, ctx) => ({ folders: await createFolders(ctx, input) }),
  }),
  updateFolder: t.field({
    type: FolderPayload,
    description: 'Changes a folder. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateFolderInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ folder: await updateFolder(ctx, input) }),
  }),
  deleteFolders: t.field({
    type: DeleteFoldersPayload,
    description:
      'Deletes folders with those below them. Takes the role ADMIN in the project. CONFLICT while a document is in one ' +
      'of them; what is in the recycle bin comes back to the root.',
    args: { input: t.arg({ type: DeleteFoldersInput, required: true, description: 'The folders.' }) },
    resolve: async (_, { input }, ctx) => ({ ids: await deleteFolders(ctx, input) }),
  }),
  moveFolder: t.field({
    type: FolderPayload,
    description: 'Moves a folder with all that is in it. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: MoveFolderInput, required: true, description: 'Where to.' }) },
    resolve: async (_, { input: { folderId, parentId, expectedVersion } }, ctx) => ({
      folder: await updateFolder(ctx, { folderId, expectedVersion, moveTo: { parentId } }),
    }),
  }),
}));
