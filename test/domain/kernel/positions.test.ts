import { beforeAll, describe, expect, it } from 'vitest';
import { approveApprovals, delegateApprovals } from '../../../src/domain/approvals/approval-change.ts';
import { createProcesses } from '../../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../../src/domain/approvals/process-start.ts';
import { updateDocument } from '../../../src/domain/documents/document-change.ts';
import { createFields, updateField } from '../../../src/domain/fields/field-change.ts';
import { retryTexts } from '../../../src/domain/file-text/document-text-retry.ts';
import { createFolders, MAX_DEPTH } from '../../../src/domain/folders/folder-create.ts';
import { deleteFolders } from '../../../src/domain/folders/folder-delete.ts';
import {
  createFormFields,
  deleteFormFields,
  updateFormFields,
} from '../../../src/domain/forms/form-field-change.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import { withdrawInvitations } from '../../../src/domain/membership/invitation-change.ts';
import { inviteMembers } from '../../../src/domain/membership/invitation-create.ts';
import { resendInvitations } from '../../../src/domain/membership/invitation-resend.ts';
import { removeMembers } from '../../../src/domain/membership/member-change.ts';
import { createApiKeys } from '../../../src/domain/oauth/api-key.ts';
import { renewSignatureLinks } from '../../../src/domain/signatures/signature-link.ts';
import { remindSigners } from '../../../src/domain/signatures/signature-reminder.ts';
import { completeTask, denyTask } from '../../../src/domain/tasks/task-state.ts';
import { newRestWorld } from '../../rest/fixture.ts';
import { newMember, type Person } from '../../support/world.ts';

/** A world in which, of two objects each, the second does not allow what is asked. */
async function newPositions() {
  const world = await newRestWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const leaver = await newMember(db, organization.id, 'ADMIN');
  const [abandoned] = await createProcesses(ctx, {
    projectId: project.id,
    processes: [{ name: 'Abandoned', steps: [{ name: 'Check', approverIds: [leaver.id] }] }],
  });
  await db.prisma.membership.deleteMany({ where: { userId: leaver.id } });
  const projectId = project.id;
  const [street] = await createFields(ctx, { projectId, fields: [{ name: 'Street', type: 'TEXT' }] });
  const [child] = await createFields(ctx, {
    projectId,
    fields: [{ name: 'House', type: 'TEXT', parentId: street?.id as string }],
  });
  const { invitations } = await inviteMembers(ctx, {
    organizationId: organization.id,
    members: [
      { email: `guest${project.id.slice(-6)}@example.test`, role: 'MEMBER' },
      { email: `boss${project.id.slice(-6)}@example.test`, role: 'OWNER' },
    ],
  });
  const admin = await newMember(db, organization.id, 'ADMIN');
  return {
    ...world,
    ctx,
    admin,
    abandonedId: abandoned?.id as string,
    childId: child?.id as string,
    invitations,
  };
}

type World = Awaited<ReturnType<typeof newPositions>>;

const asAdmin = (world: World) => world.admin.context();
const membershipOf = (world: World, { id: userId }: Pick<Person, 'id'>) =>
  world.db.prisma.membership.findFirstOrThrow({ where: { userId } });

const UNKNOWN = 'fld_01k9j9rybn968abrjdzgdz9cx9';

/** What is refused, and the path of the member that is wrong. */
const CASES: [string, string, string, (world: World) => Promise<unknown>][] = [
  [
    'a second item on which the process runs already',
    'CONFLICT',
    'itemIds.1',
    async ({ ctx, db, document, task }) => {
      const { processId } = await db.prisma.processRun.findFirstOrThrow({
        where: { documentId: document.id },
      });
      return startProcess(ctx, { processId, itemIds: [task.id, document.id] });
    },
  ],
  [
    'an item whose first approver has left',
    'CONFLICT',
    'itemIds.0',
    ({ ctx, abandonedId, task }) => startProcess(ctx, { processId: abandonedId, itemIds: [task.id] }),
  ],
  [
    'an approver who is no editor',
    'NOT_FOUND',
    'processes.0.steps.1.approverIds.1',
    ({ ctx, owner, stranger, project }) =>
      createProcesses(ctx, {
        projectId: project.id,
        processes: [
          {
            name: 'Second',
            steps: [
              { name: 'One', approverIds: [owner.id] },
              { name: 'Two', approverIds: [owner.id, stranger.id] },
            ],
          },
        ],
      }),
  ],
  [
    'an approval of others',
    'FORBIDDEN',
    'ids.0',
    async (world) => approveApprovals(await asAdmin(world), { ids: [world.document.id] }),
  ],
  [
    'an item without an approval',
    'NOT_FOUND',
    'ids.1',
    ({ ctx, document, task }) => approveApprovals(ctx, { ids: [document.id, task.id] }),
  ],
  [
    'delegating to oneself',
    'CONFLICT',
    'ids.0',
    ({ ctx, owner, document }) => delegateApprovals(ctx, { ids: [document.id], toUserId: owner.id }),
  ],
  [
    'renewing the link of a signer of a draft',
    'CONFLICT',
    'recipientIds.0',
    async ({ ctx, db, document }) => {
      const { id } = await db.prisma.signatureRecipient.findFirstOrThrow({
        where: { session: { documentId: document.id } },
      });
      return renewSignatureLinks(ctx, { documentId: document.id, recipientIds: [id] });
    },
  ],
  [
    'reminding a signer of another document',
    'NOT_FOUND',
    'recipientIds.1',
    async ({ ctx, db, document, other }) => {
      const of = (documentId: string) =>
        db.prisma.signatureRecipient.findFirstOrThrow({ where: { session: { documentId } } });
      const recipientIds = [(await of(other.id)).id, (await of(document.id)).id];
      return remindSigners(ctx, { documentId: other.id, recipientIds });
    },
  ],
  [
    'retrying a text that did not fail',
    'CONFLICT',
    'documentIds.1',
    async ({ ctx, db, document, other }) => {
      const { blobId } = await db.prisma.revision.findFirstOrThrow({ where: { documentId: other.id } });
      await db.prisma.blob.updateMany({ where: { id: blobId }, data: { textStatus: 'FAILED' } });
      return retryTexts(ctx, { documentIds: [other.id, document.id] });
    },
  ],
  [
    'a parent that depends on another field',
    'BAD_USER_INPUT',
    'fields.1.parentId',
    ({ ctx, project, field, childId }) =>
      createFields(ctx, {
        projectId: project.id,
        fields: [
          { name: 'A', type: 'TEXT', parentId: field.id },
          { name: 'B', type: 'TEXT', parentId: childId },
        ],
      }),
  ],
  [
    'a parent that does not exist',
    'NOT_FOUND',
    'fields.1.parentId',
    ({ ctx, project }) =>
      createFields(ctx, {
        projectId: project.id,
        fields: [
          { name: 'A', type: 'TEXT' },
          { name: 'B', type: 'TEXT', parentId: UNKNOWN },
        ],
      }),
  ],
  [
    'a new parent that does not exist',
    'NOT_FOUND',
    'parentId',
    ({ ctx, field }) => updateField(ctx, { fieldId: field.id, parentId: UNKNOWN }),
  ],
  [
    'the name of a field of the project',
    'CONFLICT',
    'fields.1.name',
    ({ ctx, project }) =>
      createFields(ctx, {
        projectId: project.id,
        fields: [
          { name: 'New', type: 'TEXT' },
          { name: 'colour', type: 'TEXT' },
        ],
      }),
  ],
  [
    'the value of a field of another project',
    'NOT_FOUND',
    'fieldValues.1.fieldId',
    ({ ctx, document, field }) =>
      updateDocument(ctx, {
        documentId: document.id,
        fieldValues: [
          { fieldId: field.id, values: ['red'] },
          { fieldId: UNKNOWN, values: ['x'] },
        ],
      }),
  ],
  [
    'a value that is not among the choices',
    'BAD_USER_INPUT',
    'fieldValues.1.values',
    ({ ctx, document, field, childId }) =>
      updateDocument(ctx, {
        documentId: document.id,
        fieldValues: [
          { fieldId: childId, values: ['7'] },
          { fieldId: field.id, values: ['blue'] },
        ],
      }),
  ],
  [
    'denying a task that is completed',
    'CONFLICT',
    'taskId',
    async ({ ctx, task }) => {
      await completeTask(ctx, { taskId: task.id });
      return denyTask(ctx, { taskId: task.id });
    },
  ],
  [
    'a folder that is nested too deep',
    'BAD_USER_INPUT',
    'folders.1.parentId',
    async ({ ctx, project }) => {
      const projectId = project.id;
      let parentId: string | null = null;
      for (let depth = 0; depth < MAX_DEPTH; depth++) {
        const folders: { name: string; parentId: string | null }[] = [{ name: 'Below', parentId }];
        parentId = (await createFolders(ctx, { projectId, folders }))[0]?.id as string;
      }
      const folders = [{ name: 'Beside' }, { name: 'Below', parentId }];
      return createFolders(ctx, { projectId, folders });
    },
  ],
  [
    'a folder with a document below it',
    'CONFLICT',
    'folderIds.1',
    async ({ ctx, project, folder }) => {
      const [empty] = await createFolders(ctx, { projectId: project.id, folders: [{ name: 'Bare' }] });
      return deleteFolders(ctx, { projectId: project.id, folderIds: [empty?.id as string, folder.id] });
    },
  ],
  [
    'a form field that is named twice',
    'BAD_USER_INPUT',
    'fields.1.formFieldId',
    ({ ctx, params }) => {
      const formFieldId = params.formTemplateFieldId as string;
      const fields = [{ formFieldId }, { formFieldId }];
      return updateFormFields(ctx, { formTemplateId: params.formTemplateId as string, fields });
    },
  ],
  [
    'deleting a form field with answers',
    'CONFLICT',
    'formFieldIds.1',
    async ({ ctx, params, childId }) => {
      const formTemplateId = params.formTemplateId as string;
      const answered = params.formTemplateFieldId as string;
      const answers = [{ formFieldId: answered, values: ['red'] }];
      await submitForm(ctx, { formTemplateId, submissions: [{ answers }] });
      const [unanswered] = await createFormFields(ctx, { formTemplateId, fields: [{ fieldId: childId }] });
      return deleteFormFields(ctx, { formTemplateId, formFieldIds: [unanswered?.id as string, answered] });
    },
  ],
  [
    'an address that is invited already',
    'CONFLICT',
    'members.1.email',
    ({ ctx, organization, invitations }) =>
      inviteMembers(ctx, {
        organizationId: organization.id,
        members: [
          { email: 'nobody.yet@example.test', role: 'MEMBER' },
          { email: invitations[0]?.email as string, role: 'MEMBER' },
        ],
      }),
  ],
  [
    'an admin who invites an owner',
    'FORBIDDEN',
    'members.1.role',
    async (world) =>
      inviteMembers(await asAdmin(world), {
        organizationId: world.organization.id,
        members: [
          { email: 'a.member@example.test', role: 'MEMBER' },
          { email: 'an.owner@example.test', role: 'OWNER' },
        ],
      }),
  ],
  [
    "an admin who withdraws an owner's invitation",
    'FORBIDDEN',
    'invitationIds.1',
    async (world) =>
      withdrawInvitations(await asAdmin(world), {
        organizationId: world.organization.id,
        invitationIds: world.invitations.map(({ id }) => id),
      }),
  ],
  [
    'an invitation that was sent just now',
    'CONFLICT',
    'invitationIds.0',
    ({ ctx, organization, invitations }) =>
      resendInvitations(ctx, {
        organizationId: organization.id,
        invitationIds: invitations.map(({ id }) => id),
      }),
  ],
  [
    'the last owner',
    'CONFLICT',
    'memberIds.1',
    async (world) => {
      const memberIds = [await membershipOf(world, world.admin), await membershipOf(world, world.owner)];
      return removeMembers(world.ctx, {
        organizationId: world.organization.id,
        memberIds: memberIds.map(({ id }) => id),
      });
    },
  ],
  [
    'an API key with more scopes than the one that creates it',
    'FORBIDDEN',
    'keys.1.scopes',
    async ({ ctx, owner }) => {
      const [reading] = await createApiKeys(ctx, { keys: [{ name: 'reads', scopes: ['read'] }] });
      const restricted = await (await owner.with(reading?.secret as string)).context();
      return createApiKeys(restricted, { keys: [{ name: 'a' }, { name: 'b', scopes: ['read', 'write'] }] });
    },
  ],
];

describe('the error of a batch has the path of the member that is wrong:', () => {
  let world: World;
  beforeAll(async () => {
    world = await newPositions();
  });

  it.each(CASES)('%s', async (_, code, at, send) => {
    await expect((async () => send(world))()).rejects.toMatchObject({ code, at });
  });
});
