import type { Hono } from 'hono';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { ID_PREFIXES, type IdType, typeOfId } from '../../src/lib/id.ts';
import { newRestWorld } from '../rest/fixture.ts';
import { ask as asked, browser, newClient, post, signedIn, VERIFIER } from '../support/oauth.ts';
import { newDocuments, upload } from '../support/storage.ts';
import { newMember, type Person } from '../support/world.ts';
import { ask, mutationText } from './asking.ts';

type RestWorld = Awaited<ReturnType<typeof newRestWorld>>;

/** An organization with one of everything in it, and who belongs to it. */
export interface Tenant extends RestWorld {
  member: Person;
  guest: Person;
  /** An application's token of the owner that is good for reading alone. */
  readToken: string;
  /** One id for each thing that a mutation can name. */
  at: Record<string, string>;
  /** The ids of all that it holds, by the type that they name. */
  ids: Partial<Record<IdType, string[]>>;
}

/** Asks for one change, which has to come about; gives its payload. */
export type Change = (
  name: string,
  input: object,
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the mutation's
) => Promise<any>;

const changeOf =
  (app: Hono, { key }: Person): Change =>
  async (name, input) => {
    const { body } = await ask(app, mutationText(name), { input }, key);
    if (body.errors) throw new Error(`${name}: ${JSON.stringify(body.errors)}`);
    return body.data[name];
  };

/** A world with one of everything. Every type, field and edge of the graph has to find something in it. */
export async function newTenant(app: Hono): Promise<Tenant> {
  const world = await newRestWorld();
  const { db, owner, organization, stranger } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const guest = await newMember(db, organization.id, 'GUEST');
  const colleague = await newMember(db, organization.id, 'MEMBER');
  const people = { member, guest, colleague };
  const change = changeOf(app, owner);
  const at: Record<string, string> = {
    ...world.params,
    other: world.other.id,
    recycled: world.recycled.id,
    upload: world.uploadId,
  };
  for (const part of [more, decided, saved, signed, invited])
    Object.assign(at, await part({ world, people, change, at, elsewhere: changeOf(app, stranger) }));
  const { readToken, clientId } = await application(app, world);
  Object.assign(at, { client: clientId, memberUser: member.id, comment: await commentOf(world) });
  world.bodies.linkTaskDocuments = [{ DocumentID: at.spareDocument }];
  const ids = await idsOf(world, [owner.id, member.id, guest.id, colleague.id]);
  return { ...world, member, guest, readToken, at, ids };
}

interface Building {
  world: RestWorld;
  people: { member: Person; guest: Person; colleague: Person };
  change: Change;
  at: Record<string, string>;
  elsewhere: Change;
}

/** What hangs on the project beside what the routes of REST v1 name. */
async function more({ world, people, change, at }: Building) {
  const { owner, organization, project, folder } = world;
  const projectId = project.id;
  const [sub] = (
    await change('createFolders', { projectId, folders: [{ name: 'Below', parentId: folder.id }] })
  ).folders;
  const [empty] = (await change('createFolders', { projectId, folders: [{ name: 'Spare' }] })).folders;
  const [gone, spare] = (
    await change('createProjects', {
      organizationId: organization.id,
      projects: [{ name: 'Gone' }, { name: 'Spare' }],
    })
  ).projects;
  await change('deleteProjects', { organizationId: organization.id, projectIds: [gone.id] });
  const [projectMember] = (
    await change('addProjectMembers', {
      projectId,
      members: [{ email: people.member.email, role: 'EDITOR' }],
    })
  ).members;
  const [below] = (
    await change('createTasks', {
      projectId,
      tasks: [{ name: 'Below', parentId: at.taskId, assigneeEmail: owner.email }],
    })
  ).tasks;
  const [done] = (await change('createTasks', { projectId, tasks: [{ name: 'Done' }] })).tasks;
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
  await newDocuments(await owner.context(), projectId, [{ name: 'second.txt', documentId: at.documentId }]);
  return {
    sub: sub.id,
    empty: empty.id,
    gone: gone.id,
    spareProject: spare.id,
    projectMember: projectMember.id,
    below: below.id,
    done: done.id,
    spareDocument: spareDocument?.id as string,
    upload2: await upload(await owner.context(), projectId, 'more'),
  };
}

/** An approval that was decided, one that was handed on, and one that waits for the owner. */
async function decided({ world, people, change, at }: Building) {
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
  await change('updateProcess', { processId: await onlyId(world, 'processes'), name: 'Renamed' });
  await change('approveApprovals', { ids: [decidedId], comment: 'yes' });
  await change('delegateApprovals', { ids: [delegatedId], toUserId: people.member.id });
  const step = await world.db.prisma.processStep.findFirstOrThrow({
    where: { organizationId: world.organization.id },
  });
  return {
    process: step.processId,
    step: step.id,
    approval: waitingId as string,
    decided: decidedId as string,
    delegated: delegatedId as string,
  };
}

const commentOf = async ({ db, organization }: RestWorld): Promise<string> => {
  const where = { organizationId: organization.id, kind: 'document.commented' };
  return (await db.prisma.event.findFirstOrThrow({ where })).id;
};

const onlyId = async ({ db, organization }: RestWorld, table: 'processes'): Promise<string> =>
  (
    await db.query<{ id: string }>(
      Prisma.sql`SELECT id FROM ${Prisma.raw(table)} WHERE organization_id = ${organization.id}`,
    )
  )[0]?.id as string;

async function saved({ world, people, change, at }: Building) {
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

/** A document that its owner has signed. */
async function signed({ world, change }: Building) {
  const { owner, project, db } = world;
  const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'signed.txt' }]);
  const documentId = document?.id as string;
  await change('updateSignatureSession', { documentId, recipients: [{ email: owner.email, rank: 1 }] });
  const { form } = await change('ensureSignatureForm', { documentId });
  await change('addSignatureFields', {
    formId: form.id,
    fields: [{ type: 'SIGNATURE', pageIndex: 0, x: 10, y: 20, recipientRank: 1 }],
  });
  const { session } = await change('updateSignatureSession', { documentId, begin: true });
  const recipient = await db.prisma.signatureRecipient.findFirstOrThrow({
    where: { sessionId: session.id },
    include: { fields: true },
  });
  const place = { sessionId: session.id, recipientId: recipient.id };
  await change('signDocument', { ...place, values: [{ fieldId: recipient.fields[0]?.id, value: 'Tove' }] });
  return { signedDocument: documentId, signedSession: session.id };
}

/** An invitation that the organization sent, and one that its owner got. */
async function invited({ world, change, elsewhere }: Building) {
  const { owner, organization, stranger, db } = world;
  const { invitations } = await change('inviteMembers', {
    organizationId: organization.id,
    members: [{ email: 'nobody.yet@example.test', role: 'MEMBER' }],
  });
  const { organizationId } = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const offered = await elsewhere('inviteMembers', {
    organizationId,
    members: [{ email: owner.email, role: 'MEMBER' }],
  });
  return { invitation: invitations[0].id, offered: offered.invitations[0].id };
}

/** An application that the owner has let read. */
async function application(app: Hono, { db, owner, organization }: RestWorld) {
  const client = await newClient(owner, organization.id, { scopes: ['read'] });
  const code = await browser(app, await signedIn(db, owner.id)).code(asked(client, { scope: 'read' }));
  const { body } = await post(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: VERIFIER,
    client_id: client.id,
    client_secret: client.secret,
  });
  return { readToken: body.access_token as string, clientId: client.id };
}

/** Every row that speaks of the organization or of its people, and has an id. */
async function idsOf({ db, organization }: RestWorld, userIds: string[]): Promise<Tenant['ids']> {
  const tables = await db.query<{ name: string }>(Prisma.sql`
    SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'id'`);
  const about = [organization.id, ...userIds].map((id) => `%${id}%`);
  const ids: Tenant['ids'] = {};
  for (const { name } of tables) {
    const rows = await db.query<{ id: string }>(
      Prisma.sql`SELECT id FROM ${Prisma.raw(`"${name}"`)} t WHERE id ~ '^[a-z]{3}_' AND to_jsonb(t)::text LIKE ANY(${about})`,
    );
    for (const { id } of rows) {
      const type = typeOfId(id);
      if (type) ids[type] = [...(ids[type] ?? []), id];
    }
  }
  return ids;
}

export const prefixOf = (id: string): string => id.slice(0, 3);

export const TYPES = Object.keys(ID_PREFIXES) as IdType[];
