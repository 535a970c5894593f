import { PDFDocument } from '@cantoo/pdf-lib';
import { addUsage, type DayCount, type MarkCount } from '../../../src/domain/usage/usage-count.ts';
import { DEPRECATIONS } from '../../../src/lib/deprecation/deprecations.ts';
import { newId } from '../../../src/lib/id.ts';
import { DAY } from '../../../src/lib/time.ts';
import { newClient } from '../../support/oauth.ts';
import { newDocuments } from '../../support/storage.ts';
import { workPaths } from './console-work.ts';
import type { Stage } from './stage.ts';

/** The paths of all pages of the console, each with something to show. */
export async function consolePaths({ world }: Stage): Promise<string[]> {
  const { db, organization, owner, project } = world;
  const path = `/console/${organization.id}`;
  const invite = `mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { invitations { id } } }`;
  const members = [{ email: `guest-${Date.now()}@example.test`, role: 'GUEST' }];
  await owner.graph(invite, { input: { organizationId: organization.id, members } });
  const member = await db.prisma.membership.findFirstOrThrow({ where: { organizationId: organization.id } });
  const hook = `mutation ($input: CreateWebhooksInput!) { createWebhooks(input: $input) { created { webhook { id } } } }`;
  const webhooks = [{ url: 'https://receiver.example/hook', kinds: ['project.*'] }];
  const { data } = await owner.graph(hook, { input: { organizationId: organization.id, webhooks } });
  const webhookId: string = data.createWebhooks.created[0].webhook.id;
  const client = await newClient(owner, organization.id, { name: `Planner ${webhookId.slice(-6)}` });
  const foreign = await foreignApplication(world);
  const { sequence } = await db.prisma.event.findFirstOrThrow({
    where: { organizationId: organization.id, kind: 'project.created' },
  });
  const delivery = { id: newId('WebhookDelivery'), organizationId: organization.id, webhookId, sequence };
  await db.prisma.webhookDelivery.create({ data: { ...delivery, state: 'FAILED', tries: 1 } });
  await db.prisma.webhookAttempt.create({
    data: {
      ...{ id: newId('WebhookAttempt'), organizationId: organization.id, deliveryId: delivery.id },
      ...{ status: 500, duration: 12, response: 'Something went wrong', error: 'The receiver answered 500' },
    },
  });
  const apiKey = await db.prisma.apiKey.findFirstOrThrow({ where: { userId: owner.id } });
  await addUsage(db, ...usesOf([client.id, apiKey.id]));
  return [
    '/console',
    path,
    `${path}/people`,
    `${path}/people/${member.id}`,
    `${path}/projects`,
    ...(await documentPaths(world)),
    `${path}/projects/${project.id}/people`,
    `${path}/search?q=looks`,
    `${path}/search?q=plan&project=${project.id}`,
    ...(await workPaths(world)),
    `${path}/apps`,
    `${path}/apps/new`,
    `${path}/apps/${client.id}`,
    `${path}/access`,
    `${path}/access/${foreign.id}`,
    `${path}/webhooks`,
    `${path}/webhooks/new`,
    `${path}/webhooks/${webhookId}`,
    `${path}/webhooks/${webhookId}/signature`,
    `${path}/webhooks/${webhookId}/deliveries/${delivery.id}`,
    `${path}/use`,
    `${path}/use/${client.id}`,
    `${path}/mails`,
    `${path}/storage`,
    `${path}/settings`,
    `${path}/settings/second-factor`,
    `${path}/security`,
    `${path}/log`,
    await inboxPath(world),
    '/console/keys',
    '/console/keys/new',
    `/console/keys/${apiKey.id}/use`,
    '/console/security',
    '/console/notifications',
  ];
}

/** The inbox, with what was read and what was not. */
async function inboxPath({ db, organization, owner, project }: Stage['world']): Promise<string> {
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id, kind: { in: ['document.commented', 'task.created'] } },
    orderBy: { sequence: 'asc' },
  });
  await db.prisma.notification.createMany({
    data: events.map(({ id, kind, subjectId, createdAt }, index) => ({
      ...{ organizationId: organization.id, id: newId('Notification'), userId: owner.id },
      ...{ projectId: project.id, subjectId, eventId: id, happenedAt: createdAt },
      kind: kind === 'task.created' ? 'TASK_ASSIGNED' : 'MENTIONED',
      readAt: index > 0 ? createdAt : null,
    })),
    skipDuplicates: true,
  });
  return '/console/inbox';
}

/** Counts of three days, with an error and with what is deprecated. */
function usesOf(callers: readonly string[]): [DayCount[], MarkCount[]] {
  const days = [0, 1, 9].map((ago) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10));
  const counts = { requests: 12_345, errors: 123, points: 1_234_567, durations: [0, 0, 9, 5, 1] };
  const mark = { day: days[0] as string, count: 7, lastAt: new Date() };
  return [
    callers.flatMap((usedBy) => days.map((day) => ({ usedBy, day, ...counts }))),
    callers.flatMap((usedBy) => [
      { ...mark, usedBy, kind: 'ERROR', name: 'INSUFFICIENT_SCOPE' },
      ...Object.keys(DEPRECATIONS).map((name) => ({ ...mark, usedBy, kind: 'DEPRECATED' as const, name })),
    ]),
  ];
}

/** The pages of the documents of the project, with a folder, a picture, a comment and a document in the recycle bin. */
async function documentPaths({ owner, organization, project }: Stage['world']): Promise<string[]> {
  const path = `/console/${organization.id}/projects/${project.id}`;
  const folders = `mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id } } }`;
  const created = await owner.graph(folders, {
    input: { projectId: project.id, folders: [{ name: 'Plans' }] },
  });
  const folderId: string = created.data.createFolders.folders[0].id;
  const pdf = await PDFDocument.create();
  for (let each = 0; each < 8; each++) pdf.addPage([200, 280]);
  const [plan, old] = await newDocuments(await owner.context(), project.id, [
    { name: `A plan with a very long name ${'of the quay '.repeat(15)}.pdf`, content: await pdf.save() },
    { name: 'Old.txt' },
    { name: 'Below.txt', folderId },
  ]);
  const comment = `mutation ($input: CreateCommentsInput!) { createComments(input: $input) { comments { id } } }`;
  await owner.graph(comment, { input: { documentId: plan?.id, texts: ['Looks good.'] } });
  const recycle = `mutation ($input: RecycleDocumentsInput!) { recycleDocuments(input: $input) { documents { id } } }`;
  await owner.graph(recycle, { input: { documentIds: [old?.id] } });
  const pages = ['', `/folders/${folderId}`, `/documents/${plan?.id}`, `/documents/${old?.id}`, '/bin'];
  return pages.map((each) => path + each);
}

/** An application of another organization that the owner allows and an admin approved. */
async function foreignApplication({ db, organization, owner, stranger }: Stage['world']) {
  const theirs = await db.prisma.membership.findFirstOrThrow({ where: { userId: stranger.id } });
  const client = await newClient(stranger, theirs.organizationId, { name: `Foreign ${Date.now()}` });
  const scopes: ('read' | 'write')[] = ['read', 'write'];
  await db.prisma.grant.create({
    data: { id: newId('Grant'), clientId: client.id, userId: owner.id, scopes },
  });
  const path = { organizationId: organization.id, clientId: client.id };
  await db.prisma.organizationApplication.create({
    data: { ...path, requestedById: owner.id, requestedAt: new Date(), revokedAt: new Date(0) },
  });
  return client;
}
