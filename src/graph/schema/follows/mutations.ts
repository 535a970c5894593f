import type { Document as DocumentRow } from '../../../domain/documents/document.ts';
import type { Folder as FolderRow } from '../../../domain/folders/folder.ts';
import {
  followDocuments,
  followFolders,
  followProjects,
  followTasks,
  unfollowDocuments,
  unfollowFolders,
  unfollowProjects,
  unfollowTasks,
} from '../../../domain/follows/follow-change.ts';
import type { Project as ProjectRow } from '../../../domain/projects/project.ts';
import type { Task as TaskRow } from '../../../domain/tasks/task.ts';
import { Document } from '../documents/type.ts';
import { Folder } from '../folders/type.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Project } from '../projects/type.ts';
import { Task } from '../tasks/type.ts';

const IDS = 'Which ones: all of them, or none.';

const followDocumentsInput = mutationInput({
  description: 'What to follow.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: IDS }),
  }),
});

const followDocumentsPayload = mutationPayload<{ documents: DocumentRow[] }>({
  description: 'The documents after the change.',
  fields: (t) => ({
    documents: t.expose('documents', { type: [Document], description: 'In the order of the input.' }),
  }),
});

const unfollowDocumentsInput = mutationInput({
  description: 'What not to follow any more.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: IDS }),
  }),
});

const unfollowDocumentsPayload = mutationPayload<{ documents: DocumentRow[] }>({
  description: 'The documents after the change.',
  fields: (t) => ({
    documents: t.expose('documents', { type: [Document], description: 'In the order of the input.' }),
  }),
});

const followFoldersInput = mutationInput({
  description: 'What to follow.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    folderIds: t.idList({ required: true, description: IDS }),
  }),
});

const followFoldersPayload = mutationPayload<{ folders: FolderRow[] }>({
  description: 'The folders after the change.',
  fields: (t) => ({
    folders: t.expose('folders', { type: [Folder], description: 'In the order of the input.' }),
  }),
});

const unfollowFoldersInput = mutationInput({
  description: 'What not to follow any more.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    folderIds: t.idList({ required: true, description: IDS }),
  }),
});

const unfollowFoldersPayload = mutationPayload<{ folders: FolderRow[] }>({
  description: 'The folders after the change.',
  fields: (t) => ({
    folders: t.expose('folders', { type: [Folder], description: 'In the order of the input.' }),
  }),
});

const followProjectsInput = mutationInput({
  description: 'What to follow.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectIds: t.idList({ required: true, description: IDS }),
  }),
});

const followProjectsPayload = mutationPayload<{ projects: ProjectRow[] }>({
  description: 'The projects after the change.',
  fields: (t) => ({
    projects: t.expose('projects', { type: [Project], description: 'In the order of the input.' }),
  }),
});

const unfollowProjectsInput = mutationInput({
  description: 'What not to follow any more.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectIds: t.idList({ required: true, description: IDS }),
  }),
});

const unfollowProjectsPayload = mutationPayload<{ projects: ProjectRow[] }>({
  description: 'The projects after the change.',
  fields: (t) => ({
    projects: t.expose('projects', { type: [Project], description: 'In the order of the input.' }),
  }),
});

const followTasksInput = mutationInput({
  description: 'What to follow.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskIds: t.idList({ required: true, description: IDS }),
  }),
});

const followTasksPayload = mutationPayload<{ tasks: TaskRow[] }>({
  description: 'The tasks after the change.',
  fields: (t) => ({
    tasks: t.expose('tasks', { type: [Task], description: 'In the order of the input.' }),
  }),
});

const unfollowTasksInput = mutationInput({
  description: 'What not to follow any more.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    taskIds: t.idList({ required: true, description: IDS }),
  }),
});

const unfollowTasksPayload = mutationPayload<{ tasks: TaskRow[] }>({
  description: 'The tasks after the change.',
  fields: (t) => ({
    tasks: t.expose('tasks', { type: [Task], description: 'In the order of the input.' }),
  }),
});

mutation('followDocuments', {
  scope: 'documents:write',
  description: 'Follows documents as yourself, if you do not already. Nobody else sees it.',
  argument: 'Which ones.',
  input: followDocumentsInput,
  payload: followDocumentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await followDocuments(ctx, input) }),
});

mutation('unfollowDocuments', {
  scope: 'documents:write',
  description: 'Ends that you follow documents.',
  argument: 'Which ones.',
  input: unfollowDocumentsInput,
  payload: unfollowDocumentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await unfollowDocuments(ctx, input) }),
});

mutation('followFolders', {
  scope: 'documents:write',
  description:
    'Follows folders, with everything below them, as yourself, if you do not already. Nobody else sees it.',
  argument: 'Which ones.',
  input: followFoldersInput,
  payload: followFoldersPayload,
  batch: { items: 'folderIds', empty: { folders: [] } },
  resolve: async (input, ctx) => ({ folders: await followFolders(ctx, input) }),
});

mutation('unfollowFolders', {
  scope: 'documents:write',
  description: 'Ends that you follow folders.',
  argument: 'Which ones.',
  input: unfollowFoldersInput,
  payload: unfollowFoldersPayload,
  batch: { items: 'folderIds', empty: { folders: [] } },
  resolve: async (input, ctx) => ({ folders: await unfollowFolders(ctx, input) }),
});

mutation('followProjects', {
  scope: 'organizations:write',
  description:
    'Follows projects, with everything in them, as yourself, if you do not already. Nobody else sees it.',
  argument: 'Which ones.',
  input: followProjectsInput,
  payload: followProjectsPayload,
  batch: { items: 'projectIds', empty: { projects: [] } },
  resolve: async (input, ctx) => ({ projects: await followProjects(ctx, input) }),
});

mutation('unfollowProjects', {
  scope: 'organizations:write',
  description: 'Ends that you follow projects.',
  argument: 'Which ones.',
  input: unfollowProjectsInput,
  payload: unfollowProjectsPayload,
  batch: { items: 'projectIds', empty: { projects: [] } },
  resolve: async (input, ctx) => ({ projects: await unfollowProjects(ctx, input) }),
});

mutation('followTasks', {
  scope: 'tasks:write',
  description: 'Follows tasks as yourself, if you do not already. Nobody else sees it.',
  argument: 'Which ones.',
  input: followTasksInput,
  payload: followTasksPayload,
  batch: { items: 'taskIds', empty: { tasks: [] } },
  resolve: async (input, ctx) => ({ tasks: await followTasks(ctx, input) }),
});

mutation('unfollowTasks', {
  scope: 'tasks:write',
  description: 'Ends that you follow tasks.',
  argument: 'Which ones.',
  input: unfollowTasksInput,
  payload: unfollowTasksPayload,
  batch: { items: 'taskIds', empty: { tasks: [] } },
  resolve: async (input, ctx) => ({ tasks: await unfollowTasks(ctx, input) }),
});
