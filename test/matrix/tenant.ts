import type { Hono } from 'hono';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import type { Scope } from '../../src/domain/kernel/scope.ts';
import { ID_PREFIXES, type IdType, idAs, newId, typeOfId } from '../../src/lib/id.ts';
import { newRestWorld } from '../rest/fixture.ts';
import { ask as asked, browser, newClient, post, signedIn, VERIFIER } from '../support/oauth.ts';
import { openAll } from '../support/opened.ts';
import { newMember, type Person } from '../support/world.ts';
import { bulkOperation } from './mutation-facts.ts';
import { mutationText, sendGraph } from './requests.ts';
import { accountOf, usedToday } from './tenant-account.ts';
import {
  exported,
  filed,
  hooked,
  read,
  retained,
  sealed,
  sent,
  signed,
  stamped,
} from './tenant-background.ts';
import {
  askLongAgo,
  type Change,
  commentEventOf,
  decided,
  followOf,
  invited,
  more,
  notificationOf,
  type RestWorld,
  refusedMailOf,
  saved,
} from './tenant-work.ts';

/** An organization with an object of every type, and its members. */
export interface Tenant extends RestWorld {
  admin: Person;
  member: Person;
  guest: Person;
  /** The secret of a browser session of the owner, who has just proved who they are. */
  session: string;
  /** Tokens of the owner for applications with the scope read, with read and write, and with members:write beside these. */
  readToken: string;
  writeToken: string;
  membersToken: string;
  /** One that the owner limited to the project `reachedProject`, which no mutation in these tests names. */
  limitedToken: string;
  limitedClientId: string;
  /** One id for each object that a mutation can have in its input. */
  at: Record<string, string>;
  /** The ids of all its objects, by type. */
  ids: Partial<Record<IdType, string[]>>;
}

const changeOf =
  (app: Hono, { key }: Person): Change =>
  async (name, input) => {
    const { body } = await sendGraph(app, mutationText(name), { input }, key);
    if (body.errors) throw new Error(`${name}: ${JSON.stringify(body.errors)}`);
    return body.data[name];
  };

/** A group with one member, in the project: who is in it by that alone, and nobody else, loses the project without it. */
async function groupInProject({ db, organization }: RestWorld, change: Change, projectId: string) {
  const { id: userId } = await newMember(db, organization.id, 'MEMBER');
  const organizationId = organization.id;
  const { groups } = await change('createGroups', { organizationId, groups: [{ name: 'Readers' }] });
  const groupId = groups[0].id;
  const { id } = await db.prisma.membership.findFirstOrThrow({ where: { organizationId, userId } });
  await change('addGroupMembers', { groupId, memberIds: [id] });
  await change('addProjectMembers', { projectId, groups: [{ groupId, role: 'VIEWER' }] });
  return groupId;
}

/** A world with an object of every type, so that every type, field and edge of the graph has a value. */
export async function newTenant(db: Database, app: Hono): Promise<Tenant> {
  const world = await newRestWorld(db);
  const { owner, organization, stranger } = world;
  const admin = await newMember(db, organization.id, 'ADMIN');
  const member = await newMember(db, organization.id, 'MEMBER');
  const guest = await newMember(db, organization.id, 'GUEST');
  // Without another owner, no owner could have their account erased.
  await newMember(db, organization.id, 'OWNER');
  const colleague = await newMember(db, organization.id, 'MEMBER');
  const people = { member, guest, colleague };
  const change = changeOf(app, owner);
  const at: Record<string, string> = {
    ...world.params,
    other: world.other.id,
    recycled: world.recycled.id,
    upload: world.uploadId,
    group: world.group.id,
    ownMembership: world.group.memberId,
  };
  for (const part of [hooked, more, decided, saved, signed, sealed, filed, read, invited, sent, stamped])
    Object.assign(at, await part({ world, people, change, at, elsewhere: changeOf(app, stranger) }));
  await askLongAgo(world);
  await change('createClientLog', { values: ['The page could not be drawn.'] });
  await change('updatePreferences', { preferences: [{ name: 'ViewType', value: 'Tiles' }] });
  for (const { key } of [owner, admin, member]) {
    const follows = changeOf(app, { ...owner, key });
    await follows('followDocuments', { documentIds: [at.other] });
    await follows('followFolders', { folderIds: [at.documentFolderId] });
    await follows('followProjects', { projectIds: [at.projectId] });
    await follows('followTasks', { taskIds: [at.taskId] });
    await follows('hideContacts', { emails: [colleague.email] });
  }
  const session = await accountOf(world, at);
  const { token: readToken, clientId } = await application(app, world, ['read']);
  await usedToday(world, clientId);
  const { token: writeToken } = await application(app, world, ['read', 'write']);
  const { token: membersToken, clientId: servedClient } = await application(app, world, [
    'read',
    'write',
    'members:write',
  ]);
  await change('setSubstitute', {
    ...{ organizationId: at.organizationId, memberId: at.membership, toMemberId: at.ownMembership },
    endsAt: '2099-01-01T00:00:00Z',
  });
  at.projectGroup = await groupInProject(world, change, at.projectId as string);
  Object.assign(at, await retained({ world, people, change, at, elsewhere: changeOf(app, stranger) }));
  at.organizationExport = await exported({ world, change });
  const bulk = await change('startBulkOperation', bulkOperation(at));
  await change('createServiceAccount', { clientId: servedClient, role: 'MEMBER' });
  const limited = await application(app, world, ['read', 'write']);
  const limitedTo = { organizationIds: [], projectIds: [at.reachedProject] };
  await change('limitAuthorization', { clientId: limited.clientId, limitedTo });
  const remark = { documentId: at.documentId, texts: ['by an application'] };
  await changeOf(app, { ...owner, key: writeToken })('createComments', remark);
  const comment = await commentEventOf(world);
  const events = world.db.prisma.securityEvent;
  await openAll(world.db, world.organization.id);
  const { openedDocument } = world.db.prisma;
  const opened = { userId: owner.id, documentId: at.other };
  Object.assign(at, {
    client: clientId,
    servedClient,
    bulkOperation: bulk.bulkOperation.id,
    openedDocument: (await openedDocument.findFirstOrThrow({ where: opened })).id,
    foreignClient: await foreignClientOf(world),
    securityEvent: (await events.findFirstOrThrow({ where: { userId: owner.id } })).id,
    memberUser: member.id,
    follow: await followOf(world),
    mail: await refusedMailOf(world),
    notification: await notificationOf(world, comment, at.projectId as string),
    event: comment,
    comment: idAs('Comment', comment),
  });
  world.bodies.linkTaskDocuments = [{ DocumentID: at.spareDocument }];
  // No application invites an admin.
  world.bodies.addOrganizationMembers = [{ UserEmail: 'ines.kallio@example.test' }];
  const ids = await idsOf(world, [owner.id, admin.id, member.id, guest.id, colleague.id]);
  // This path requires a specific document.
  const fill: RestWorld['fill'] = (row, elsewhere) =>
    world.fill(row, {
      ...(row.id === 'getDocumentEvidence' && { documentId: at.sealed as string }),
      ...elsewhere,
    });
  const { token: limitedToken, clientId: limitedClientId } = limited;
  const tokens = { readToken, writeToken, membersToken, limitedToken, limitedClientId };
  return { ...world, fill, admin, member, guest, session, ...tokens, at, ids };
}

/** An application of the stranger's organization that the owner allows, asked for and approved. */
async function foreignClientOf({ db, owner, stranger, organization }: RestWorld): Promise<string> {
  const { organizationId } = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const { id: clientId } = await newClient(stranger, organizationId);
  const scopes: ('read' | 'write')[] = ['read', 'write'];
  const limitedTo = { [organization.id]: null };
  await db.prisma.grant.create({
    data: { id: newId('Grant'), clientId, userId: owner.id, scopes, limitedTo },
  });
  const now = new Date();
  const decided = { decision: 'APPROVED', decidedById: owner.id, decidedAt: now } as const;
  const path = { organizationId: organization.id, clientId };
  await db.prisma.organizationApplication.create({
    data: { ...path, ...decided, requestedById: owner.id, requestedAt: now },
  });
  return clientId;
}

/** An application that the owner has authorized for these scopes. */
async function application(app: Hono, { db, owner, organization }: RestWorld, scopes: Scope[]) {
  const client = await newClient(owner, organization.id, { scopes });
  const user = browser(app, await signedIn(db, owner.id));
  const code = await user.code(asked(client, { scope: scopes.join(' ') }));
  const { body } = await post(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: VERIFIER,
    client_id: client.id,
    client_secret: client.secret,
  });
  return { token: body.access_token as string, clientId: client.id };
}

/** The ids of all rows that mention the organization or its people. */
async function idsOf({ db, organization }: RestWorld, userIds: string[]): Promise<Tenant['ids']> {
  const tables = await db.query<{ name: string }>(sql`
    SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'id'`);
  const about = [organization.id, ...userIds].map((id) => `%${id}%`);
  const ids: Tenant['ids'] = {};
  for (const { name } of tables) {
    const rows = await db.query<{ id: string }>(
      sql`SELECT id FROM ${sql.raw(`"${name}"`)} t WHERE id ~ '^[a-z]{3}_' AND to_jsonb(t)::text LIKE ANY(${about})`,
    );
    for (const { id } of rows) {
      const type = typeOfId(id);
      if (type) ids[type] = [...(ids[type] ?? []), id];
    }
  }
  const comments = { organizationId: organization.id, kind: { endsWith: '.commented' } };
  const events = await db.prisma.event.findMany({ where: comments });
  return { ...ids, Comment: events.map(({ id }) => idAs('Comment', id)) };
}

export const TYPES = Object.keys(ID_PREFIXES) as IdType[];
