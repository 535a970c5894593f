import { once } from 'node:events';
import { createServer } from 'node:http';
import pino from 'pino';
import { createWebhooks, updateWebhook } from '../../src/domain/webhook-change.ts';
import { redeliver } from '../../src/domain/webhook-resend.ts';
import { selectOfEvent } from '../../src/graph/execute.ts';
import { sendForWebhook } from '../../src/jobs/webhook.ts';
import { as, type Site } from './make.ts';

/** A receiver on this machine, as long as the seed runs; it is not ready for what comes first. */
async function startReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (received++ === 0) response.writeHead(503).end('starting');
    else response.end('thank you');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/tasks`, stop: () => server.close() };
}

/**
 * A webhook with what it has sent while `work` was done: to a receiver of the seed's own, which is gone afterwards, so the
 * webhook is switched off. Gives what `work` does.
 */
export async function makeWebhook<Result>(
  site: Site,
  organizationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { db, storage, limits } = site;
  const receiver = await startReceiver();
  const ctx = await as(site, 'owner');
  const query =
    '{ kind createdAt createdBy { name } subject { ... on Task { name state dueAt assigneeEmail } } }';
  const hook = { url: receiver.url, kinds: ['task.*'], query };
  const [made] = await createWebhooks(ctx, { organizationId, webhooks: [hook] });
  const webhookId = made?.webhook.id as string;
  const result = await work();
  const webhooks = { select: selectOfEvent, allowPrivate: true };
  const job = { db, storage, limits, log: pino({ level: 'silent' }), webhooks };
  await sendForWebhook(job, webhookId);
  const pending = await db.prisma.webhookDelivery.findMany({ where: { webhookId, state: 'PENDING' } });
  await redeliver(ctx, { deliveryIds: pending.map(({ id }) => id) });
  await sendForWebhook(job, webhookId);
  await updateWebhook(ctx, { webhookId, enabled: false });
  receiver.stop();
  return result;
}
