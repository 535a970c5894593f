import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewerOfBearer } from '../../src/auth/bearer.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { NODES } from './graph-facts.ts';
import { MUTATIONS } from './mutation-facts.ts';
import { codeOf, mutationText, sendGraph } from './requests.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let s: Fixture;

beforeAll(async () => {
  s = await sharedFixture();
}, SETUP_TIMEOUT_MS);

const mutations = Object.entries(MUTATIONS).flatMap(([name, [least, input]]) =>
  least === 'creator' ? [{ name, input: () => input(s.a.at, s.a) }] : [],
);

const types = Object.keys(NODES).filter((type) => NODES[type]?.least === 'creator');

const change = (name: string, input: object) =>
  sendGraph(s.app, mutationText(name), { input }, s.a.writeToken);

/** The names in tenant.ts of the objects. */
const AT: Record<string, string> = {
  Webhook: 'webhook',
  WebhookDelivery: 'delivery',
  WebhookAttempt: 'attempt',
  BulkOperation: 'bulkOperation',
};

const find = (type: string) =>
  sendGraph(
    s.app,
    'query ($id: ID!) { node(id: $id) { __typename } }',
    { id: s.a.at[AT[type] as string] },
    s.a.writeToken,
  );

describe('an application with the scope write', () => {
  it.each(mutations)('is answered NOT_FOUND by $name for what another application created', async ({
    name,
    input,
  }) => {
    expect(codeOf(await change(name, input()))).toBe('NOT_FOUND');
  });

  it.each(types)('does not find a %s of another application', async (type) => {
    expect(codeOf(await find(type))).toBe('NOT_FOUND');
  });
});

describe('the application that created a webhook or started a bulk operation', () => {
  let snapshot: Snapshot;
  let creator: { ownerId: string; clientId: string | null };

  const belongTo = (owner: typeof creator) =>
    s.db.prisma.webhook.update({ where: { id: s.a.at.webhook }, data: owner });

  beforeAll(async () => {
    const where = { id: s.a.at.webhook };
    const { ownerId, clientId } = await s.db.prisma.webhook.findUniqueOrThrow({ where });
    creator = { ownerId, clientId };
    const id = (await viewerOfBearer(s.db, s.a.writeToken))?.credentialId;
    const grant = await s.db.prisma.grant.findUniqueOrThrow({ where: { id } });
    await belongTo({ ownerId: grant.userId, clientId: grant.clientId });
    await s.db.prisma.bulkOperation.update({
      where: { id: s.a.at.bulkOperation },
      data: { credentialId: grant.id },
    });
    snapshot = await takeSnapshot(s.db);
  });

  afterAll(() => belongTo(creator));

  it.each(mutations)('may run $name', async ({ name, input }) => {
    const { body } = await change(name, input());
    const changed = await snapshot.restore();
    expect(body.errors).toBeUndefined();
    expect(changed).not.toEqual([]);
  });

  it.each(types)('finds the %s', async (type) => {
    expect((await find(type)).body.data.node).toEqual({ __typename: type });
  });
});
