import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewerOfBearer } from '../../src/auth/bearer.ts';
import { ask, codeOf, mutationText } from './asking.ts';
import { NODES } from './graph-facts.ts';
import { type Kept, keep } from './kept.ts';
import { MUTATIONS } from './mutation-facts.ts';
import { type Scene, SETTING_UP, scene } from './scene.ts';

let s: Scene;

beforeAll(async () => {
  s = await scene();
}, SETTING_UP);

const mutations = Object.entries(MUTATIONS).flatMap(([name, [least, input]]) =>
  least === 'made' ? [{ name, input: () => input(s.a.at, s.a) }] : [],
);

const types = Object.keys(NODES).filter((type) => NODES[type]?.least === 'made');

const change = (name: string, input: object) => ask(s.app, mutationText(name), { input }, s.a.writeToken);

const find = (type: string) =>
  ask(
    s.app,
    'query ($id: ID!) { node(id: $id) { __typename } }',
    { id: type === 'Webhook' ? s.a.at.webhook : s.a.at.delivery },
    s.a.writeToken,
  );

describe('an application that may write', () => {
  it.each(mutations)('finds nothing for $name where it is another\u2019s webhook', async ({
    name,
    input,
  }) => {
    expect(codeOf(await change(name, input()))).toBe('NOT_FOUND');
  });

  it.each(types)('finds no %s that is another\u2019s', async (type) => {
    expect(codeOf(await find(type))).toBe('NOT_FOUND');
  });
});

describe('the application that made a webhook', () => {
  let kept: Kept;
  let maker: { ownerId: string; clientId: string | null };

  const belongTo = (owner: typeof maker) =>
    s.db.prisma.webhook.update({ where: { id: s.a.at.webhook }, data: owner });

  beforeAll(async () => {
    const where = { id: s.a.at.webhook };
    const { ownerId, clientId } = await s.db.prisma.webhook.findUniqueOrThrow({ where });
    maker = { ownerId, clientId };
    const id = (await viewerOfBearer(s.db, s.a.writeToken))?.credentialId;
    const grant = await s.db.prisma.grant.findUniqueOrThrow({ where: { id } });
    await belongTo({ ownerId: grant.userId, clientId: grant.clientId });
    kept = await keep(s.db);
  });

  afterAll(() => belongTo(maker));

  it.each(mutations)('may do $name', async ({ name, input }) => {
    const { body } = await change(name, input());
    const changed = await kept.restore();
    expect(body.errors).toBeUndefined();
    expect(changed).not.toEqual([]);
  });

  it.each(types)('finds the %s', async (type) => {
    expect((await find(type)).body.data.node).toEqual({ __typename: type });
  });
});
