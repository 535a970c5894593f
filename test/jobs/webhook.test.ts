import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { retryDelay } from '../../src/domain/due-work/retry.ts';
import { createProjects } from '../../src/domain/projects/project.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { deleteOldDeliveries } from '../../src/domain/webhooks/webhook-run.ts';
import type { Scope } from '../../src/generated/prisma/client.ts';
import { sendDue } from '../../src/jobs/webhook-sender.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { dropJobs, jobContext, runJobs } from '../support/jobs.ts';
import { isGenuine, newReceiver } from '../support/servers/receiver.ts';
import { newMember, newWorld, type Person } from '../support/world.ts';

beforeAll(dropJobs);

const CREATE = `mutation ($id: ID!, $webhooks: [NewWebhook!]!) { createWebhooks(input: { organizationId: $id, webhooks: $webhooks }) {
  created { secret webhook { id url kinds state owner { id } } } } }`;
const LOOK = `query ($id: ID!) { node(id: $id) { ... on Webhook { state stateReason failingSince sequence deliveries {
  nodes { id state tries nextTryAt sequence event { kind } attempts { nodes { status error response duration } } } } } } }`;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function receiver(...args: Parameters<typeof newReceiver>) {
  const receiver = await newReceiver(...args);
  closing.push(receiver.close);
  return receiver;
}

async function create(person: Person, id: string, webhook: object) {
  const { data, errors } = await person.graph(CREATE, { id, webhooks: [webhook] });
  if (errors) throw new Error(JSON.stringify(errors));
  return data.createWebhooks.created[0] as { secret: string; webhook: { id: string } };
}

const look = async (person: Person, id: string) => (await person.graph(LOOK, { id })).data.node;

const make = async (person: Person, projectId: string, ...names: string[]) =>
  createTasks(await person.context(), { projectId, tasks: names.map((name) => ({ name })) });

/** As the server does in the background. */
const deliver = () => runJobs();

const TASKS = { kinds: ['task.*'], query: '{ kind subject { ... on Task { name assigneeEmail } } }' };

describe('a webhook', () => {
  it('is sent what it selects of each event, in order, signed, and once', async () => {
    const { owner, organization, project } = await newWorld();
    const { url, received } = await receiver();
    const { secret, webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a', 'b');
    await deliver();
    await deliver();
    expect(received.map(({ json }) => json.data)).toEqual([
      { kind: 'task.created', subject: { name: 'a', assigneeEmail: null } },
      { kind: 'task.created', subject: { name: 'b', assigneeEmail: null } },
    ]);
    const [first] = received;
    expect(first?.json).toMatchObject({
      webhookId: webhook.id,
      organizationId: organization.id,
      kind: 'task.created',
    });
    expect(first?.headers['docgraph-event-id']).toBe(first?.json.id);
    expect(first && isGenuine(first, secret)).toBe(true);
    expect(first && isGenuine({ ...first, body: `${first.body} ` }, secret)).toBe(false);
    const { deliveries, state, sequence } = await look(owner, webhook.id);
    expect([state, sequence]).toEqual(['ACTIVE', 6]);
    expect(
      deliveries.nodes.map((each: { state: string; tries: number }) => [each.state, each.tries]),
    ).toEqual([
      ['DELIVERED', 1],
      ['DELIVERED', 1],
    ]);
    expect(deliveries.nodes[0].attempts.nodes).toMatchObject([{ status: 200, error: null, response: 'ok' }]);
  });

  it('gets each event once when many processes work on it at the same time', async () => {
    const { owner, organization, project } = await newWorld();
    const { url, received } = await receiver();
    await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, ...Array.from({ length: 10 }, (_, index) => `t${index}`));
    const job = await jobContext();
    await Promise.all(Array.from({ length: 20 }, () => sendDue(job, [organization.id])));
    await deliver();
    expect(received.map(({ json }) => json.data.subject.name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `t${index}`),
    );
  });

  it('loses nothing when the sending process dies, and the delivery is sent again', async () => {
    const { db, owner, organization, project } = await newWorld();
    const { url, received } = await receiver();
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a');
    const ctx = await jobContext();
    await new Promise<void>((reached) => {
      const select = () => {
        reached();
        return new Promise<never>(() => {});
      };
      void sendDue({ ...ctx, webhooks: { allowPrivate: true, select } }, [organization.id]);
    });
    await deliver();
    expect(received).toEqual([]);
    await db.prisma.webhook.update({ where: { id: webhook.id }, data: { busyUntil: new Date(0) } });
    await deliver();
    expect(received).toHaveLength(1);
  });

  it('retries failed deliveries later, and stores the responses', async () => {
    const { db, owner, organization, project } = await newWorld();
    const { url, received } = await receiver((response) => {
      response.statusCode = received.length === 1 ? 500 : 204;
      response.end(received.length === 1 ? 'broken' : undefined);
    });
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a');
    await deliver();
    const [failed] = (await look(owner, webhook.id)).deliveries.nodes;
    expect(failed).toMatchObject({
      state: 'PENDING',
      tries: 1,
      attempts: { nodes: [{ status: 500, error: 'It answered with the status 500.', response: 'broken' }] },
    });
    expect(Date.parse(failed.nextTryAt)).toBeGreaterThan(Date.now());
    await db.prisma.webhookDelivery.update({ where: { id: failed.id }, data: { nextTryAt: new Date() } });
    await deliver();
    const after = await look(owner, webhook.id);
    expect(after.deliveries.nodes[0]).toMatchObject({ state: 'DELIVERED', tries: 2 });
    expect(after.failingSince).toBeNull();
    expect(new Set(received.map(({ headers }) => headers['docgraph-event-id'])).size).toBe(1);
  });

  it('is disabled at once by a receiver that is gone, with an event, the reason and a mail to its owner', async () => {
    const { db, owner, organization, project } = await newWorld();
    const { url, received } = await receiver((response) => response.writeHead(410).end());
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a', 'b');
    await deliver();
    await deliver();
    expect(received).toHaveLength(1);
    const stateReason = 'Its receiver answered that it is gone, with the status 410.';
    expect(await look(owner, webhook.id)).toMatchObject({ state: 'DISABLED', stateReason });
    const event = await db.prisma.event.findFirst({
      where: { subjectId: webhook.id, kind: 'webhook.disabled' },
    });
    expect(event?.data).toMatchObject({ after: { state: 'DISABLED', stateReason } });
    const mails = await db.prisma.mail.findMany({ where: { subjectId: webhook.id } });
    expect(mails.map(({ kind, toEmail, state }) => [kind, toEmail, state])).toEqual([
      ['WEBHOOK_ENDED', owner.email, 'OUTBOX'],
    ]);
  });

  it.each([
    [429, '7200', 2 * HOUR],
    [503, '7200', 2 * HOUR],
    [503, new Date(Date.now() + 4 * HOUR).toUTCString(), 4 * HOUR],
    [429, `${90 * 24 * 3600}`, DAY],
    [429, '1', 10_000],
    [500, '7200', 10_000],
    [429, 'later', 10_000],
  ])('that is answered %d with Retry-After: %s comes again when the receiver asks, within a day', async (status, value, wait) => {
    const { db, owner, organization, project } = await newWorld();
    const { url, received } = await receiver((response) =>
      response.writeHead(status, { 'retry-after': value }).end(),
    );
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a');
    await deliver();
    const [delivery] = await db.prisma.webhookDelivery.findMany({ where: { webhookId: webhook.id } });
    const waited = Number(delivery?.nextTryAt) - Number(delivery?.queuedAt);
    expect(Math.abs(waited - wait)).toBeLessThan(wait * 0.2);
    expect(received).toHaveLength(1);
  });

  it('sends nothing else while its receiver asks to wait, says so, and is tried at once on request', async () => {
    const { owner, organization, project } = await newWorld();
    const { url, received } = await receiver((response) =>
      received.length === 1
        ? response.writeHead(429, { 'retry-after': '3600' }).end()
        : response.writeHead(204).end(),
    );
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a', 'b');
    await deliver();
    await make(owner, project.id, 'c');
    await deliver();
    expect(received).toHaveLength(1);
    const shown = `query ($id: ID!) { node(id: $id) { ... on Webhook { pausedUntil pauseReason nextTryAt } } }`;
    const pause = (await owner.graph(shown, { id: webhook.id })).data.node;
    expect(pause.pauseReason).toBe('Its receiver asked to wait (Retry-After).');
    expect(Date.parse(pause.pausedUntil)).toBeGreaterThan(Date.now() + HOUR / 2);
    expect(pause.nextTryAt).toBe(pause.pausedUntil);
    const test = 'mutation ($id: ID!) { testWebhook(input: { webhookId: $id }) { deliveries { state } } }';
    expect((await owner.graph(test, { id: webhook.id })).errors).toBeUndefined();
    await deliver();
    expect(received.length).toBeGreaterThan(1);
    expect((await owner.graph(shown, { id: webhook.id })).data.node.pausedUntil).toBeNull();
  });

  it('is disabled with a reason after three days of failures', async () => {
    const { db, owner, organization, project } = await newWorld();
    const { url } = await receiver((response) =>
      response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
    );
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a');
    await deliver();
    const longAgo = new Date(Date.now() - 3 * DAY);
    await db.prisma.webhookDelivery.updateMany({
      where: { webhookId: webhook.id },
      data: { queuedAt: longAgo, nextTryAt: new Date() },
    });
    await db.prisma.webhook.update({ where: { id: webhook.id }, data: { failingSince: longAgo } });
    await deliver();
    const { state, stateReason, deliveries } = await look(owner, webhook.id);
    expect([state, stateReason]).toEqual(['DISABLED', 'Every delivery has failed for three days.']);
    expect(deliveries.nodes[0]).toMatchObject({ state: 'FAILED', nextTryAt: null });
    expect(deliveries.nodes[0].attempts.nodes[0].error).toContain('redirects are not followed');
  });

  it('deletes ended deliveries after thirty days, and no pending ones', async () => {
    const { db, owner, organization, project } = await newWorld();
    const { url } = await receiver((response) => {
      response.statusCode = 500;
      response.end();
    });
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'sent', 'pending');
    await deliver();
    const [pending, sent] = (await look(owner, webhook.id)).deliveries.nodes;
    const queuedAt = new Date(Date.now() - 31 * DAY);
    await db.prisma.webhookDelivery.updateMany({ where: { webhookId: webhook.id }, data: { queuedAt } });
    await db.prisma.webhookDelivery.update({ where: { id: sent.id }, data: { state: 'DELIVERED' } });
    await deleteOldDeliveries(db);
    expect((await look(owner, webhook.id)).deliveries.nodes.map(({ id }: { id: string }) => id)).toEqual([
      pending.id,
    ]);
  });

  it('doubles the delay after each failed attempt, up to six hours', () => {
    const pauses = [1, 2, 3, 10, 30].map((tries) => Math.round(retryDelay(tries, 0.5)));
    expect(pauses).toEqual([10_000, 20_000, 40_000, 5_120_000, 6 * HOUR]);
  });

  it('reads with the rights that its owner has at that moment', async () => {
    const { db, owner, organization } = await newWorld();
    const admin = await newMember(db, organization.id, 'ADMIN');
    const { url, received } = await receiver();
    const { webhook } = await create(admin, organization.id, {
      url,
      kinds: ['project.*'],
      query: '{ kind }',
    });
    const projects = (name: string) => ({ organizationId: organization.id, projects: [{ name }] });
    await createProjects(await owner.context(), projects('one'));
    await deliver();
    await db.prisma.membership.updateMany({ where: { userId: admin.id }, data: { role: 'MEMBER' } });
    await createProjects(await owner.context(), projects('two'));
    await deliver();
    expect(received).toHaveLength(1);
    const { state, stateReason } = await look(owner, webhook.id);
    expect(state).toBe('SUSPENDED');
    expect(stateReason).toContain('may not manage the organization any more');
    const { errors } = await owner.graph(
      'mutation ($id: ID!) { updateWebhook(input: { webhookId: $id, enabled: true }) { webhook { state owner { id } } } }',
      { id: webhook.id },
    );
    expect(errors).toBeUndefined();
    await deliver();
    expect(received).toHaveLength(2);
  });

  it.each<[string, (secret: { id: string }) => object]>([
    ['is revoked', () => ({ revokedAt: new Date() })],
    ['expires', () => ({ expiresAt: new Date() })],
    ['may not read any more', () => ({ scopes: ['write' as Scope] })],
  ])('stops when the key that created it %s', async (_, change) => {
    const { db, owner, organization, project } = await newWorld();
    const { secret, apiKey } = await issued(db, owner);
    const { url, received } = await receiver();
    const { webhook } = await create(await owner.with(secret), organization.id, { url, ...TASKS });
    await db.prisma.apiKey.update({ where: { id: apiKey }, data: change({ id: apiKey }) });
    await make(owner, project.id, 'a');
    await deliver();
    expect(received).toEqual([]);
    expect((await look(owner, webhook.id)).state).toBe('SUSPENDED');
  });

  it('signs with two secrets while they are changed', async () => {
    const { owner, organization, project } = await newWorld();
    const { url, received } = await receiver();
    const { secret, webhook } = await create(owner, organization.id, { url, ...TASKS });
    const rotated = await owner.graph(
      'mutation ($id: ID!) { rotateWebhookSecret(input: { webhookId: $id }) { secret webhook { previousSecretExpiresAt } } }',
      { id: webhook.id },
    );
    const { secret: next } = rotated.data.rotateWebhookSecret;
    await make(owner, project.id, 'a');
    await deliver();
    const [message] = received;
    expect(
      message && [isGenuine(message, secret), isGenuine(message, next), isGenuine(message, 'x')],
    ).toEqual([true, true, false]);
  });

  it('can be tried with an event of the past, without and with sending, and deliveries are sent again', async () => {
    const { owner, organization, project } = await newWorld();
    const { url, received } = await receiver();
    await make(owner, project.id, 'a', 'b');
    const { secret, webhook } = await create(owner, organization.id, { url, ...TASKS });
    const { data } = await owner.graph(
      'query ($id: ID!) { node(id: $id) { ... on Webhook { preview { body headers { name value } } } } }',
      { id: webhook.id },
    );
    const { body, headers } = data.node.preview;
    expect(JSON.parse(body).data.subject.name).toBe('b');
    const named = Object.fromEntries(
      headers.map((each: { name: string; value: string }) => [each.name, each.value]),
    );
    expect(isGenuine({ body, headers: named, json: null }, secret)).toBe(true);
    expect(received).toEqual([]);
    const test = await owner.graph(
      'mutation ($id: ID!) { testWebhook(input: { webhookId: $id, sequence: 4 }) { deliveries { id state } } }',
      { id: webhook.id },
    );
    await runJobs();
    expect(received.map(({ json }) => json.data.subject.name)).toEqual(['a']);
    await owner.graph(
      'mutation ($ids: [ID!]!) { redeliverWebhookDeliveries(input: { deliveryIds: $ids }) { deliveries { state } } }',
      { ids: test.data.testWebhook.deliveries.map(({ id }: { id: string }) => id) },
    );
    await runJobs();
    expect(received.map(({ json }) => json.sequence)).toEqual([4, 4]);
  });

  it('does not connect to addresses of this machine unless configured', async () => {
    const { owner, organization, project } = await newWorld();
    const { url, received } = await receiver();
    const { webhook } = await create(owner, organization.id, { url, ...TASKS });
    await make(owner, project.id, 'a');
    const job = await jobContext();
    await sendDue({ ...job, webhooks: { ...job.webhooks, allowPrivate: false } }, [organization.id]);
    expect(received).toEqual([]);
    const [{ attempts }] = (await look(owner, webhook.id)).deliveries.nodes;
    expect(attempts.nodes[0].error).toBe('It cannot be reached: 127.0.0.1 is not a public address');
  });
});

async function issued(db: Awaited<ReturnType<typeof newWorld>>['db'], owner: Person) {
  const { secret } = await issueApiKey(db.prisma, {
    userId: owner.id,
    name: 'hook',
    scopes: ['read', 'write'],
  });
  const { id } = await db.prisma.apiKey.findFirstOrThrow({ where: { userId: owner.id, name: 'hook' } });
  return { secret, apiKey: id };
}
