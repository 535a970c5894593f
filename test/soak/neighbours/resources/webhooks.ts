import { newReceiver } from '../../../support/servers/receiver.ts';
import type { Resource } from '../measure.ts';
import type { Tenant } from '../town.ts';
import { keepSending, until } from '../wait.ts';

type Receiver = Awaited<ReturnType<typeof newReceiver>>;

let silent: Receiver;
let healthy: Receiver;
let events = 0;

const addTask = ({ next, projectId }: Tenant, name: string) =>
  next.mutate('createTasks', { projectId, tasks: [{ name }] }, 'tasks { id }');

async function addWebhooks({ owner, organizationId }: Tenant, url: string, count: number): Promise<void> {
  const webhooks = Array.from({ length: count }, () => ({
    url,
    query: '{ subject { ... on Task { name } } }',
  }));
  await owner.mutate('createWebhooks', { organizationId, webhooks }, 'created { secret }');
}

/** 400 webhooks to a receiver that never answers. */
export const webhooks: Resource = {
  env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOKS_PER_ORGANIZATION: '400' },
  async prepare({ victim }) {
    [silent, healthy] = [await newReceiver(() => {}), await newReceiver()];
    await addWebhooks(victim, healthy.url, 1);
  },
  async aggress({ aggressor }, signal) {
    signal.addEventListener('abort', () => [silent, healthy].map((each) => each.close()));
    for (let count = 0; count < 400; count += 10) await addWebhooks(aggressor, silent.url, 10);
    await keepSending(500, (turn) => addTask(aggressor, `Task ${turn}`), signal);
  },
  async work(victim, _, signal) {
    const name = `Event ${events++}`;
    await addTask(victim, name);
    await until(async () => healthy.received.some(({ body }) => body.includes(`${name}"`)), signal, 20);
  },
};
