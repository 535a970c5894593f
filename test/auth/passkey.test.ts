import { describe, expect, it } from 'vitest';
import { completeSignIn } from '../../src/auth/complete-sign-in.ts';
import { creationOptions, requestOptions, verifyCreated } from '../../src/auth/passkey.ts';
import { completeWithPasskey, signInWithPasskey } from '../../src/auth/passkey-sign-in.ts';
import type { Database } from '../../src/db/database.ts';
import { addPasskey } from '../../src/domain/accounts/passkey.ts';
import { newId } from '../../src/lib/id.ts';
import { newSecret } from '../../src/lib/secret.ts';
import { Authenticator, type Deviation } from '../support/authenticator.ts';
import { newAccount, ORIGIN } from '../support/browser.ts';
import { secondPool, testDatabase } from '../support/database.ts';
import { signInService } from '../support/factors.ts';

const visitor = { address: '192.0.2.1', userAgent: 'test' };

async function scene() {
  const db = await testDatabase();
  const account = await newAccount(db);
  const service = { ...(await signInService(db)), publicUrl: ORIGIN };
  const signInId = newId('SignIn');
  const authenticator = new Authenticator(ORIGIN);
  const user = { userId: account.id, email: account.email, name: 'Ada', signInId };
  const add = async (device = authenticator, deviation: Deviation = {}) => {
    const answer = device.create(await creationOptions(service, user), deviation);
    const created = await verifyCreated(service, answer, signInId);
    if (!created) return undefined;
    const { challenge, ...credential } = created;
    const passkey = { ...credential, userId: account.id, signInId, ipAddress: null, name: 'Phone' };
    return addPasskey(db, challenge, passkey);
  };
  const browser = newSecret('dgi_');
  const signIn = async (deviation: Deviation = {}, from = browser) => {
    const options = await requestOptions(service, { purpose: 'SIGN_IN', boundTo: browser });
    return signInWithPasskey(service, {
      browser: from,
      answer: authenticator.get(options, deviation),
      ...visitor,
    });
  };
  const pendingOf = async () => {
    const result = await completeSignIn(service, { userId: account.id, method: 'password', ...visitor });
    return 'pending' in result ? result.pending : '';
  };
  return { db, account, service, authenticator, user, signInId, add, browser, signIn, pendingOf };
}

const methodsOf = async (db: Database, userId: string) =>
  (await db.prisma.signIn.findMany({ where: { userId }, orderBy: { id: 'asc' } })).map(
    ({ methods }) => methods,
  );

const REFUSED = { refused: true };

describe('a passkey', () => {
  it('is added with recovery codes, and signs its owner in without a password', async () => {
    const { db, account, add, signIn } = await scene();
    expect(await add()).toEqual({ recoveryCodes: expect.objectContaining({ length: 10 }) });
    expect(await signIn()).toEqual({ secret: expect.stringMatching(/^dgs_/) });
    expect(await methodsOf(db, account.id)).toEqual([['passkey']]);
    const [row] = await db.prisma.passkey.findMany({ where: { userId: account.id } });
    expect([row?.name, row?.transports, row?.relyingPartyId]).toEqual([
      'Phone',
      ['internal'],
      'docgraph.test',
    ]);
    expect(row?.lastUsedAt).not.toBeNull();
  });

  it('is asked for after the password, and completes a pending sign-in of its owner alone', async () => {
    const { db, account, service, authenticator, add, pendingOf } = await scene();
    await add();
    const pending = await pendingOf();
    const use = { purpose: 'SECOND_FACTOR', boundTo: pending } as const;
    const options = await requestOptions(service, use, account.id);
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([authenticator.id]);
    const answer = authenticator.get(options, { isVerified: false });
    expect(await completeWithPasskey(service, { pending, answer, ...visitor })).toHaveProperty('secret');
    expect(await methodsOf(db, account.id)).toEqual([['password', 'passkey']]);
    const other = await scene();
    await other.add();
    const theirs = await other.pendingOf();
    const foreign = await requestOptions(service, { purpose: 'SECOND_FACTOR', boundTo: theirs });
    const wrong = { pending: theirs, answer: authenticator.get(foreign), ...visitor };
    expect(await completeWithPasskey(service, wrong)).toEqual(REFUSED);
  });

  it.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['a subdomain', { origin: 'http://evil.docgraph.test' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a challenge that was not given', { challenge: 'x'.repeat(43) }],
  ])('is neither added nor used with %s', async (_, deviation) => {
    const { add, signIn } = await scene();
    expect(await add(undefined, deviation)).toBeUndefined();
    await add();
    expect(await signIn(deviation)).toEqual(REFUSED);
    expect(await signIn()).toHaveProperty('secret');
  });

  it('does not sign in alone without verifying the person, with a counter that went back, or for another user', async () => {
    const { add, signIn } = await scene();
    await add();
    expect(await signIn({ isVerified: false })).toEqual(REFUSED);
    expect(await signIn({ counter: 5 })).toHaveProperty('secret');
    expect(await signIn({ counter: 5 })).toEqual(REFUSED);
    expect(await signIn({ counter: 4 })).toEqual(REFUSED);
    expect(await signIn({ counter: 9, userHandle: 'AAAA' })).toEqual(REFUSED);
    expect(await signIn({ counter: 9, userHandle: '' })).toEqual(REFUSED);
    expect(await signIn({ counter: 9 })).toHaveProperty('secret');
  });

  it('that is synced counts nothing', async () => {
    const { add, signIn } = await scene();
    await add(undefined, { counter: 0 });
    for (let index = 0; index < 3; index++) expect(await signIn({ counter: 0 })).toHaveProperty('secret');
  });

  it('answers a challenge once, within five minutes, in the browser and for the purpose it was given for', async () => {
    const { db, service, authenticator, add, browser, signIn } = await scene();
    await add();
    const use = { purpose: 'SIGN_IN', boundTo: browser } as const;
    const answer = authenticator.get(await requestOptions(service, use));
    expect(await signInWithPasskey(service, { browser, answer, ...visitor })).toHaveProperty('secret');
    expect(await signInWithPasskey(service, { browser, answer, ...visitor })).toEqual(REFUSED);
    expect(await signIn({}, newSecret('dgi_'))).toEqual(REFUSED);
    const confirm = await requestOptions(service, { purpose: 'CONFIRM', boundTo: browser });
    const misused = { browser, answer: authenticator.get(confirm), ...visitor };
    expect(await signInWithPasskey(service, misused)).toEqual(REFUSED);
    const late = authenticator.get(await requestOptions(service, use));
    await db.prisma.passkeyChallenge.updateMany({ data: { expiresAt: new Date(0) } });
    expect(await signInWithPasskey(service, { browser, answer: late, ...visitor })).toEqual(REFUSED);
  });

  it('is not used by a disabled account, nor with an answer that is no JSON or of nothing', async () => {
    const { db, account, service, add, browser, signIn } = await scene();
    await add();
    for (const answer of [
      '',
      'null',
      '{}',
      '{"id":1}',
      '{"id":"a","response":{"clientDataJSON":"e30"}}',
      '[',
    ])
      expect(await signInWithPasskey(service, { browser, answer, ...visitor })).toEqual(REFUSED);
    await db.prisma.user.update({ where: { id: account.id }, data: { disabledAt: new Date() } });
    expect(await signIn()).toEqual(REFUSED);
  });

  it('belongs to one account; an account has at most 20, and excludes those it has', async () => {
    const { account, service, authenticator, user, add } = await scene();
    await add();
    expect(await add()).toEqual({ exists: true });
    for (let index = 1; index < 20; index++) await add(new Authenticator(ORIGIN));
    expect(await add(new Authenticator(ORIGIN))).toEqual({ full: true });
    const { excludeCredentials, user: handle } = await creationOptions(service, user);
    expect(excludeCredentials).toHaveLength(20);
    expect(excludeCredentials?.[0]?.id).toBe(authenticator.id);
    expect(Buffer.from(handle.id, 'base64url')).toHaveLength(32);
    expect(Buffer.from(handle.id, 'base64url').toString()).not.toContain(account.id);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('over two processes', () => {
  it('one of 20 answers to one challenge at once wins', async () => {
    const { service, authenticator, add, browser } = await scene();
    await add();
    const other = await secondPool();
    const services = [service, { ...service, db: other }];
    const options = await requestOptions(service, { purpose: 'SIGN_IN', boundTo: browser });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        signInWithPasskey(services[index % 2] as typeof service, {
          ...{ browser, answer: authenticator.get(options) },
          ...visitor,
        }),
      ),
    );
    await other.close();
    expect(results.filter((each) => 'secret' in each)).toHaveLength(1);
  });
});
