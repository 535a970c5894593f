import type { PersonName } from './lists/list.ts';
import { id } from './shape.ts';
import type { Operation } from './site.ts';

interface Write {
  name: string;
  as?: PersonName;
  mutation: string;
  /** What to select of the payload. */
  select: string;
  /** `unique`: another in each repetition, as no two are the same. `nth`: counts from 0. */
  input: (unique: string, nth: number) => object;
}

const organizationId = id('org', 1);
const projectId = id('prj', 1);
const documentId = id('doc', 1);

/** Approvals that wait for the first person in every shape (`data/work.sql`). */
const WAITING = Array.from({ length: 30 }, (_, index) => 2 + 4 * index).filter((n) => n % 3 !== 0);

const WRITES: Write[] = [
  {
    name: 'create a task',
    mutation: 'createTasks',
    select: 'tasks { id }',
    input: (name) => ({ projectId, tasks: [{ name, assigneeEmail: 'person5@example.test' }] }),
  },
  {
    name: 'rename a task',
    mutation: 'updateTask',
    select: 'task { id }',
    input: (name) => ({ taskId: id('tsk', 7), name }),
  },
  {
    name: 'move a task below another',
    mutation: 'updateTask',
    select: 'task { id }',
    input: (_, nth) => ({ taskId: id('tsk', 80), parentId: id('tsk', 81 + (nth % 2)) }),
  },
  {
    name: 'assign a task',
    mutation: 'assignTask',
    select: 'task { id }',
    input: (_, nth) => ({ taskId: id('tsk', 7), assigneeEmail: `person${10 + (nth % 2)}@example.test` }),
  },
  {
    name: 'comment a task',
    mutation: 'createTaskComments',
    select: 'comments { id }',
    input: (text) => ({ taskId: id('tsk', 7), texts: [text] }),
  },
  {
    name: 'start a process',
    mutation: 'startProcess',
    select: 'runs { id }',
    input: (_, nth) => ({ processId: id('prc', 10 + nth), itemIds: [id('tsk', 7)] }),
  },
  {
    name: 'approve',
    mutation: 'approveApprovals',
    select: 'approvals { id }',
    input: (_, nth) => ({ ids: [id('apr', WAITING[nth] ?? 0)] }),
  },
  {
    name: 'submit a form',
    mutation: 'submitForm',
    select: 'submissions { id }',
    input: (text) => ({
      formTemplateId: id('frm', 1),
      submissions: [{ answers: [{ formFieldId: id('ffd', 1), values: [text] }] }],
    }),
  },
  {
    name: 'create a form',
    mutation: 'createFormTemplates',
    select: 'formTemplates { id }',
    input: (name) => ({ projectId, formTemplates: [{ name }] }),
  },
  {
    name: 'comment a document',
    mutation: 'createComments',
    select: 'comments { id }',
    input: (text) => ({ documentId, texts: [text] }),
  },
  {
    name: 'comment and mention',
    mutation: 'createComments',
    select: 'comments { id }',
    input: (text) => ({ documentId, texts: [`${text} @Person Number 77`] }),
  },
  {
    name: 'rename a document',
    mutation: 'updateDocument',
    select: 'document { id }',
    input: (name) => ({ documentId, name: `${name}.pdf` }),
  },
  {
    name: 'restore a revision',
    mutation: 'restoreRevision',
    select: 'document { id }',
    input: () => ({ documentId, number: 5 }),
  },
  {
    name: 'create a folder',
    mutation: 'createFolders',
    select: 'folders { id }',
    input: (name) => ({ projectId: id('prj', 2), folders: [{ name, parentId: id('fld', 14) }] }),
  },
  {
    name: 'create a folder at the top',
    mutation: 'createFolders',
    select: 'folders { id }',
    input: (name) => ({ projectId: id('prj', 4), folders: [{ name }] }),
  },
  {
    name: 'rename the folder of all',
    mutation: 'updateFolder',
    select: 'folder { id }',
    input: (name) => ({ folderId: id('fld', 1), name }),
  },
  {
    name: 'rename a folder',
    mutation: 'updateFolder',
    select: 'folder { id }',
    input: (name) => ({ folderId: id('fld', 40), name }),
  },
  {
    name: 'move a folder',
    mutation: 'moveFolder',
    select: 'folder { id }',
    input: (_, nth) => ({ folderId: id('fld', 40), parentId: id('fld', 1 + (nth % 2)) }),
  },
  {
    name: 'delete a folder',
    mutation: 'deleteFolders',
    select: 'folderIds',
    input: (_, nth) => ({ projectId: id('prj', 2), folderIds: [id('fld', 60 + nth)] }),
  },
  {
    name: 'follow a folder',
    mutation: 'followFolders',
    select: 'folders { id }',
    input: (_, nth) => ({ folderIds: [id('fld', 1 + (nth % 14))] }),
  },
  {
    name: 'create a group',
    mutation: 'createGroups',
    select: 'groups { id }',
    input: (name) => ({ organizationId, groups: [{ name }] }),
  },
  {
    name: 'add to a large group',
    mutation: 'addGroupMembers',
    select: 'group { id }',
    input: (_, nth) => ({ groupId: id('grp', 1), memberIds: [id('mem', 2 + (nth % 2))] }),
  },
  {
    name: 'remove from a large group',
    mutation: 'removeGroupMembers',
    select: 'group { id }',
    input: (_, nth) => ({ groupId: id('grp', 1), memberIds: [id('mem', 20 + nth)] }),
  },
  {
    name: 'add to a group',
    mutation: 'addGroupMembers',
    select: 'group { id }',
    input: (_, nth) => ({ groupId: id('grp', 2), memberIds: [id('mem', 20 + nth)] }),
  },
  {
    name: 'change the role of a member',
    mutation: 'updateMember',
    select: 'member { id }',
    input: (_, nth) => ({ organizationId, memberId: id('mem', 6), role: nth % 2 ? 'MEMBER' : 'ADMIN' }),
  },
  {
    name: 'remove a member',
    mutation: 'removeMembers',
    select: 'memberIds',
    input: (_, nth) => ({ organizationId, memberIds: [id('mem', 45 + nth)] }),
  },
  {
    name: 'invite a member',
    mutation: 'inviteMembers',
    select: 'invitations { id }',
    input: (name) => ({
      organizationId,
      members: [{ email: `${name.replaceAll(' ', '')}@example.test`, role: 'MEMBER' }],
    }),
  },
  {
    name: 'add a member to a project',
    mutation: 'addProjectMembers',
    select: 'members { id }',
    input: (_, nth) => ({
      projectId: id('prj', 5 + 2 * nth),
      members: [{ person: { userId: id('usr', 8) }, role: 'EDITOR' }],
    }),
  },
  {
    name: 'change the role in a project',
    mutation: 'updateProjectMember',
    select: 'member { id }',
    input: (_, nth) => ({ projectId, memberId: id('pmb', 6), role: nth % 2 ? 'VIEWER' : 'EDITOR' }),
  },
  {
    name: 'create a project',
    mutation: 'createProjects',
    select: 'projects { id }',
    input: (name) => ({ organizationId, projects: [{ name }] }),
  },
  {
    name: 'rename the project of all',
    mutation: 'updateProject',
    select: 'project { id }',
    input: (name) => ({ projectId, name }),
  },
  {
    name: 'mark a notification as read',
    mutation: 'markNotificationsRead',
    select: 'viewer { unreadNotificationCount }',
    input: (_, nth) => ({ ids: [id('ntf', 1 + 2 * nth)] }),
  },
  {
    name: 'create an organization',
    as: 'many',
    mutation: 'createOrganizations',
    select: 'organizations { id }',
    input: (name) => ({ organizations: [{ name }] }),
  },
];

const inputTypeOf = (mutation: string) => `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!`;

/** Names that no earlier run on the same database has used. */
const run = Date.now().toString(36);

export const writeOperations: Operation[] = WRITES.map(({ name, as = 'owner', mutation, select, input }) => {
  const query = `mutation ($input: ${inputTypeOf(mutation)}) { ${mutation}(input: $input) { ${select} } }`;
  return {
    name,
    as,
    prepare: async () => (nth: number) => ({
      query,
      variables: { input: input(`Growth ${run} ${mutation} ${nth}`, nth) },
    }),
  };
});
