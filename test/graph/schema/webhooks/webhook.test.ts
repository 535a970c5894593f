import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import { findWebhooks } from '../../../../src/domain/webhooks/webhook.ts';
import { createWebhooks, deleteWebhooks } from '../../../../src/domain/webhooks/webhook-change.ts';
import { newApplication, through } from '../../../support/webhooks.ts';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const CREATE = `mutation ($id: ID!, $webhooks: [NewWebhook!]!) { createWebhooks(input: { organizationId: $id, webhooks: $webhooks }) {
  created { secret webhook { id url kinds projectId query state version } } } }`;
const LIST = `query ($id: ID!) { organization(id: $id) { webhooks { totalCount nodes { id url } } } }`;
const HOOK = { url: 'https://hooks.example.com/docgraph' };

const codes = (errors: { extensions: { code: string; at?: string } }[] | undefined) =>
  errors?.map(({ extensions }) => extensions.code);
const create = (person: Person, id: string, ...webhooks: object[]) => person.graph(CREATE, { id, webhooks });
const listed = async (person: Person, id: string) =>
  (await person.graph(LIST, { id })).data?.organization.webhooks;

async function newWebhook() {
  const world = await newWorld();
  const { data } = await create(world.owner, world.organization.id, HOOK);
  return {
    ...world,
    ...(data.createWebhooks.created[0] as { secret: string; webhook: { id: string; version: number } }),
  };
}

describe('webhooks', () => {
  it('are created with a secret that is shown once, changed, listed without it, and deleted', async () => {
    const { owner, organization, secret, webhook } = await newWebhook();
    expect(secret).toMatch(/^dgw_[\w-]{43}$/);
    const all = `query ($id: ID!) { organization(id: $id) { webhooks { nodes { id url kinds query state stateReason
      previousSecretExpiresAt owner { id } deliveries { nodes { id } } } } events { nodes { kind changes { before after } } } } }`;
    expect(JSON.stringify(await owner.graph(all, { id: organization.id }))).not.toContain(secret);
    const changed = await owner.graph(
      `mutation ($id: ID!) { updateWebhook(input: { webhookId: $id, kinds: ["task.*"], enabled: false }) {
        webhook { kinds state stateReason version url } } }`,
      { id: webhook.id },
    );
    expect(changed.data.updateWebhook.webhook).toEqual({
      kinds: ['task.*'],
      state: 'DISABLED',
      stateReason: 'It was switched off.',
      version: 2,
      url: HOOK.url,
    });
    const test = await owner.graph(
      'mutation ($id: ID!) { testWebhook(input: { webhookId: $id, sequence: 1 }) { __typename } }',
      { id: webhook.id },
    );
    expect(codes(test.errors)).toEqual(['CONFLICT']);
    await owner.graph('mutation ($id: ID!) { deleteWebhooks(input: { webhookIds: [$id] }) { webhookIds } }', {
      id: webhook.id,
    });
    expect((await listed(owner, organization.id)).totalCount).toBe(0);
    const { data } = await owner.graph(all, { id: organization.id });
    expect(data.organization.events.nodes.map(({ kind }: { kind: string }) => kind).slice(-3)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.deleted',
    ]);
  });

  it('can be managed by owners and admins only', async () => {
    const { db, owner, organization, stranger, webhook } = await newWebhook();
    const [admin, member, guest] = [
      await newMember(db, organization.id, 'ADMIN'),
      await newMember(db, organization.id, 'MEMBER'),
      await newMember(db, organization.id, 'GUEST'),
    ];
    expect(codes((await create(stranger, organization.id, HOOK)).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await create(member, organization.id, HOOK)).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await create(guest, organization.id, HOOK)).errors)).toEqual(['FORBIDDEN']);
    for (const person of [member, guest]) {
      expect(await listed(person, organization.id)).toEqual({ totalCount: 0, nodes: [] });
      for (const mutation of ['rotateWebhookSecret', 'testWebhook', 'updateWebhook']) {
        const { errors } = await person.graph(
          `mutation ($id: ID!) { ${mutation}(input: { webhookId: $id }) { __typename } }`,
          { id: webhook.id },
        );
        expect(codes(errors)).toEqual(['NOT_FOUND']);
      }
    }
    const theirs = await stranger.graph(
      'mutation ($id: ID!) { deleteWebhooks(input: { webhookIds: [$id] }) { webhookIds } }',
      { id: webhook.id },
    );
    expect(codes(theirs.errors)).toEqual(['NOT_FOUND']);
    expect(
      codes((await stranger.graph('query ($id: ID!) { node(id: $id) { id } }', { id: webhook.id })).errors),
    ).toEqual(['NOT_FOUND']);
    expect((await listed(admin, organization.id)).totalCount).toBe(1);
    expect((await listed(owner, organization.id)).totalCount).toBe(1);
  });

  it('cannot be created with a read-only key', async () => {
    const { db, owner, organization } = await newWorld();
    const { secret } = await issueApiKey(db.prisma, { userId: owner.id, name: 'r', scopes: ['read'] });
    const { errors } = await create(await owner.with(secret), organization.id, HOOK);
    expect(codes(errors)).toEqual(['INSUFFICIENT_SCOPE']);
  });

  it('of others are invisible to an application, which manages its own', async () => {
    const { db, owner, organization, webhook } = await newWebhook();
    const { grant } = await newApplication(db, organization.id, owner.id);
    const application = await through(owner, await grant(owner.id));
    const [own] = await createWebhooks(application, {
      organizationId: organization.id,
      webhooks: [{ ...HOOK, query: '{ id }' }],
    });
    const ids = [webhook.id, own?.webhook.id as string];
    expect((await findWebhooks(application, ids)).map(({ id }) => id)).toEqual([own?.webhook.id]);
    await expect(deleteWebhooks(application, { webhookIds: ids })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await listed(owner, organization.id)).totalCount).toBe(2);
  });

  it('are limited in number for each organization, also when created concurrently', async () => {
    const { owner, organization } = await newWorld();
    const ctx = await owner.context();
    const limited = { ...ctx, limits: { ...ctx.limits, webhooks: 3 } };
    const input = { organizationId: organization.id, webhooks: [{ ...HOOK, query: '{ id }' }] };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => createWebhooks(limited, input)),
    );
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused.map(({ code, message }) => [code, message])).toEqual(
      Array.from({ length: 3 }, () => ['CONFLICT', 'An organization has 3 webhooks at most; there are 3.']),
    );
    expect((await listed(owner, organization.id)).totalCount).toBe(3);
    const [first, second] = (await listed(owner, organization.id)).nodes;
    await deleteWebhooks(limited, { webhookIds: [first.id, second.id] });
    const three = { ...input, webhooks: Array.from({ length: 3 }, () => ({ ...HOOK, query: '{ id }' })) };
    await expect(createWebhooks(limited, three)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await listed(owner, organization.id)).totalCount).toBe(1);
  });

  it.each([
    [{ url: 'ftp://example.com/' }, 'BAD_USER_INPUT', 'webhooks.0.url'],
    [{ url: 'https://user:secret@example.com/' }, 'BAD_USER_INPUT', 'webhooks.0.url'],
    [{ url: '/relative' }, 'BAD_USER_INPUT', 'webhooks.0.url'],
    [{ kinds: ['everything'] }, 'BAD_USER_INPUT', 'webhooks.0.kinds.0'],
    [{ projectId: 'prj_00000000000000000000000000' }, 'NOT_FOUND', 'webhooks.0.projectId'],
    [{ query: '{ nothing }' }, 'BAD_USER_INPUT', 'webhooks.0.query'],
    [{ query: 'not a selection' }, 'BAD_USER_INPUT', 'webhooks.0.query'],
    [{ query: 'mutation { id }' }, 'BAD_USER_INPUT', 'webhooks.0.query'],
    [{ query: 'query ($x: Int) { id }' }, 'BAD_USER_INPUT', 'webhooks.0.query'],
    [{ query: '{ id } { kind }' }, 'BAD_USER_INPUT', 'webhooks.0.query'],
    [
      {
        query:
          '{ subject { ... on Project { documents(first: 100) { nodes { comments(first: 100) { nodes { id } } } } } } }',
      },
      'COST_LIMIT_EXCEEDED',
      undefined,
    ],
    [
      {
        query: `${'{ subject { ... on Project { organization { projects(first: 1) { nodes '.repeat(4)}{ id }${' } } } } }'.repeat(4)}`,
      },
      'BAD_USER_INPUT',
      'webhooks.0.query',
    ],
  ])('refuse %j', async (wrong, code, at) => {
    const { owner, organization } = await newWorld();
    const { errors } = await create(owner, organization.id, HOOK, { ...HOOK });
    expect(errors).toBeUndefined();
    const refused = await create(owner, organization.id, { ...HOOK, ...wrong });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code, ...(at && { at }) });
    expect((await listed(owner, organization.id)).totalCount).toBe(2);
  });

  it('accept fragments in their query, and are changed with the current version only', async () => {
    const { owner, organization, webhook } = await newWebhook();
    const query = '{ kind subject { ...name } } fragment name on Node { id ... on Task { name } }';
    expect((await create(owner, organization.id, { ...HOOK, query })).errors).toBeUndefined();
    const stale = await owner.graph(
      'mutation ($id: ID!) { updateWebhook(input: { webhookId: $id, url: "https://a.example/", expectedVersion: 7 }) { __typename } }',
      { id: webhook.id },
    );
    expect(codes(stale.errors)).toEqual(['CONFLICT']);
  });
});
