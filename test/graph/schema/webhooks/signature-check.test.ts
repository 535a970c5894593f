import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newMember, newWorld, type Person } from '../../../support/world.ts';

const CREATE = `mutation ($input: CreateWebhooksInput!) { createWebhooks(input: $input) { created { secret webhook { id } } } }`;
const CHECK = `query ($id: ID!, $signature: String!, $body: String!) { node(id: $id) { ... on Webhook {
  preview { body headers { name value } } signatureCheck(signature: $signature, body: $body) { result secret signedAt isRecent } } } }`;

async function newWebhook() {
  const world = await newWorld();
  const webhooks = [{ url: 'https://hooks.example.com/' }];
  const input = { organizationId: world.organization.id, webhooks };
  const { data } = await world.owner.graph(CREATE, { input });
  const [{ secret, webhook }] = data.createWebhooks.created;
  return { ...world, secret: secret as string, id: webhook.id as string };
}

const now = () => Math.floor(Date.now() / 1_000);
const sign = (secret: string, body: string, t = now()): string =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;

async function check(person: Person, id: string, signature: string, body: string) {
  const { data, errors } = await person.graph(CHECK, { id, signature, body });
  return data?.node?.signatureCheck ?? errors;
}

describe('signatureCheck', () => {
  it('is valid for the request that is sent, as it is', async () => {
    const { owner, id } = await newWebhook();
    const { data } = await owner.graph(CHECK, { id, signature: '', body: '' });
    const { body, headers } = data.node.preview;
    const { value } = headers.find(({ name }: { name: string }) => name === 'docgraph-signature');
    const checked = await check(owner, id, value, body);
    expect(checked).toMatchObject({ result: 'VALID', secret: 'CURRENT', isRecent: true });
    expect(Date.parse(checked.signedAt) / 1_000).toBe(Number(/t=(\d+)/.exec(value)?.[1]));
  });

  it('says that the previous secret signed', async () => {
    const { owner, id, secret } = await newWebhook();
    const rotate = 'mutation ($id: ID!) { rotateWebhookSecret(input: { webhookId: $id }) { secret } }';
    const current = (await owner.graph(rotate, { id })).data.rotateWebhookSecret.secret;
    for (const [each, expected] of [
      [secret, 'PREVIOUS'],
      [current, 'CURRENT'],
    ])
      expect(await check(owner, id, sign(each, '{}'), '{}')).toMatchObject({
        result: 'VALID',
        secret: expected,
      });
  });

  it('accepts nothing that was signed with the previous secret after its end', async () => {
    const { db, owner, id, secret } = await newWebhook();
    const rotate = 'mutation ($id: ID!) { rotateWebhookSecret(input: { webhookId: $id }) { secret } }';
    await owner.graph(rotate, { id });
    const end = new Date((now() - 60) * 1_000);
    await db.prisma.webhook.update({ where: { id }, data: { previousSecretExpiresAt: end } });
    const resultOf = async (t: number) => (await check(owner, id, sign(secret, '{}', t), '{}')).result;
    expect([await resultOf(now() - 70), await resultOf(now() - 50)]).toEqual(['VALID', 'MISMATCH']);
  });

  it('says that the time is outside of the tolerance, before and after', async () => {
    const { owner, id, secret } = await newWebhook();
    for (const [t, isRecent] of [
      [now() - 290, true],
      [now() - 310, false],
      [now() + 330, false],
    ] as const)
      expect(await check(owner, id, sign(secret, '{}', t), '{}')).toMatchObject({
        result: 'VALID',
        isRecent,
      });
  });

  it('tells a body that was written again from one that was changed, and from that of another webhook', async () => {
    const { owner, id, secret } = await newWebhook();
    const other = await newWebhook();
    const body = `{"webhookId":"${id}","data":{"name":"Größe"}}`;
    const signature = sign(secret, body);
    const result = async (each: string) => (await check(owner, id, signature, each)).result;
    expect(await result(body)).toBe('VALID');
    for (const each of [`${body}\n`, `\uFEFF${body}`, JSON.stringify(JSON.parse(body), null, 2)])
      expect(await result(each)).toBe('REFORMATTED');
    expect(await result(body.replace('Größe', 'G'))).toBe('MISMATCH');
    expect(await result('no JSON')).toBe('MISMATCH');
    expect((await check(owner, id, sign('dgw_other', body), body)).result).toBe('MISMATCH');
    const foreign = body.replace(id, other.id);
    expect((await check(owner, id, sign(other.secret, foreign), foreign)).result).toBe('OTHER_WEBHOOK');
  });

  it.each([
    '',
    't=1',
    'v1=00',
    `v1=${'0'.repeat(64)}`,
    `t=1,v1=${'0'.repeat(63)}`,
    `t=x,v1=${'0'.repeat(64)}`,
    `t=${'9'.repeat(12)},v1=${'0'.repeat(64)}`,
    `t=1,v1=${'A'.repeat(64)}`,
    't=1,'.repeat(300),
  ])('is malformed for %j', async (signature) => {
    const { owner, id } = await newWebhook();
    expect(await check(owner, id, signature, '{}')).toEqual({
      ...{ result: 'MALFORMED', secret: null, signedAt: null, isRecent: false },
    });
  });

  it('is for owners and admins alone', async () => {
    const { db, organization, stranger, id, secret } = await newWebhook();
    const signature = sign(secret, '{}');
    const admin = await newMember(db, organization.id, 'ADMIN');
    expect(await check(admin, id, signature, '{}')).toMatchObject({ result: 'VALID' });
    for (const person of [await newMember(db, organization.id, 'MEMBER'), stranger])
      expect(await check(person, id, signature, '{}')).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});
