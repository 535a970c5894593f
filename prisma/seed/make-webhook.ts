import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import type { Context } from '../../src/domain/kernel/context.ts';
import { createWebhooks, updateWebhook } from '../../src/domain/webhooks/webhook-change.ts';
import { redeliver } from '../../src/domain/webhooks/webhook-resend.ts';
import { selectOfEvent } from '../../src/graph/http/execute.ts';
import { sendDue } from '../../src/jobs/webhook-sender.ts';
import { DAY } from '../../src/lib/time.ts';
import { actAs, type SeedSite } from './site.ts';

/** The URL for a receiver of the reader's own: see docs/webhooks.md. */
const ADDRESS = 'http://127.0.0.1:9322/tasks';

/** Starts a local receiver for the seed: it fails the first delivery, and every delivery of a denial. */
async function startReceiver() {
  let received = 0;
  const server = createServer(async (request, response) => {
    const denied = (await text(request)).includes('task.denied');
    if (received++ === 0) response.writeHead(503).end('starting');
    else if (denied) response.writeHead(500).end('no column for denials');
    else response.end('thank you');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/tasks`, stop: () => server.close() };
}

/**
 * Creates a webhook and delivers the events of `work` to a local receiver: one delivery succeeds at the second attempt,
 * one is given up, the others succeed. The webhook stays enabled, with ADDRESS. Returns the result of `work`.
 */
export async function makeWebhook<Result>(
  site: SeedSite,
  organizationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { db, storage, limits } = site;
  const receiver = await startReceiver();
  const ctx = await actAs(site, 'owner');
  const query =
    '{ kind createdAt createdBy { name } subject { ... on Task { name state dueAt assigneeEmail } } }';
  const hook = { url: receiver.url, kinds: ['task.*'], query };
  const [created] = await createWebhooks(ctx, { organizationId, webhooks: [hook] });
  const webhookId = created?.webhook.id as string;
  const result = await work();
  const webhooks = { select: selectOfEvent, allowPrivate: true };
  const job = { db, storage, limits, log: pino({ level: 'silent' }), webhooks };
  await sendDue(job, [organizationId]);
  const { first, denied } = await findPending(ctx, webhookId);
  await markOld(ctx, denied);
  await sendDue(job, [organizationId]);
  await redeliver(ctx, { deliveryIds: [first] });
  await sendDue(job, [organizationId]);
  await updateWebhook(ctx, { webhookId, url: ADDRESS });
  receiver.stop();
  return result;
}

async function findPending({ db }: Context, webhookId: string): Promise<{ first: string; denied: string }> {
  const [first, denied] = await db.prisma.webhookDelivery.findMany({
    where: { webhookId, state: 'PENDING' },
    orderBy: { sequence: 'asc' },
  });
  if (!first || !denied) throw new Error('The webhook of the demo workspace sent something else.');
  return { first: first.id, denied: denied.id };
}

/** Makes a delivery three days old, so that the next attempt is its last. */
const markOld = ({ db }: Context, id: string) =>
  db.prisma.webhookDelivery.update({
    where: { id },
    data: { queuedAt: new Date(Date.now() - 3 * DAY), nextTryAt: new Date() },
  });
