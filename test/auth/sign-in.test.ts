import { describe, expect, it } from 'vitest';
import { memoryRateLimiter } from '../../src/auth/rate-limiter.ts';
import { sessionOfRequest, signOut } from '../../src/auth/session.ts';
import { sessionCookie } from '../../src/auth/session-cookie.ts';
import { type SignInService, signIn } from '../../src/auth/sign-in.ts';
import type { Database } from '../../src/db/database.ts';
import { typeOfId } from '../../src/lib/id.ts';
import { type Account, newAccount } from '../support/browser.ts';
import { counted, testDatabase } from '../support/database.ts';
import { config } from '../support/world.ts';

const cookie = sessionCookie('http://docgraph.test');

const deskOf = (db: Database, limits: Partial<SignInService['limits']> = {}): SignInService => ({
  db,
  rateLimiter: memoryRateLimiter({ window: 900_000 }),
  limits: { ...config.limits, ...limits },
});

const attempt = (account: Account, change: { password?: string; address?: string; email?: string } = {}) => ({
  email: account.email,
  password: account.password,
  address: '192.0.2.1',
  userAgent: 'test',
  ...change,
});

const wrong = (account: Account, address = '192.0.2.1') => attempt(account, { password: 'wrong', address });

async function secretOf(signIns: SignInService, account: Account, address = '192.0.2.1'): Promise<string> {
  const result = await signIn(signIns, attempt(account, { address }));
  if (!('secret' in result)) throw new Error('not signed in');
  return result.secret;
}

const viewerBehind = (db: Database, secret: string) =>
  sessionOfRequest(db, cookie, new Headers({ cookie: `${cookie.name}=${secret}` }));

describe('signing in', () => {
  it('returns a new secret each time, stores only its hash, and records a security event', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    const signIns = deskOf(db);
    const secrets = [await secretOf(signIns, account), await secretOf(signIns, account)];
    expect(new Set(secrets).size).toBe(2);
    const rows = await db.prisma.signIn.findMany({ where: { userId: account.id } });
    expect(rows.map(({ id, ipAddress, userAgent }) => [typeOfId(id), ipAddress, userAgent])).toEqual([
      ['SignIn', '192.0.2.1', 'test'],
      ['SignIn', '192.0.2.1', 'test'],
    ]);
    expect(JSON.stringify(rows)).not.toContain(secrets[0]?.slice(4));
    const noted = await db.prisma.securityEvent.findMany({ where: { userId: account.id } });
    expect(noted.map(({ id, kind }) => [typeOfId(id), kind])).toEqual([
      ['SecurityEvent', 'signIn.begun'],
      ['SecurityEvent', 'signIn.begun'],
    ]);
    expect((await viewerBehind(db, secrets[1] as string))?.viewer.userId).toBe(account.id);
  });

  it('stores the first 500 characters of the User-Agent', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    await signIn(deskOf(db), { ...attempt(account), userAgent: 'x'.repeat(501) });
    const row = await db.prisma.signIn.findFirstOrThrow({ where: { userId: account.id } });
    expect(row.userAgent).toBe('x'.repeat(500));
  });

  it('answers equally to a wrong password, an unknown account, one without a password, and a disabled one', async () => {
    const db = await testDatabase();
    const [account, bare, off] = [await newAccount(db), await newAccount(db), await newAccount(db)];
    await db.prisma.user.update({ where: { id: bare.id }, data: { passwordHash: null } });
    await db.prisma.user.update({ where: { id: off.id }, data: { disabledAt: new Date() } });
    const signIns = deskOf(db);
    const tries = [
      wrong(account),
      attempt(account, { email: 'nobody@example.test' }),
      attempt(bare),
      attempt(off),
    ];
    for (const each of tries) {
      const { result, statements } = await counted(() => signIn(signIns, each));
      expect([result, statements.length]).toEqual([{ wrong: true }, 1]);
    }
  });

  it('ends after its lifetime, when it is revoked, and when the person is disabled', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    const signIns = deskOf(db);
    const [old, ended, live] = [
      await secretOf(deskOf(db, { signIn: -1 }), account),
      await secretOf(signIns, account),
      await secretOf(signIns, account),
    ];
    await signOut(db, ended);
    await signOut(db, ended);
    const users = async () =>
      Promise.all([old, ended, live].map(async (each) => (await viewerBehind(db, each))?.viewer.userId));
    expect(await users()).toEqual([undefined, undefined, account.id]);
    const noted = await db.prisma.securityEvent.findMany({
      where: { userId: account.id, kind: 'signIn.ended' },
    });
    expect(noted).toHaveLength(1);
    await db.prisma.user.update({ where: { id: account.id }, data: { disabledAt: new Date() } });
    expect(await users()).toEqual([undefined, undefined, undefined]);
  });

  it('is not accepted as a bearer token, nor an API key as a sign-in', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    expect(await viewerBehind(db, account.key)).toBeUndefined();
    expect(await viewerBehind(db, 'dgs_unknown')).toBeUndefined();
    expect(await viewerBehind(db, '')).toBeUndefined();
  });
});

describe('attempts to sign in', () => {
  it('are counted by account and network, also when they are concurrent', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    const signIns = deskOf(db, { signInTries: 3 });
    const results = await Promise.all(Array.from({ length: 6 }, () => signIn(signIns, wrong(account))));
    expect(results.filter((each) => 'wrong' in each)).toHaveLength(3);
    expect(await signIn(signIns, attempt(account))).toEqual({ wait: expect.any(Number) });
    expect(await signIn(signIns, attempt(account, { address: '192.0.2.2' }))).toHaveProperty('secret');
  });

  it('are counted by network over all accounts, an IPv6 network being a /64', async () => {
    const db = await testDatabase();
    const signIns = deskOf(db, { signInTriesAddress: 2 });
    const account = await newAccount(db);
    const at = (address: string, email: string) => signIn(signIns, attempt(account, { address, email }));
    expect(await at('2001:db8::1', 'a@example.test')).toEqual({ wrong: true });
    expect(await at('2001:db8::2', 'b@example.test')).toEqual({ wrong: true });
    expect(await at('2001:db8::3', account.email)).toHaveProperty('wait');
    expect(await at('2001:db8:0:1::1', account.email)).toHaveProperty('secret');
  });

  it('are not counted if the password was right', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    const signIns = deskOf(db, { signInTries: 2, signInTriesAddress: 2, signInTriesAccount: 2 });
    for (let each = 0; each < 5; each++) await secretOf(signIns, account);
    expect(await signIn(signIns, wrong(account))).toEqual({ wrong: true });
    expect(await secretOf(signIns, account)).toMatch(/^dgs_/);
  });

  it('that are refused do not count against other people', async () => {
    const db = await testDatabase();
    const [account, neighbour] = [await newAccount(db), await newAccount(db)];
    const signIns = deskOf(db, { signInTries: 2, signInTriesAddress: 4 });
    for (let each = 0; each < 20; each++) await signIn(signIns, wrong(account));
    expect(await signIn(signIns, wrong(neighbour))).toEqual({ wrong: true });
    expect(await secretOf(signIns, neighbour)).toMatch(/^dgs_/);
  });

  it('of strangers from everywhere delay new networks, but never one from which the owner has signed in', async () => {
    const db = await testDatabase();
    const [account, neighbour] = [await newAccount(db), await newAccount(db)];
    const signIns = deskOf(db, { signInTriesAccount: 4 });
    await secretOf(signIns, account, '198.51.100.1');
    for (let each = 0; each < 6; each++) await signIn(signIns, wrong(account, `203.0.113.${each}`));
    expect(await signIn(signIns, attempt(account, { address: '198.51.100.2' }))).toHaveProperty('wait');
    expect(await signIn(signIns, attempt(account, { address: '198.51.100.1' }))).toHaveProperty('secret');
    expect(await signIn(signIns, attempt(neighbour, { address: '198.51.100.2' }))).toHaveProperty('secret');
  });

  it('at an unknown account are limited like those at an existing one', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    const [here, nowhere] = [account.email, 'nobody-at-all@example.test'].map(async (email) => {
      const signIns = deskOf(db, { signInTries: 2, signInTriesAccount: 3 });
      const outcomes: string[] = [];
      for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3'])
        outcomes.push(
          ...Object.keys(await signIn(signIns, attempt(account, { email, password: 'x', address }))),
        );
      return outcomes;
    });
    expect(await here).toEqual(['wrong', 'wrong', 'wait', 'wrong', 'wait']);
    expect(await nowhere).toEqual(await here);
  });
});
