import { describe, expect, it } from 'vitest';
import { bearerOf, viewerOfBearer, viewerOfSignIn } from '../../src/auth/bearer.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { counted, testDatabase } from '../support/database.ts';
import { newWorld, type Person } from '../support/world.ts';

describe('the bearer of a header (RFC 6750 §2.1)', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['Bearer aZ0-._~+/=', 'aZ0-._~+/='],
    ['bearer  abc  ', 'abc'],
    ['Basic abc', ''],
    ['Bearer', ''],
    ['Bearer ', ''],
    ['Bearerabc', ''],
    ['Bearer a b', ''],
    ['Bearer a,b', ''],
    ['Bearer ž', ''],
    ['x Bearer abc', ''],
  ])('of %j is %j', (header, bearer) => {
    expect(bearerOf(header)).toBe(bearer);
  });
});

describe('a credential', () => {
  it.each([
    ['100 characters long', `dgk_${'x'.repeat(96)}`, 1],
    ['longer', `dgk_${'x'.repeat(97)}`, 0],
    ['a longer token', `dga_${'x'.repeat(97)}`, 0],
    ['a JWT of 2,000 characters', `eyJ${'x'.repeat(1_997)}`, 1],
    ['a longer JWT', `eyJ${'x'.repeat(1_998)}`, 0],
    ['a refresh token', 'dgr_x', 0],
    ['the cookie of a sign-in', 'dgs_x', 0],
    ['another text with a known prefix', 'xdgk_', 0],
    ['nothing', '', 0],
  ])('that is %s is looked up only if its format is valid', async (_, secret, isLookedUp) => {
    const db = await testDatabase();
    const { result, statements } = await counted(() => viewerOfBearer(db, secret));
    expect([result, statements.length]).toEqual([undefined, isLookedUp]);
  });

  it('is looked up once for concurrent requests, and again for later ones', async () => {
    const { db, owner, stranger } = await newWorld();
    const all = [owner, stranger, owner, owner];
    for (const { key } of all) await viewerOfBearer(db, key);
    const { result, statements } = await counted(() =>
      Promise.all(all.map(({ key }) => viewerOfBearer(db, key))),
    );
    expect(result.map((viewer) => viewer?.userId)).toEqual(all.map(({ id }) => id));
    expect(statements).toHaveLength(2);
    await db.prisma.apiKey.updateMany({ where: { userId: owner.id }, data: { revokedAt: new Date() } });
    expect(await viewerOfBearer(db, owner.key)).toBeUndefined();
  });

  it('of one interface is not accepted by the other', async () => {
    const { db, owner } = await newWorld();
    expect((await viewerOfBearer(db, owner.key))?.userId).toBe(owner.id);
    expect(await viewerOfSignIn(db, owner.key)).toBeUndefined();
  });
});

describe('an API key', () => {
  it('stores when it was last used, to the minute', async () => {
    const { db, owner, stranger } = await newWorld();
    const its = ({ id }: Person) => ({ where: { userId: id } });
    const last = async (person: Person) => (await db.prisma.apiKey.findFirstOrThrow(its(person))).lastUsedAt;
    const use = async (lastUsedAt: Date | null) => {
      for (const each of [owner, stranger])
        await db.prisma.apiKey.updateMany({ ...its(each), data: { lastUsedAt } });
      await viewerOfBearer(db, owner.key);
      return [await last(owner), await last(stranger)];
    };
    const [lately, long] = [new Date(Date.now() - MINUTE / 2), new Date(Date.now() - MINUTE - 1)];
    expect(await use(lately)).toEqual([lately, lately]);
    for (const before of [long, null]) {
      const [mine, theirs] = await use(before);
      expect(mine?.getTime()).toBeGreaterThan(lately.getTime());
      expect(theirs).toEqual(before);
    }
  });
});
