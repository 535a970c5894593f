import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import { createApiKeys } from '../../../../src/domain/oauth/api-key.ts';
import { newId } from '../../../../src/lib/id.ts';
import { newWorld, type Person } from '../../../support/world.ts';

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

describe('an API key that was made with another one', () => {
  const PARENTS = '{ viewer { apiKeys { nodes { id name parentId } } } }';

  /** An owner, and keys of theirs: each is made with the one before. */
  async function setUp(names: string[]) {
    const world = await newWorld();
    const made: { id: string; person: Person }[] = [];
    for (const name of names) {
      const ctx = await (made.at(-1)?.person ?? world.owner).context();
      const [{ key, secret }] = (await createApiKeys(ctx, { keys: [{ name }] })) as [Made];
      made.push({ id: key.id, person: await world.owner.with(secret) });
    }
    const works = ({ person }: { person: Person }) =>
      person.graph('{ viewer { id } }').then(({ errors }) => errors === undefined);
    return { ...world, made: made as [Key, Key, Key], works };
  }

  type Made = Awaited<ReturnType<typeof createApiKeys>>[number];
  type Key = { id: string; person: Person };

  it('ends with it, and so does what was made with that', async () => {
    const { db, owner, made, works } = await setUp(['first', 'second', 'third']);
    const [first, second, third] = made;
    const answer = await owner.graph(DELETE, { ids: [first.id] });
    expect(answer.data.deleteApiKeys.apiKeyIds).toEqual([first.id, second.id, third.id]);
    expect(await Promise.all(made.map(works))).toEqual([false, false, false]);
    expect((await owner.graph('{ viewer { id } }')).errors).toBeUndefined();
    const notes = await db.prisma.securityEvent.findMany({
      where: { userId: owner.id, kind: 'api_key.revoked' },
    });
    expect(notes.map(({ data }) => (data as { id: string }).id).sort()).toEqual(
      [first.id, second.id, third.id].sort(),
    );
  });

  it('ends alone, with what is below it, when it is deleted itself', async () => {
    const { owner, made, works } = await setUp(['first', 'second', 'third']);
    const [, second] = made;
    await owner.rest('DELETE', '/user/apiKeys', { IDs: [second.id] });
    expect(await Promise.all(made.map(works))).toEqual([true, false, false]);
  });

  it('names it; one that a person makes in a browser names none, and stays', async () => {
    const { db, owner, made, works } = await setUp(['first', 'second']);
    const [first, second] = made;
    const session = { ...(await owner.context()).viewer, credentialId: newId('SignIn') };
    const ctx = { ...(await owner.context()), viewer: session };
    const [{ key, secret }] = (await createApiKeys(ctx, { keys: [{ name: 'mine' }] })) as [Made];
    const { data } = await owner.graph(PARENTS);
    const parents = Object.fromEntries(
      data.viewer.apiKeys.nodes.map((node: { name: string; parentId: string }) => [node.name, node.parentId]),
    );
    const [test] = await db.prisma.apiKey.findMany({ where: { userId: owner.id, name: 'test' } });
    expect(parents).toEqual({ test: null, first: test?.id, second: first.id, mine: null });
    await owner.graph(DELETE, { ids: [test?.id] });
    const mine = { id: key.id, person: await owner.with(secret) };
    expect(await Promise.all([first, second, mine].map(works))).toEqual([false, false, true]);
  });

  it('is not deleted by who names a key of someone else above it', async () => {
    const { stranger, made, works } = await setUp(['first', 'second']);
    const answer = await stranger.graph(DELETE, { ids: [made[0].id] });
    expect(codes(answer.errors)).toEqual(['NOT_FOUND']);
    expect(await Promise.all(made.map(works))).toEqual([true, true]);
  });

  it('never outlives it, however creation and deletion race', async () => {
    const { db, owner, made } = await setUp(['first', 'second']);
    const [first, second] = made;
    const keys = [{ name: 'racing' }];
    const settled = await Promise.allSettled([
      ...Array.from({ length: 8 }, async () => createApiKeys(await second.person.context(), { keys })),
      owner.graph(DELETE, { ids: [first.id] }),
      ...Array.from({ length: 8 }, async () => createApiKeys(await second.person.context(), { keys })),
    ]);
    expect(settled.length).toBe(17);
    const where = { userId: owner.id, revokedAt: null };
    const alive = (await db.prisma.apiKey.findMany({ where })).map(({ name }) => name);
    expect(alive).toEqual(['test']);
  });

  it('is not made with a key that was deleted while the request was under way', async () => {
    const { owner, made } = await setUp(['first']);
    const ctx = await made[0].person.context();
    await owner.graph(DELETE, { ids: [made[0].id] });
    await expect(createApiKeys(ctx, { keys: [{ name: 'late' }] })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });
});
