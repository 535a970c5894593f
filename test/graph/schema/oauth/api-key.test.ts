import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import { sql } from '../../../../src/db/sql/sql.ts';
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
  it('are created with a secret that is shown once, listed without it, and removed when deleted', async () => {
    const { owner } = await newWorld();
    const { data } = await owner.graph(CREATE, {
      keys: [{ name: 'one' }, { name: 'two', scopes: ['READ'] }],
    });
    const [one, two] = data.createApiKeys.created;
    expect([one.key.scopes, two.key.scopes]).toEqual([['READ', 'WRITE'], ['READ']]);
    expect(one.secret.startsWith(one.key.prefix)).toBe(true);
    const before = await listed(owner);
    expect(before.totalCount).toBe(3);
    expect(JSON.stringify(before)).not.toContain(one.secret);
    await owner.graph(DELETE, { ids: [one.key.id] });
    expect((await listed(owner)).nodes.map(({ name }: { name: string }) => name)).toEqual(['two', 'test']);
  });

  it('are valid immediately, and invalid once deleted', async () => {
    const { db, owner } = await newWorld();
    const ctx = await owner.context();
    const [created] = await createApiKeys(ctx, { keys: [{ name: 'k' }] });
    const other = await owner.with(created?.secret as string);
    expect((await other.graph('{ viewer { user { id } } }')).data.viewer.user.id).toBe(owner.id);
    await owner.graph(DELETE, { ids: [created?.key.id] });
    expect(codes((await other.graph('{ viewer { user { id } } }')).errors)).toEqual(['UNAUTHENTICATED']);
    expect(
      await db.prisma.securityEvent.findMany({ where: { userId: owner.id }, orderBy: { id: 'asc' } }),
    ).toMatchObject([{ kind: 'api_key.created', data: { name: 'k' } }, { kind: 'api_key.revoked' }]);
  });

  it('never have more rights than the credential that creates them', async () => {
    const { db, owner } = await newWorld();
    const end = soon();
    const { secret } = await issueApiKey(db.prisma, {
      userId: owner.id,
      name: 'weak',
      scopes: ['write'],
      expiresAt: end,
    });
    const weak = await owner.with(secret);
    const createKey = async (key: object) =>
      codes((await weak.graph(CREATE, { keys: [{ name: 'k', ...key }] })).errors);
    expect(await createKey({ scopes: ['READ'] })).toEqual(['FORBIDDEN']);
    expect(await createKey({ expiresAt: new Date(end.getTime() + 1) })).toEqual(['FORBIDDEN']);
    const { data } = await weak.graph(CREATE, { keys: [{ name: 'k' }] });
    expect(data.createApiKeys.created[0].key).toMatchObject({
      scopes: ['WRITE'],
      expiresAt: end.toISOString(),
    });
  });

  it('say whether they have expired, by the clock of the database', async () => {
    const { db, owner } = await newWorld();
    const { data } = await owner.graph(CREATE, {
      keys: [
        { name: 'past', expiresAt: soon() },
        { name: 'future', expiresAt: soon() },
      ],
    });
    const [past] = data.createApiKeys.created;
    await db.query(sql`UPDATE api_keys SET expires_at = now() WHERE id = ${past.key.id}`);
    const keys = (await owner.graph('{ viewer { apiKeys { nodes { name isExpired } } } }')).data.viewer
      .apiKeys;
    expect(keys.nodes).toEqual([
      { name: 'future', isExpired: false },
      { name: 'past', isExpired: true },
      { name: 'test', isExpired: false },
    ]);
  });

  it('cannot be managed by applications, whatever their scopes', async () => {
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

  it('of other people are not found, and then none of the batch is deleted', async () => {
    const { owner, stranger } = await newWorld();
    const [mine, theirs] = [(await listed(owner)).nodes[0].id, (await listed(stranger)).nodes[0].id];
    expect(codes((await owner.graph(DELETE, { ids: [mine, theirs] })).errors)).toEqual(['NOT_FOUND']);
    expect([(await listed(owner)).totalCount, (await listed(stranger)).totalCount]).toEqual([1, 1]);
  });
});

describe('an API key that was created with another key', () => {
  const PARENTS = '{ viewer { apiKeys { nodes { id name parentId } } } }';

  /** An owner and their keys, each created with the previous one. */
  async function setUp(names: string[]) {
    const world = await newWorld();
    const created: { id: string; person: Person }[] = [];
    for (const name of names) {
      const ctx = await (created.at(-1)?.person ?? world.owner).context();
      const [{ key, secret }] = (await createApiKeys(ctx, { keys: [{ name }] })) as [Made];
      created.push({ id: key.id, person: await world.owner.with(secret) });
    }
    const isValid = ({ person }: { person: Person }) =>
      person.graph('{ viewer { user { id } } }').then(({ errors }) => errors === undefined);
    return { ...world, created: created as [Key, Key, Key], isValid };
  }

  type Made = Awaited<ReturnType<typeof createApiKeys>>[number];
  type Key = { id: string; person: Person };

  it('is revoked with that key, and so are its own descendants', async () => {
    const { db, owner, created, isValid } = await setUp(['first', 'second', 'third']);
    const [first, second, third] = created;
    const answer = await owner.graph(DELETE, { ids: [first.id] });
    expect(answer.data.deleteApiKeys.apiKeyIds).toEqual([first.id, second.id, third.id]);
    expect(await Promise.all(created.map(isValid))).toEqual([false, false, false]);
    expect((await owner.graph('{ viewer { user { id } } }')).errors).toBeUndefined();
    const notes = await db.prisma.securityEvent.findMany({
      where: { userId: owner.id, kind: 'api_key.revoked' },
    });
    expect(notes.map(({ data }) => (data as { id: string }).id).sort()).toEqual(
      [first.id, second.id, third.id].sort(),
    );
  });

  it('is revoked with its descendants only, when it is deleted itself', async () => {
    const { owner, created, isValid } = await setUp(['first', 'second', 'third']);
    const [, second] = created;
    await owner.rest('DELETE', '/user/apiKeys', { IDs: [second.id] });
    expect(await Promise.all(created.map(isValid))).toEqual([true, false, false]);
  });

  it('has it as parent; a key created in a browser session has none, and stays', async () => {
    const { db, owner, created, isValid } = await setUp(['first', 'second']);
    const [first, second] = created;
    const signIn = { id: newId('SignIn'), secretHash: randomBytes(32), userId: owner.id, expiresAt: soon() };
    await db.prisma.signIn.create({ data: { ...signIn, userAgent: '', ipAddress: '' } });
    const session = { ...(await owner.context()).viewer, credentialId: signIn.id };
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
    expect(await Promise.all([first, second, mine].map(isValid))).toEqual([false, false, true]);
  });

  it('is not deleted by a stranger who deletes its parent', async () => {
    const { stranger, created, isValid } = await setUp(['first', 'second']);
    const answer = await stranger.graph(DELETE, { ids: [created[0].id] });
    expect(codes(answer.errors)).toEqual(['NOT_FOUND']);
    expect(await Promise.all(created.map(isValid))).toEqual([true, true]);
  });

  it('never outlives that key, also when creation and deletion race', async () => {
    const { db, owner, created } = await setUp(['first', 'second']);
    const [first, second] = created;
    const keys = [{ name: 'racing' }];
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 8 }, async () => createApiKeys(await second.person.context(), { keys })),
      owner.graph(DELETE, { ids: [first.id] }),
      ...Array.from({ length: 8 }, async () => createApiKeys(await second.person.context(), { keys })),
    ]);
    expect(outcomes.length).toBe(17);
    const where = { userId: owner.id, revokedAt: null };
    const valid = (await db.prisma.apiKey.findMany({ where })).map(({ name }) => name);
    expect(valid).toEqual(['test']);
  });

  it('is not created with a key that was deleted during the request', async () => {
    const { owner, created } = await setUp(['first']);
    const ctx = await created[0].person.context();
    await owner.graph(DELETE, { ids: [created[0].id] });
    await expect(createApiKeys(ctx, { keys: [{ name: 'late' }] })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });
});
