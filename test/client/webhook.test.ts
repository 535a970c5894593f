import { beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from '../../packages/client/src/index.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { createWebhooks } from '../../src/domain/webhooks/webhook-change.ts';
import { signatureOf } from '../../src/domain/webhooks/webhook-signature.ts';
import { dropJobs, runJobs } from '../support/jobs.ts';
import type { Received } from '../support/servers/receiver.ts';
import { receiver } from '../support/webhooks.ts';
import { newWorld } from '../support/world.ts';

beforeAll(dropJobs);

/** A delivery as it arrives, and the secret of its webhook. */
async function delivered(): Promise<{ delivery: Received; secret: string }> {
  const { owner, organization, project } = await newWorld();
  const { url, received } = await receiver();
  const ctx = await owner.context();
  const webhooks = [{ url, kinds: ['task.*'], query: '{ subject { ... on Task { name } } }' }];
  const [created] = await createWebhooks(ctx, { organizationId: organization.id, webhooks });
  await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Prüfen ✓' }] });
  await runJobs();
  const [delivery] = received;
  if (!delivery || !created) throw new Error('Nothing was delivered.');
  return { delivery, secret: created.secret };
}

const requestOf = ({ headers, body }: Received) =>
  new Request('https://app.example/hook', {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
  });

describe('a delivered webhook', () => {
  it('is verified from a request of the Fetch API, and from headers and a body', async () => {
    const { delivery, secret } = await delivered();
    const event = await verifyWebhook<{ subject: { name: string } }>(requestOf(delivery), secret);
    expect(event.data.subject.name).toBe('Prüfen ✓');
    expect(event).toEqual(delivery.json);
    expect(await verifyWebhook(delivery, secret)).toEqual(event);
    expect(await verifyWebhook({ ...delivery, body: Buffer.from(delivery.body) }, secret)).toEqual(event);
  });

  it('is verified with either secret while one is being replaced', async () => {
    const { delivery, secret } = await delivered();
    expect(await verifyWebhook(delivery, ['other', secret])).toEqual(delivery.json);
  });

  it.each<[string, (delivery: Received, secret: string) => Promise<unknown>]>([
    ['another body', (each, secret) => verifyWebhook({ ...each, body: `${each.body} ` }, secret)],
    ['another secret', (each, secret) => verifyWebhook(each, `${secret}x`)],
    ['no signature', (each, secret) => verifyWebhook({ ...each, headers: {} }, secret)],
  ])('is refused with %s', async (_, verify) => {
    const { delivery, secret } = await delivered();
    await expect(verify(delivery, secret)).rejects.toBeInstanceOf(WebhookError);
  });
});

describe('a signature', () => {
  const body = '{"a":1}';
  const hook = {
    secret: 'new',
    previousSecret: 'old',
    previousSecretExpiresAt: new Date(Date.now() + 60_000),
  };
  const signed = (now: Date) => ({ headers: { 'Docgraph-Signature': signatureOf(hook, body, now) }, body });

  it.each([
    [''],
    [[]],
    [['new', '']],
  ])('is not compared with a secret that is missing: %j', async (secret) => {
    await expect(verifyWebhook(signed(new Date()), secret)).rejects.toThrow('The secret is missing.');
  });

  it('of either secret is accepted', async () => {
    for (const secret of ['new', 'old'])
      expect(await verifyWebhook(signed(new Date()), secret)).toEqual({ a: 1 });
  });

  it.each([
    [-301_000, 'before'],
    [301_000, 'after'],
  ])('%i ms from now is too old', async (offset) => {
    const request = signed(new Date(Date.now() + offset));
    await expect(verifyWebhook(request, 'new')).rejects.toThrow('too old');
    expect(await verifyWebhook(request, 'new', { tolerance: 600 })).toEqual({ a: 1 });
  });

  it.each([
    '',
    't=,v1=',
    `t=${Math.floor(Date.now() / 1_000)}`,
    `t=${Math.floor(Date.now() / 1_000)},v1=zz`,
    'v1=00',
  ])('that is malformed is refused: %s', async (header) => {
    const request = { headers: { 'docgraph-signature': header }, body };
    await expect(verifyWebhook(request, 'new')).rejects.toBeInstanceOf(WebhookError);
  });
});
