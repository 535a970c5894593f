import { newId } from '../../../src/lib/id.ts';
import { newClient } from '../../support/oauth.ts';
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
  return [
    '/console',
    path,
    `${path}/people`,
    `${path}/people/${member.id}`,
    `${path}/projects`,
    `${path}/projects/${project.id}/people`,
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
    `${path}/settings`,
    `${path}/settings/second-factor`,
    `${path}/security`,
    `${path}/log`,
    '/console/keys',
    '/console/keys/new',
    '/console/security',
    '/console/notifications',
  ];
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
