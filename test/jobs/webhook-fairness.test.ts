import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findWebhooks } from '../../src/domain/webhooks/webhook.ts';
import { redeliver } from '../../src/domain/webhooks/webhook-resend.ts';
import { sendDue } from '../../src/jobs/webhook-sender.ts';
import { work } from '../../src/jobs/work.ts';
import { SECOND } from '../../src/lib/time.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { happen, hooksFor, receiver } from '../support/webhooks.ts';
import { newWorld } from '../support/world.ts';

beforeEach(dropJobs);

async function newTenant(urls: readonly string[]) {
  const world = await newWorld();
  const organizationId = world.organization.id;
  const hooks = await hooksFor(await world.owner.context(), organizationId, urls);
  const look = async () => {
    const [webhook] = await findWebhooks(await world.owner.context(), hooks);
    return webhook as NonNullable<typeof webhook>;
  };
  const attempts = () => world.db.prisma.webhookAttempt.count({ where: { organizationId } });
  return {
    ...world,
    organizationId,
    hooks,
    look,
    attempts,
    happen: () => happen(world.owner, organizationId),
  };
}

type Tenant = Awaited<ReturnType<typeof newTenant>>;

/** Works in the background, as a server does, as long as the test runs. */
async function startWork() {
  const working = work(await jobContext());
  onTestFinished(() => working.stop());
}

const deliver = async ({ organizationId }: Tenant) => sendDue(await jobContext(), [organizationId]);

/** What waits for its next try is due, and so is a receiver that is paused. */
async function timePasses({ db, organizationId }: Tenant) {
  await db.prisma.webhookDelivery.updateMany({
    where: { organizationId, state: 'PENDING' },
    data: { nextTryAt: new Date(0) },
  });
  await db.prisma.webhookReceiver.updateMany({
    where: { organizationId, pausedUntil: { not: null } },
    data: { pausedUntil: new Date(0) },
  });
}

const many = (url: string, count: number) => Array.from({ length: count }, (_, index) => `${url}/${index}`);

/** Nobody listens at this address: connections are refused at once. */
async function closedAddress(): Promise<string> {
  const { url, close } = await receiver();
  close();
  return url;
}

describe('webhooks of several organizations', { timeout: 60 * SECOND }, () => {
  it('do not wait for those of one organization whose receiver never answers', async () => {
    const dead = await receiver(() => {});
    const aggressor = await newTenant(many(dead.url, 60));
    const healthy = await receiver();
    const victim = await newTenant([healthy.url]);
    await startWork();
    await aggressor.happen();
    await vi.waitUntil(() => dead.received.length > 0, { timeout: 20 * SECOND, interval: 10 });
    await victim.happen();
    await vi.waitUntil(() => healthy.received.length > 0, { timeout: 50 * SECOND, interval: 10 });
    expect(await aggressor.attempts()).toBe(0);
  });

  it('are sent in turn, at most eight of one organization at a time', async () => {
    const waiting: (() => void)[] = [];
    const slow = await receiver((response) => void waiting.push(() => response.end()));
    const first = await newTenant(many(slow.url, 20));
    const second = await newTenant(many(slow.url, 2));
    await first.happen();
    await second.happen();
    const all = jobContext().then((job) => sendDue(job, [first.organizationId, second.organizationId]));
    await vi.waitUntil(() => waiting.length >= 10, { timeout: 20 * SECOND });
    const of = ({ organizationId }: Tenant) =>
      slow.received.filter(({ json }) => json.organizationId === organizationId).length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([of(first), of(second)]).toEqual([8, 2]);
    const answering = setInterval(() => {
      for (const answer of waiting.splice(0)) answer();
    }, 20);
    await all.finally(() => clearInterval(answering));
    expect([of(first), of(second)]).toEqual([20, 2]);
  });
});

describe('a receiver that does not answer', () => {
  it('is paused, and its webhook has the end and the reason of the pause', async () => {
    const tenant = await newTenant(many(await closedAddress(), 5));
    for (let times = 0; times < 3; times++) await tenant.happen();
    await deliver(tenant);
    const tried = await tenant.attempts();
    await tenant.happen();
    await deliver(tenant);
    expect(await tenant.attempts()).toBe(tried);
    expect(tried).toBeLessThan(10);
    const { data } = await tenant.owner.graph(
      'query ($id: ID!) { node(id: $id) { ... on Webhook { state pausedUntil pauseReason nextTryAt } } }',
      { id: tenant.hooks[0] },
    );
    expect(data.node).toMatchObject({
      state: 'ACTIVE',
      pauseReason: expect.stringContaining('It cannot be reached'),
      nextTryAt: data.node.pausedUntil,
    });
    expect(Date.parse(data.node.pausedUntil)).toBeGreaterThan(Date.now());
  });

  it('is tried by one webhook after the pause, and then paused for longer', async () => {
    const tenant = await newTenant(many(await closedAddress(), 5));
    for (let times = 0; times < 3; times++) await tenant.happen();
    await deliver(tenant);
    const pause = async () => ((await tenant.look()).pausedUntil as Date).getTime() - Date.now();
    const first = await pause();
    const tried = await tenant.attempts();
    await timePasses(tenant);
    await Promise.all([deliver(tenant), deliver(tenant), deliver(tenant)]);
    expect(await tenant.attempts()).toBe(tried + 1);
    expect(await pause()).toBeGreaterThan(first + 5 * SECOND);
  });

  it('gets all pending deliveries in order as soon as it answers again', async () => {
    const address = await closedAddress();
    const tenant = await newTenant([address]);
    for (let times = 0; times < 4; times++) await tenant.happen();
    for (let times = 0; times < 4; times++) await deliver(tenant);
    expect((await tenant.look()).pausedUntil).not.toBeNull();
    const back = await receiver();
    await tenant.db.prisma.webhook.updateMany({
      where: { id: tenant.hooks[0] },
      data: { url: address.replace(/:\d+/, `:${new URL(back.url).port}`) },
    });
    await tenant.db.prisma.webhookReceiver.updateMany({
      where: { organizationId: tenant.organizationId },
      data: { host: new URL(back.url).host },
    });
    await timePasses(tenant);
    await deliver(tenant);
    const sequences = back.received.map(({ json }) => json.sequence);
    expect(sequences).toHaveLength(4);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(await tenant.look()).toMatchObject({ pausedUntil: null, pauseReason: null, nextTryAt: null });
  });

  it('does not pause the webhooks of another organization to the same host', async () => {
    let answering = false;
    const { url, received } = await receiver((response) => (answering ? response.end() : response.destroy()));
    const [one, other] = [await newTenant(many(url, 5)), await newTenant([url])];
    await one.happen();
    await deliver(one);
    expect((await one.look()).pausedUntil).not.toBeNull();
    answering = true;
    const before = received.length;
    await other.happen();
    await deliver(other);
    expect(received).toHaveLength(before + 1);
  });

  it('is tried at once when a user has a delivery sent again', async () => {
    const tenant = await newTenant(many(await closedAddress(), 5));
    await tenant.happen();
    await deliver(tenant);
    const tried = await tenant.attempts();
    const delivery = await tenant.db.prisma.webhookDelivery.findFirstOrThrow({
      where: { organizationId: tenant.organizationId },
    });
    await redeliver(await tenant.owner.context(), { deliveryIds: [delivery.id] });
    await deliver(tenant);
    expect(await tenant.attempts()).toBe(tried + 1);
  });
});

describe('a run that fails on our side', () => {
  it('is not repeated at once, so that deliveries are not sent again and again', async () => {
    const { url, received } = await receiver();
    const tenant = await newTenant([url]);
    await tenant.happen();
    const rename = (from: string, to: string) =>
      tenant.db.prisma.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename('webhook_attempts', 'attempts_away');
    await deliver(tenant).finally(() => rename('attempts_away', 'webhook_attempts'));
    await deliver(tenant);
    expect(received).toHaveLength(1);
    await tenant.db.prisma.webhook.updateMany({ data: { busyUntil: null } });
    await deliver(tenant);
    await deliver(tenant);
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ json }) => json.id)).size).toBe(1);
  });
});

describe('the clock of a process', () => {
  it.each([
    70, -70,
  ])('may be wrong by %d seconds: what is due is sent at once, and by one process', async (seconds) => {
    const { url, received } = await receiver();
    const tenant = await newTenant([url]);
    await tenant.happen();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * SECOND });
    onTestFinished(() => void vi.useRealTimers());
    await Promise.all([deliver(tenant), deliver(tenant)]);
    expect(received).toHaveLength(1);
  });
});
