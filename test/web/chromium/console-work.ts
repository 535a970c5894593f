import { createProcesses } from '../../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../../src/domain/approvals/process-start.ts';
import { createTaskComments } from '../../../src/domain/comments/comment.ts';
import { shareFormTemplates } from '../../../src/domain/forms/form-share.ts';
import { submitForm } from '../../../src/domain/forms/form-submit.ts';
import { createGroups } from '../../../src/domain/membership/group-change.ts';
import { addSignatureFields } from '../../../src/domain/signatures/signature-field-change.ts';
import { ensureSignatureForm } from '../../../src/domain/signatures/signature-form-change.ts';
import { updateSignatureSession } from '../../../src/domain/signatures/signature-session-change.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { newId } from '../../../src/lib/id.ts';
import { answers, newForm } from '../../support/forms.ts';
import { newDocuments } from '../../support/storage.ts';
import type { Stage } from './stage.ts';

/** The paths of the pages about the work in a project: approvals, tasks, forms and signatures, each with something to show. */
export async function workPaths(world: Stage['world']): Promise<string[]> {
  const path = `/console/${world.organization.id}`;
  const project = `${path}/projects/${world.project.id}`;
  const approval = await newApproval(world);
  return [
    '/console/approvals',
    '/console/tasks',
    '/console/documents',
    `${path}/approvals`,
    `${path}/approvals/${approval}`,
    '/console/substitutes',
    `${project}/processes`,
    `${project}/processes/new`,
    `${project}/processes/${await newProcess(world)}`,
    `${project}/processes/${await newProcess(world)}/edit`,
    `${project}/tasks`,
    `${project}/tasks/new`,
    `${project}/tasks/${await newTask(world)}`,
    `${project}/forms`,
    `${project}/forms/${await newFilledForm(world)}`,
    `${project}/signatures`,
    `${project}/signatures/${await newSession(world)}`,
  ];
}

const LONG =
  'A name so long that it does not fit the line of a phone, withonewordthathasnoplacetobreakatall.txt';

async function newDocument({ owner, project }: Stage['world'], name = LONG): Promise<string> {
  const [document] = await newDocuments(await owner.context(), project.id, [{ name }]);
  return document?.id as string;
}

async function newApproval(world: Stage['world']): Promise<string> {
  const { db, owner } = world;
  const documentId = await requestApproval(world, { approverId: owner.id });
  return (await db.prisma.approval.findFirstOrThrow({ where: { run: { documentId } } })).id;
}

/** A process with parallel steps, a group, a due time and an escalation. */
async function newProcess({ owner, organization, project }: Stage['world']): Promise<string> {
  const ctx = await owner.context();
  const [group] = await createGroups(ctx, {
    organizationId: organization.id,
    groups: [{ name: `Board ${newId('Group').slice(-6)}` }],
  });
  const groupIds = [group?.id as string];
  const approverIds = [owner.id];
  const [process] = await createProcesses(ctx, {
    projectId: project.id,
    processes: [
      {
        name: LONG,
        steps: [
          { name: LONG, approverIds, groupIds, need: 2, rank: 0, veto: false },
          { name: 'Read', approverIds, rank: 0, excludeRequester: true },
          {
            ...{ name: 'Sign off', approverIds, rank: 1, dueAfterDays: 3, onOverdue: 'ESCALATE' as const },
            ...{ escalateToIds: approverIds, escalateToGroupId: group?.id },
          },
        ],
      },
    ],
  });
  return process?.id as string;
}

/** Has a new document wait for somebody's approval; gives its id. */
export async function requestApproval(
  world: Stage['world'],
  { approverId, name }: { approverId: string; name?: string },
): Promise<string> {
  const ctx = await world.owner.context();
  const steps = ['Check', 'Sign off'].map((each) => ({ name: each, approverIds: [approverId] }));
  const [process] = await createProcesses(ctx, {
    projectId: world.project.id,
    processes: [{ name: 'Release', steps }],
  });
  const documentId = await newDocument(world, name);
  await startProcess(ctx, { processId: process?.id as string, itemIds: [documentId] });
  return documentId;
}

async function newTask(world: Stage['world']): Promise<string> {
  const { owner, project } = world;
  const ctx = await owner.context();
  const [task] = await createTasks(ctx, {
    projectId: project.id,
    tasks: [
      {
        ...{ name: LONG, description: 'All of it.', assigneeEmail: owner.email, tags: ['urgent'] },
        ...{ dueAt: new Date(0), documentIds: [await newDocument(world)], stakeholderIds: [owner.id] },
      },
    ],
  });
  const id = task?.id as string;
  await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'A part', parentId: id }] });
  await createTaskComments(ctx, { taskId: id, texts: ['It is in work.'] });
  return id;
}

async function newFilledForm({ owner, project }: Stage['world']): Promise<string> {
  const ctx = await owner.context();
  const name = `Code ${Date.now()}`;
  const { id, ids } = await newForm(ctx, project.id, [{ name, type: 'TEXT' }]);
  await shareFormTemplates(ctx, { formTemplateIds: [id], isPublic: true });
  const submissions = [{ answers: answers(ids, { [name]: ['seven'] }) }];
  await submitForm(ctx, { formTemplateId: id, submissions });
  return id;
}

async function newSession(world: Stage['world']): Promise<string> {
  const ctx = await world.owner.context();
  const documentId = await newDocument(world);
  const recipients = [
    { email: 'ann@signers.test', fullName: 'Ann' },
    { email: 'bea@signers.test', fullName: 'Bea', rank: 2 },
  ];
  const { id } = await updateSignatureSession(ctx, { documentId, recipients });
  const { id: formId } = await ensureSignatureForm(ctx, { documentId });
  const signers = await world.db.prisma.signatureRecipient.findMany({ where: { sessionId: id } });
  const fields = signers.map((signer) => ({
    ...{ type: 'SIGNATURE' as const, pageIndex: 0, x: 10, y: 20 },
    recipientId: signer.id,
  }));
  await addSignatureFields(ctx, { formId, fields });
  await updateSignatureSession(ctx, { documentId, begin: true });
  return id;
}
