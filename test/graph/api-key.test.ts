import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { createApiKeys } from '../../src/domain/api-key.ts';
import { newId } from '../../src/lib/id.ts';
import { newWorld, type Person } from '../support/world.ts';

const CREATE = `mutation ($keys: [NewApiKey!]!) { createApiKeys(input: { keys: $keys }) { created { secret key { id name prefix scopes expiresAt } } } }`;
const DELETE = `mutation ($ids: [ID!]!) { deleteApiKeys(input: { apiKeyIds: $ids }) { apiKeyIds } }`;
const LIST = `{ viewer { apiKeys { totalCount nodes { id name prefix scopes expiresAt lastUsedAt } } } }`;

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);
const listed = async (person: Person) => (await person.graph(LIST)).data.viewer.apiKeys;
const soon = () => new Date(Date.now() + 60_000);

describe('API keys', () => {
  it('are made with a secret shown once, listed without it, and gone when deleted', async () => {
    const { owner } = await newWorld();
    const { data } = await owner.graph(CREATE, {
      keys: [{ name: 'one' }, { name: 'two', scopes: ['read'] }],
    });
    const [one, two] = data.createApiKeys.created;
    expect([one.key.scopes, two.key.scopes]).toEqual([['read', 'write'], ['read']]);
    expect(one.secret.startsWith(one.key.prefix)).toBe(true);
    const before = await listed(owner);
    expect(before.totalCount).toBe(3);
    expect(JSON.stringify(before)).not.toContain(one.secret);
    await owner.graph(DELETE, { ids: [one.key.id] });
    expect((await listed(owner)).nodes.map(({ name }: { name: string }) => name)).toEqual(['two', 'test']);
  });

  it('work at once, and no more once they are deleted', async () => {
    const { db, owner } = await newWorld();
    const ctx = await owner.context();
    const [made] = await createApiKeys(ctx, { keys: [{ name: 'k' }] });
    const other = await owner.with(made?.secret as string);
    expect((await other.graph('{ viewer { id } }')).data.viewer.id).toBe(owner.id);
    await owner.graph(DELETE, { ids: [made?.key.id] });
    expect(codes((await other.graph('{ viewer { id } }')).errors)).toEqual(['UNAUTHENTICATED']);
    expect(
      await db.prisma.securityEvent.findMany({ where: { userId: owner.id }, orderBy: { id: 'asc' } }),
    ).toMatchObject([{ kind: 'api_key.created', data: { name: 'k' } }, { kind: 'api_key.revoked' }]);
  });

  it('are never stronger than what makes them', async () => {
    const { db, owner } = await newWorld();
    const end = soon();
    const { secret } = await issueApiKey(db.prisma, {
      userId: owner.id,
      name: 'weak',
      scopes: ['write'],
      expiresAt: end,
    });
    const weak = await owner.with(secret);
    const ask = async (key: object) =>
      codes((await weak.graph(CREATE, { keys: [{ name: 'k', ...key }] })).errors);
    expect(await ask({ scopes: ['read'] })).toEqual(['FORBIDDEN']);
    expect(await ask({ expiresAt: new Date(end.getTime() + 1) })).toEqual(['FORBIDDEN']);
    const { data } = await weak.graph(CREATE, { keys: [{ name: 'k' }] });
    expect(data.createApiKeys.created[0].key).toMatchObject({
      scopes: ['write'],
      expiresAt: end.toISOString(),
    });
  });

  it('are not managed by applications, whatever their scopes', async () => {
    const { owner } = await newWorld();
    const ctx = await owner.context();
    const application = { ...ctx, viewer: { ...ctx.viewer, credentialId: newId('Grant') } };
    await expect(async () => createApiKeys(application, { keys: [{ name: 'k' }] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it.each([
    [{ name: '' }, 'keys.0.name'],
    [{ name: 'k', scopes: [] }, 'keys.0.scopes'],
    [{ name: 'k', expiresAt: '2020-01-01T00:00:00Z' }, 'keys.0.expiresAt'],
  ])('refuse %j', async (key, at) => {
    const { owner } = await newWorld();
    const { errors } = await owner.graph(CREATE, { keys: [key] });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', at });
    expect((await listed(owner)).totalCount).toBe(1);
  });

  it('of other people are not found, and none of a batch is deleted then', async () => {
    const { owner, stranger } = await newWorld();
    const [mine, theirs] = [(await listed(owner)).nodes[0].id, (await listed(stranger)).nodes[0].id];
    expect(codes((await owner.graph(DELETE, { ids: [mine, theirs] })).errors)).toEqual(['NOT_FOUND']);
    expect([(await listed(owner)).totalCount, (await listed(stranger)).totalCount]).toEqual([1, 1]);
  });
});
