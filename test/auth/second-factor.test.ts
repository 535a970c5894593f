import { describe, expect, it } from 'vitest';
import { completeSignIn } from '../../src/auth/complete-sign-in.ts';
import { completeWithCode, type TypedCode } from '../../src/auth/second-factor.ts';
import type { FirstFactor } from '../../src/auth/session.ts';
import { signIn } from '../../src/auth/sign-in.ts';
import type { Database } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { setPassword } from '../../src/domain/accounts/password.ts';
import { type Account, newAccount } from '../support/browser.ts';
import { secondPool, testDatabase } from '../support/database.ts';
import { signInService, withApp } from '../support/factors.ts';

type Service = Awaited<ReturnType<typeof signInService>>;

const visitor = { address: '192.0.2.1', userAgent: 'test' };

async function scene() {
  const db = await testDatabase();
  const account = await newAccount(db);
  const app = await withApp(db, account);
  const service = await signInService(db);
  const pendingOf = async (method: FirstFactor = 'password') => {
    const result = await completeSignIn(service, { userId: account.id, method, ...visitor });
    if (!('pending' in result)) throw new Error('nothing is pending');
    return result.pending;
  };
  const complete = (pending: string, code: TypedCode, on = service) =>
    completeWithCode(on, { pending, ...code, ...visitor });
  return { db, account, app, service, pendingOf, complete };
}

const code = (text: string): TypedCode => ({ kind: 'code', text });
const recovery = (text: string): TypedCode => ({ kind: 'recoveryCode', text });

const signInsOf = (db: Database, { id: userId }: Account) => db.prisma.signIn.findMany({ where: { userId } });

/** Counts no wrong codes. */
const unlimited = (service: Service): Service => ({
  ...service,
  codeRateLimiter: { ...service.codeRateLimiter, take: async () => 0 },
  dailyCodeRateLimiter: { ...service.dailyCodeRateLimiter, take: async () => 0 },
});

const winners = (results: object[]) => results.filter((each) => 'secret' in each).length;

describe('an account with a second factor', () => {
  it('has no session by its password or an identity provider alone, by a passkey it has', async () => {
    const { db, account, service, pendingOf } = await scene();
    const { email, password } = account;
    expect(await signIn(service, { email, password, ...visitor })).toEqual({
      pending: expect.stringMatching(/^dgi_/),
    });
    await pendingOf('oidc');
    expect(await signInsOf(db, account)).toEqual([]);
    const proof = { userId: account.id, method: 'passkey' as const, ...visitor };
    expect(await completeSignIn(service, proof)).toHaveProperty('secret');
  });

  it('is opened by the code of its app as well, once; its sign-in names both', async () => {
    const { db, account, app, pendingOf, complete } = await scene();
    const text = await app.code();
    expect(await complete(await pendingOf(), code(text))).toHaveProperty('secret');
    expect((await signInsOf(db, account)).map(({ methods }) => methods)).toEqual([['password', 'code']]);
    expect(await complete(await pendingOf(), code(text))).toEqual({ wrong: true });
    expect(await complete(await pendingOf(), code(await app.code(1)))).toHaveProperty('secret');
    expect(await complete(await pendingOf(), code(text))).toEqual({ wrong: true });
  });

  it('takes no code of the past or future, of another account, or of nothing', async () => {
    const { db, app, pendingOf, complete } = await scene();
    const other = await withApp(db, await newAccount(db));
    const texts = [await app.code(-3), await app.code(4), await other.code(), ''];
    for (const text of texts) expect(await complete(await pendingOf(), code(text))).toEqual({ wrong: true });
  });

  it('takes each recovery code once, however it is typed', async () => {
    const { db, app, account, pendingOf, complete } = await scene();
    const [first = '', second = ''] = app.recoveryCodes;
    expect(new Set(app.recoveryCodes).size).toBe(10);
    expect(await complete(await pendingOf(), recovery(first))).toHaveProperty('secret');
    expect(await complete(await pendingOf(), recovery(first))).toEqual({ wrong: true });
    const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
    expect(await complete(await pendingOf(), recovery(typed))).toHaveProperty('secret');
    const stranger = await withApp(db, await newAccount(db));
    const [foreign = ''] = stranger.recoveryCodes;
    expect(await complete(await pendingOf(), recovery(foreign))).toEqual({ wrong: true });
    const mails = await db.prisma.mail.findMany({ where: { toUserId: account.id } });
    expect(mails.map(({ kind, data }) => [kind, (data as { left?: number }).left])).toEqual([
      ['SECOND_FACTOR_CHANGED', undefined],
      ['SECOND_FACTOR_CHANGED', 9],
      ['SECOND_FACTOR_CHANGED', 8],
    ]);
  });

  it('may be tried with five wrong codes in five minutes, over all its pending sign-ins', async () => {
    const { app, pendingOf, complete } = await scene();
    for (let index = 0; index < 5; index++)
      expect(await complete(await pendingOf(), code('000000'))).toEqual({ wrong: true });
    expect(await complete(await pendingOf(), code(await app.code()))).toEqual({ wait: expect.any(Number) });
    expect(await complete(await pendingOf(), recovery(app.recoveryCodes[0] as string))).toHaveProperty(
      'wait',
    );
  });
});

describe('wrong codes', () => {
  it('of many accounts make their network wait, and no other one', async () => {
    const { db, service } = await scene();
    const attempt = async (address: string) => {
      const account = await newAccount(db);
      const app = await withApp(db, account);
      const from = { address, userAgent: 'test' };
      const result = await completeSignIn(service, { userId: account.id, method: 'password', ...from });
      const pending = 'pending' in result ? result.pending : '';
      const enter = (typed: TypedCode) => completeWithCode(service, { pending, ...typed, ...from });
      return { app, enter };
    };
    for (let index = 0; index < 6; index++) {
      const { enter } = await attempt('2001:db8::1');
      for (let turn = 0; turn < 5; turn++) expect(await enter(code('000000'))).toEqual({ wrong: true });
    }
    const same = await attempt('2001:db8::2');
    expect(await same.enter(code(await same.app.code()))).toEqual({ wait: expect.any(Number) });
    const elsewhere = await attempt('2001:db8:1::1');
    expect(await elsewhere.enter(code(await elsewhere.app.code()))).toHaveProperty('secret');
  });

  it('of one account are limited to a hundred in a day, from all networks together', async () => {
    const { app, service, pendingOf } = await scene();
    const patient = { ...service, codeRateLimiter: unlimited(service).codeRateLimiter };
    const pending = await pendingOf();
    const enter = (typed: TypedCode, network: number) =>
      completeWithCode(patient, { pending, ...typed, address: `192.0.2.${network}`, userAgent: 'test' });
    for (let turn = 0; turn < 100; turn++) expect(await enter(code('000000'), turn)).toEqual({ wrong: true });
    expect(await enter(code(await app.code()), 200)).toEqual({ wait: expect.any(Number) });
  });
});

describe('a pending sign-in', () => {
  it('ends with ten minutes, its use, a new password, and the account', async () => {
    const { db, account, app, pendingOf, complete } = await scene();
    const late = await pendingOf();
    await db.prisma.pendingSignIn.updateMany({
      where: { userId: account.id },
      data: { expiresAt: new Date() },
    });
    expect(await complete(late, code(await app.code()))).toEqual({ ended: true });
    const reset = await pendingOf();
    const change = { userId: account.id, email: account.email, passwordHash: 'x', ipAddress: null };
    await inTransaction(db, (tx) => setPassword(tx, { ...change, kind: 'password.reset' }));
    expect(await complete(reset, code(await app.code()))).toEqual({ ended: true });
    const used = await pendingOf();
    expect(await complete(used, code(await app.code()))).toHaveProperty('secret');
    expect(await complete(used, code(await app.code(1)))).toEqual({ ended: true });
    const disabled = await pendingOf();
    await db.prisma.user.update({ where: { id: account.id }, data: { disabledAt: new Date() } });
    expect(await complete(disabled, code(await app.code(1)))).toEqual({ ended: true });
  });

  it('is stored without its secret', async () => {
    const { db, account, pendingOf } = await scene();
    const pending = await pendingOf();
    const rows = await db.prisma.pendingSignIn.findMany({ where: { userId: account.id } });
    expect(JSON.stringify(rows)).not.toContain(pending.slice(4));
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('over two processes, of 20 attempts at once', () => {
  async function race(codeOf: (app: Awaited<ReturnType<typeof withApp>>) => Promise<TypedCode>) {
    const { app, service, pendingOf, complete } = await scene();
    const other = await secondPool();
    const services = [unlimited(service), { ...unlimited(service), db: other }];
    const pendings = await Promise.all(Array.from({ length: 20 }, () => pendingOf()));
    const typed = await codeOf(app);
    const results = await Promise.all(
      pendings.map((pending, index) => complete(pending, typed, services[index % services.length])),
    );
    await other.close();
    return results;
  }

  it('one wins with a code of the app', async () => {
    expect(winners(await race(async (app) => code(await app.code())))).toBe(1);
  });

  it('one wins with a recovery code', async () => {
    expect(winners(await race(async (app) => recovery(app.recoveryCodes[0] as string)))).toBe(1);
  });

  it('one wins with different codes for one pending sign-in, and the others stay usable', async () => {
    const { app, db, account, service, pendingOf, complete } = await scene();
    const pending = await pendingOf();
    const results = await Promise.all(
      app.recoveryCodes.map((each) => complete(pending, recovery(each), unlimited(service))),
    );
    expect(winners(results)).toBe(1);
    expect(await db.prisma.recoveryCode.count({ where: { userId: account.id, usedAt: null } })).toBe(9);
  });
});
