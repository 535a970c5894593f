import { sql } from '../../src/db/sql/sql.ts';
import { newId } from '../../src/lib/id.ts';
import { HOUR } from '../../src/lib/time.ts';
import type { newRestWorld } from '../rest/fixture.ts';
import { newDocuments, upload } from '../support/storage.ts';
import type { Person } from '../support/world.ts';

export type RestWorld = Awaited<ReturnType<typeof newRestWorld>>;

/** Runs a mutation, which must succeed; returns its payload. */
export type Change = (
  name: string,
  input: object,
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the mutation's
) => Promise<any>;

/** The context in which the parts of a tenant are created. */
export interface Building {
  world: RestWorld;
  people: { member: Person; guest: Person; colleague: Person };
  change: Change;
  at: Record<string, string>;
  elsewhere: Change;
}

/** Objects of the project that no route of REST v1 addresses. */
export async function more({ world, people, change, at }: Building) {
  const { owner, organization, project, folder } = world;
  const projectId = project.id;
  const [sub] = (
    await change('createFolders', { projectId, folders: [{ name: 'Below', parentId: folder.id }] })
  ).folders;
  const [empty] = (await change('createFolders', { projectId, folders: [{ name: 'Spare' }] })).folders;
  const [deleted, spare, reached] = (
    await change('createProjects', {
      organizationId: organization.id,
      projects: [{ name: 'Gone' }, { name: 'Spare' }, { name: 'Reached' }],
    })
  ).projects;
  await change('createProjects', {
    organizationId: organization.id,
    projects: [{ name: 'Copied', source: { projectId: spare.id } }],
  });
  await change('addProjectMembers', {
    projectId: spare.id,
    members: [{ person: { email: owner.email }, role: 'EDITOR' }],
  });
  await change('deleteProjects', { organizationId: organization.id, projectIds: [deleted.id] });
  const [projectMember] = (
    await change('addProjectMembers', {
      projectId,
      members: [{ person: { email: people.member.email }, role: 'EDITOR' }],
    })
  ).members;
  const [below] = (
    await change('createTasks', {
      projectId,
      tasks: [{ name: 'Below', parentId: at.taskId, assigneeEmail: owner.email }],
    })
  ).tasks;
  const details = {
    ...{ tags: ['yard'], duration: { amount: 2, unit: 'HOUR' }, stakeholderIds: [owner.id], priority: 3 },
  };
  const [done] = (await change('createTasks', { projectId, tasks: [{ name: 'Done', ...details }] })).tasks;
  await change('completeTask', { taskId: done.id, result: 'fine' });
  await change('updateTask', { taskId: at.taskId, description: 'All of it.' });
  await change('createTaskComments', { taskId: at.taskId, texts: ['hm'] });
  await change('updateDocument', {
    documentId: at.documentId,
    fieldValues: [{ fieldId: at.fieldId, values: ['red'] }],
  });
  await change('updateFolder', { folderId: folder.id, name: 'Renamed' });
  await change('updateProject', { projectId, name: 'Quay II' });
  await change('updateOrganization', { organizationId: organization.id, name: 'Harbor II' });
  await change('updateViewer', { name: 'Renamed' });
  const [spareDocument] = await newDocuments(await owner.context(), projectId, [{ name: 'spare.txt' }]);
  const created = await world.db.prisma.event.findFirstOrThrow({
    where: { subjectId: spareDocument?.id as string },
  });
  const redacted = { organizationId: organization.id, eventIds: [created.id], reason: 'Asked for' };
  await change('redactEvents', redacted);
  await newDocuments(await owner.context(), projectId, [{ name: 'second.txt', documentId: at.documentId }]);
  const [reachedDocument] = await newDocuments(await owner.context(), reached.id, [{ name: 'reached.txt' }]);
  await change('createTasks', { projectId: reached.id, tasks: [{ name: 'Reached' }] });
  return {
    sub: sub.id,
    empty: empty.id,
    gone: deleted.id,
    reachedProject: reached.id,
    reachedDocument: reachedDocument?.id as string,
    spareProject: spare.id,
    projectMember: projectMember.id,
    below: below.id,
    done: done.id,
    spareDocument: spareDocument?.id as string,
    upload2: await upload(await owner.context(), projectId, 'more'),
  };
}

/** A decided approval, a delegated one, and one that is pending for the owner. */
export async function decided({ world, people, change, at }: Building) {
  const { owner, project } = world;
  const [first, second] = await newDocuments(await owner.context(), project.id, [
    { name: 'decided.txt' },
    { name: 'delegated.txt' },
  ]);
  const { runs } = await change('startProcess', {
    processId: await onlyId(world, 'processes'),
    itemIds: [first?.id, second?.id, at.taskId],
  });
  const of = async (runId: string) =>
    (await world.db.prisma.approval.findFirstOrThrow({ where: { runId } })).id;
  const [decidedId, delegatedId, waitingId] = await Promise.all(runs.map(({ id }: { id: string }) => of(id)));
  await change('approveApprovals', { ids: [decidedId], comment: 'yes' });
  await change('delegateApprovals', { ids: [delegatedId], toUserId: people.member.id });
  const step = await world.db.prisma.processStep.findFirstOrThrow({
    where: { organizationId: world.organization.id },
  });
  const [{ id: groupId }] = (
    await change('createGroups', { organizationId: world.organization.id, groups: [{ name: 'Approvers' }] })
  ).groups;
  await change('updateProcess', {
    ...{ processId: step.processId, name: 'Renamed' },
    steps: [
      {
        ...{ id: step.id, name: 'Check', approverIds: [owner.id], groupIds: [groupId] },
        ...{
          dueAfterDays: 9,
          onOverdue: 'ESCALATE',
          escalateToIds: [people.member.id],
          escalateToGroupId: groupId,
        },
      },
    ],
  });
  return {
    process: step.processId,
    step: step.id,
    approval: waitingId as string,
    decided: decidedId as string,
    delegated: delegatedId as string,
    run: runs[1].id as string,
  };
}

/** The event of the newest comment, which an application wrote. */
export const commentEventOf = async ({ db, organization }: RestWorld): Promise<string> => {
  const where = { organizationId: organization.id, kind: 'document.commented' };
  return (await db.prisma.event.findFirstOrThrow({ where, orderBy: { sequence: 'desc' } })).id;
};

/** A follow of the owner. */
export const followOf = async ({ db, organization, owner }: RestWorld): Promise<string> => {
  const where = { organizationId: organization.id, userId: owner.id };
  return (await db.prisma.follow.findFirstOrThrow({ where, orderBy: { id: 'asc' } })).id;
};

/** A mail that the mail server has refused. */
export const refusedMailOf = async ({ db, organization }: RestWorld): Promise<string> => {
  const where = { organizationId: organization.id, kind: 'INVITATION' };
  const { id } = await db.prisma.mail.findFirstOrThrow({ where, orderBy: { id: 'asc' } });
  await db.prisma.mail.update({ where: { id }, data: { state: 'REFUSED', nextAt: null, answer: '550 no' } });
  return id;
};

/** As if the signing requests had been mailed long ago: their signers may be reminded. */
export const askLongAgo = ({ db, organization }: RestWorld) =>
  db.prisma.signatureRecipient.updateMany({
    where: { organizationId: organization.id, state: 'REQUESTED' },
    data: { mailedAt: new Date(0) },
  });

/** A notification of the owner, of this event. */
export async function notificationOf(world: RestWorld, eventId: string, projectId: string): Promise<string> {
  const { db, organization, owner } = world;
  const id = newId('Notification');
  const about = { kind: 'FOLLOWED', projectId, subjectId: projectId, eventId, happenedAt: new Date() };
  await db.prisma.notification.create({
    data: { organizationId: organization.id, id, userId: owner.id, ...about },
  });
  return id;
}

const onlyId = async ({ db, organization }: RestWorld, table: 'processes'): Promise<string> =>
  (
    await db.query<{ id: string }>(
      sql`SELECT id FROM ${sql.raw(table)} WHERE organization_id = ${organization.id}`,
    )
  )[0]?.id as string;

export async function saved({ world, people, change, at }: Building) {
  const { organization, project } = world;
  const { searchTemplate } = await change('createSearchTemplate', {
    organizationId: organization.id,
    projectId: project.id,
    name: 'Red',
    query: 'document',
    filter: { fields: [{ fieldId: at.fieldId, value: 'red' }] },
  });
  await change('shareFormTemplates', {
    formTemplateIds: [at.formTemplateId],
    userEmails: [world.owner.email],
  });
  const { submissions } = await change('submitForm', {
    formTemplateId: at.formTemplateId,
    submissions: [{ answers: [{ formFieldId: at.formTemplateFieldId, values: ['red'] }] }],
  });
  const [spareForm] = (
    await change('createFormTemplates', { projectId: project.id, formTemplates: [{ name: 'Spare form' }] })
  ).formTemplates;
  const [spareField] = (
    await change('createFields', { projectId: project.id, fields: [{ name: 'Spare', type: 'TEXT' }] })
  ).fields;
  const { created } = await change('createApiKeys', { keys: [{ name: 'spare' }] });
  const { prisma } = world.db;
  const link = { userId: people.colleague.id, organizationId: organization.id };
  const membership = await prisma.membership.findFirstOrThrow({ where: link });
  return {
    searchTemplate: searchTemplate.id,
    submission: submissions[0].id,
    spareForm: spareForm.id,
    spareField: spareField.id,
    apiKey: created[0].key.id,
    membership: membership.id,
  };
}

/** An invitation that the organization sent, with a project, and one that its owner received. */
export async function invited({ world, change, elsewhere }: Building) {
  const { owner, organization, project, stranger, db } = world;
  const { invitations } = await change('inviteMembers', {
    organizationId: organization.id,
    members: [{ email: 'nobody.yet@example.test', role: 'MEMBER' }],
  });
  // Long enough ago to be sent again.
  const sentAt = new Date(Date.now() - HOUR);
  await db.prisma.invitation.update({ where: { id: invitations[0].id }, data: { sentAt } });
  const joining = await change('addProjectMembers', {
    projectId: project.id,
    members: [{ person: { invitationId: invitations[0].id }, role: 'EDITOR' }],
  });
  const { organizationId } = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const offered = await elsewhere('inviteMembers', {
    organizationId,
    members: [{ email: owner.email, role: 'MEMBER' }],
  });
  return {
    invitation: invitations[0].id,
    projectInvitation: joining.invitations[0].id,
    offered: offered.invitations[0].id,
  };
}
