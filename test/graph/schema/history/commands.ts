import { recycleDocuments, restoreDocuments } from '../../../../src/domain/documents/document-bin.ts';
import {
  moveDocuments,
  restoreRevision,
  updateDocument,
} from '../../../../src/domain/documents/document-change.ts';
import { createFields, deleteFields, updateField } from '../../../../src/domain/fields/field-change.ts';
import { updateFolder } from '../../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../../src/domain/folders/folder-create.ts';
import { deleteFolders } from '../../../../src/domain/folders/folder-delete.ts';
import type { Context } from '../../../../src/domain/kernel/context.ts';
import { removeMembers } from '../../../../src/domain/membership/member-change.ts';
import { updateProject } from '../../../../src/domain/membership/project-change.ts';
import { updateProjectSettings } from '../../../../src/domain/projects/project-settings-change.ts';
import { newDocuments } from '../../../support/storage.ts';

/** What commands act on; ids are chosen by number, so that a random number is always one that exists. */
interface Items {
  folders: string[];
  documents: string[];
  fields: string[];
  members: { id: string; email: string }[];
}

export interface Target {
  ctx: Context;
  organizationId: string;
  projectId: string;
  items: Items;
}

const pick = <Item>(from: readonly Item[], n: number): Item | undefined => from[n % (from.length || 1)];

type Command = (target: Target, n: number) => Promise<unknown>;

/** A command may be refused: an item that it names may be gone, or in another state. */
export const COMMANDS: Record<string, Command> = {
  createFolder: async ({ ctx, projectId, items }, n) => {
    const parentId = n % 2 ? pick(items.folders, n) : undefined;
    const [created] = await createFolders(ctx, { projectId, folders: [{ name: `folder ${n}`, parentId }] });
    items.folders.push(created?.id as string);
  },
  createDocument: async ({ ctx, projectId, items }, n) => {
    const [created] = await newDocuments(ctx, projectId, [
      { name: `a${n}.txt`, folderId: n % 2 ? pick(items.folders, n) : undefined, tags: [`tag ${n % 3}`] },
    ]);
    items.documents.push(created?.id as string);
  },
  createField: async ({ ctx, projectId, items }, n) => {
    const [created] = await createFields(ctx, { projectId, fields: [{ name: `field ${n}`, type: 'TEXT' }] });
    items.fields.push(created?.id as string);
  },
  revise: ({ ctx, projectId, items }, n) =>
    newDocuments(ctx, projectId, [{ name: `r${n}.txt`, documentId: pick(items.documents, n) }]),
  restoreRevision: ({ ctx, items }, n) =>
    restoreRevision(ctx, { documentId: pick(items.documents, n) ?? '', number: 1 }),
  renameDocument: ({ ctx, items }, n) =>
    updateDocument(ctx, {
      documentId: pick(items.documents, n) ?? '',
      name: `b${n}.txt`,
      tags: [`tag ${n % 4}`],
    }),
  assignDocument: ({ ctx, items }, n) =>
    updateDocument(ctx, {
      documentId: pick(items.documents, n) ?? '',
      assigneeEmails: items.members.slice(0, 1 + (n % 2)).map(({ email }) => email),
    }),
  setValue: ({ ctx, items }, n) =>
    updateDocument(ctx, {
      documentId: pick(items.documents, n) ?? '',
      fieldValues: [{ fieldId: pick(items.fields, n) ?? '', values: [`value ${n}`] }],
    }),
  moveDocument: ({ ctx, items }, n) =>
    moveDocuments(ctx, {
      documentIds: [pick(items.documents, n) ?? ''],
      folderId: n % 3 ? pick(items.folders, n) : null,
    }),
  recycle: ({ ctx, items }, n) => recycleDocuments(ctx, { documentIds: [pick(items.documents, n) ?? ''] }),
  restore: ({ ctx, items }, n) => restoreDocuments(ctx, { documentIds: [pick(items.documents, n) ?? ''] }),
  moveFolder: ({ ctx, items }, n) =>
    updateFolder(ctx, {
      folderId: pick(items.folders, n) ?? '',
      parentId: n % 3 ? (pick(items.folders, n + 1) ?? null) : null,
    }),
  renameFolder: ({ ctx, items }, n) =>
    updateFolder(ctx, {
      folderId: pick(items.folders, n) ?? '',
      name: `renamed ${n}`,
      assigneeEmails: items.members.slice(0, n % 3).map(({ email }) => email),
    }),
  deleteFolder: ({ ctx, projectId, items }, n) =>
    deleteFolders(ctx, { projectId, folderIds: [pick(items.folders, n) ?? ''] }),
  updateField: ({ ctx, items }, n) =>
    updateField(ctx, { fieldId: pick(items.fields, n) ?? '', name: `name ${n}`, required: n % 2 === 0 }),
  deleteField: ({ ctx, projectId, items }, n) =>
    deleteFields(ctx, { projectId, fieldIds: [pick(items.fields, n) ?? ''] }),
  renameProject: ({ ctx, projectId }, n) =>
    updateProject(ctx, { projectId, name: `project ${n}`, access: n % 2 ? 'OPEN' : 'RESTRICTED' }),
  changeSettings: ({ ctx, projectId }, n) =>
    updateProjectSettings(ctx, {
      projectId,
      documentRootLabel: `root ${n}`,
      publicFace: n % 2 ? { paperColor: '#123456' } : null,
    }),
  removeMember: ({ ctx, organizationId, items }) =>
    removeMembers(ctx, { organizationId, memberIds: [items.members.at(-1)?.id ?? ''] }),
};
