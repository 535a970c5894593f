import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/db/database.ts';
import { newId } from '../../../../src/lib/id.ts';
import { fromNow, MINUTE } from '../../../../src/lib/time.ts';
import { Browser, newAccount, newApp, PASSWORD, SAME } from '../../../support/browser.ts';
import { testDatabase } from '../../../support/database.ts';
import { withApp } from '../../../support/factors.ts';
import type { Answer } from '../../../support/world.ts';

const NEW = 'gravel lantern otter quilt';
const MAIL = { SMTP_URL: 'smtp://user:secret@127.0.0.1:25', MAIL_FROM: 'docs@docgraph.test' };

const ACCOUNT = `{ viewer { account { hasPassword pendingEmail newSignInMails hasAuthenticatorApp recoveryCodesLeft provedUntil
  signIns { signInId isCurrent program } passkeys { passkeyId name host } identities { identityId } } } }`;

async function scene(env: Record<string, string> = MAIL) {
  const db = await testDatabase();
  const app = await newApp(db, { env });
  const account = await newAccount(db);
  const signedIn = async () => {
    const browser = new Browser(app);
    expect((await browser.signIn(account)).status).toBe(303);
    return browser;
  };
  return { db, app, account, browser: await signedIn(), signedIn };
}

async function ask(browser: Browser, query: string, variables: object = {}): Promise<Answer> {
  const headers = { ...SAME, 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables });
  return JSON.parse((await browser.send('/graphql', { method: 'POST', headers, body })).text);
}

const change = async (browser: Browser, name: string, input: object, payload = 'account { hasPassword }') => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const query = `mutation ($input: ${type}) { ${name}(input: $input) { ${payload} } }`;
  return ask(browser, query, { input });
};

const codeOf = ({ errors }: Answer) => errors?.[0]?.extensions.code ?? 'OK';

const makeStale = (db: Database, userId: string) =>
  db.prisma.signIn.updateMany({ where: { userId }, data: { authenticatedAt: fromNow(-11 * MINUTE) } });

const passkeyOf = async (db: Database, userId: string, name = 'Laptop') => {
  const id = newId('Passkey');
  const bytes = () => Uint8Array.from(Buffer.from(newId('Passkey')));
  const data = { id, userId, name, credentialId: bytes(), publicKey: bytes(), counter: 0n };
  await db.prisma.passkey.create({ data: { ...data, relyingPartyId: 'docgraph.test', transports: [] } });
  return id;
};

describe('viewer.account', () => {
  it('shows how one signs in, in a browser session', async () => {
    const { db, account, browser } = await scene();
    const passkeyId = await passkeyOf(db, account.id);
    const { data } = await ask(browser, ACCOUNT);
    expect(data.viewer.account).toEqual({
      ...{ hasPassword: true, pendingEmail: null, newSignInMails: true, hasAuthenticatorApp: false },
      ...{ recoveryCodesLeft: 0, provedUntil: expect.any(String), identities: [] },
      signIns: [{ signInId: expect.stringMatching(/^sin_/), isCurrent: true, program: 'Unknown program' }],
      passkeys: [{ passkeyId, name: 'Laptop', host: 'docgraph.test' }],
    });
    await makeStale(db, account.id);
    expect((await ask(browser, ACCOUNT)).data.viewer.account.provedUntil).toBeNull();
  });

  it('is refused with an API key, and leaves the rest of the answer', async () => {
    const { account } = await scene();
    const answer = await account.graph('{ viewer { email account { hasPassword } } }');
    expect([codeOf(answer), answer.data]).toEqual([
      'FORBIDDEN',
      { viewer: { email: account.email, account: null } },
    ]);
  });
});

describe('changePassword', () => {
  it('ends all other sign-ins, by the password before, and tells the owner by mail', async () => {
    const { db, app, account, browser, signedIn } = await scene();
    const other = await signedIn();
    const wrong = await change(browser, 'changePassword', { currentPassword: 'wrong', newPassword: NEW });
    expect([codeOf(wrong), wrong.errors?.[0]?.extensions.at]).toEqual(['BAD_USER_INPUT', 'currentPassword']);
    const weak = await change(browser, 'changePassword', {
      currentPassword: PASSWORD,
      newPassword: 'password',
    });
    expect([codeOf(weak), weak.errors?.[0]?.extensions.at]).toEqual(['BAD_USER_INPUT', 'newPassword']);
    const passwords = { currentPassword: PASSWORD, newPassword: NEW };
    expect(codeOf(await change(browser, 'changePassword', passwords))).toBe('OK');
    expect((await other.open('/account')).status).toBe(303);
    expect((await browser.open('/account')).status).toBe(200);
    expect((await new Browser(app).signIn({ ...account, password: NEW })).status).toBe(303);
    const mails = await db.prisma.mail.findMany({
      where: { toUserId: account.id, kind: 'PASSWORD_CHANGED' },
    });
    expect(mails).toHaveLength(1);
  });

  it('is RATE_LIMITED after ten wrong passwords, together with the page', async () => {
    const { browser } = await scene();
    const passwords = { currentPassword: 'wrong', newPassword: NEW };
    for (let tries = 0; tries < 10; tries++) await change(browser, 'changePassword', passwords);
    const answer = await change(browser, 'changePassword', { ...passwords, currentPassword: PASSWORD });
    expect(codeOf(answer)).toBe('RATE_LIMITED');
  });

  it('needs a fresh proof where there is a second factor', async () => {
    const { db, account, browser } = await scene();
    await withApp(db, account);
    const passwords = { currentPassword: PASSWORD, newPassword: NEW };
    const refused = await change(browser, 'changePassword', passwords);
    expect(codeOf(refused)).toBe('FORBIDDEN');
    expect(refused.errors?.[0]?.message).toContain('/account/confirm');
  });
});

describe('requestEmailChange', () => {
  it('mails a link to the new address, with the password', async () => {
    const { db, account, browser } = await scene();
    const email = `new-${account.email}`;
    const wrong = await change(browser, 'requestEmailChange', { email, password: 'wrong' });
    expect([codeOf(wrong), wrong.errors?.[0]?.extensions.at]).toEqual(['BAD_USER_INPUT', 'password']);
    const input = { email, password: PASSWORD };
    const { data } = await change(browser, 'requestEmailChange', input, 'account { pendingEmail }');
    expect(data.requestEmailChange.account).toEqual({ pendingEmail: email });
    const mails = await db.prisma.mail.findMany({ where: { toUserId: account.id, kind: 'EMAIL_CHANGE' } });
    expect(mails.map(({ toEmail }) => toEmail)).toEqual([email]);
  });

  it('is a CONFLICT without a mail server', async () => {
    const { browser } = await scene({});
    const input = { email: 'new@example.test', password: PASSWORD };
    expect(codeOf(await change(browser, 'requestEmailChange', input))).toBe('CONFLICT');
  });
});

describe('endSignIns', () => {
  it('ends all others, or those that are named, and none of another account', async () => {
    const { db, browser, signedIn } = await scene();
    const stranger = (await scene()).browser;
    const ids = async (of: Browser): Promise<string[]> =>
      (await ask(of, ACCOUNT)).data.viewer.account.signIns.map((each: { signInId: string }) => each.signInId);
    const [others, named] = [await signedIn(), await signedIn()];
    const payload = 'ended account { signIns { isCurrent } }';
    const [namedId] = await ids(named);
    const foreign = { signInIds: [namedId, ...(await ids(stranger))] };
    expect(codeOf(await change(browser, 'endSignIns', foreign))).toBe('NOT_FOUND');
    expect((await ids(browser)).length).toBe(3);
    const one = await change(browser, 'endSignIns', { signInIds: [namedId] }, payload);
    expect(one.data.endSignIns.ended).toBe(1);
    expect((await named.open('/account')).status).toBe(303);
    const rest = await change(browser, 'endSignIns', {}, payload);
    expect(rest.data.endSignIns).toEqual({ ended: 1, account: { signIns: [{ isCurrent: true }] } });
    expect((await others.open('/account')).status).toBe(303);
    expect((await stranger.open('/account')).status).toBe(200);
    expect(await db.prisma.securityEvent.count({ where: { kind: 'signIn.ended' } })).toBeGreaterThan(1);
  });
});

describe('second factors', () => {
  it('are renamed and removed by their owner alone, all or none, with a fresh proof', async () => {
    const { db, account, browser } = await scene();
    const [own, other] = [await passkeyOf(db, account.id), await passkeyOf(db, (await scene()).account.id)];
    const renamed = { passkeyId: own, name: 'Phone' };
    const { data } = await change(browser, 'renamePasskey', renamed, 'account { passkeys { name } }');
    expect(data.renamePasskey.account.passkeys).toEqual([{ name: 'Phone' }]);
    expect(codeOf(await change(browser, 'renamePasskey', { ...renamed, passkeyId: other }))).toBe(
      'NOT_FOUND',
    );
    const both = { passkeyIds: [own, other] };
    expect(codeOf(await change(browser, 'removeSecondFactors', both))).toBe('NOT_FOUND');
    const noApp = { passkeyIds: [own], authenticatorApp: true };
    expect(codeOf(await change(browser, 'removeSecondFactors', noApp))).toBe('NOT_FOUND');
    expect(await db.prisma.passkey.count({ where: { userId: account.id } })).toBe(1);
    await makeStale(db, account.id);
    const removal = { passkeyIds: [own] };
    expect(codeOf(await change(browser, 'removeSecondFactors', removal))).toBe('FORBIDDEN');
    await db.prisma.signIn.updateMany({
      where: { userId: account.id },
      data: { authenticatedAt: new Date() },
    });
    expect(codeOf(await change(browser, 'removeSecondFactors', removal))).toBe('OK');
    expect(await db.prisma.passkey.count({ where: { userId: account.id } })).toBe(0);
  });

  it('stay where the account has nothing else to sign in with', async () => {
    const { db, account, browser } = await scene();
    const own = await passkeyOf(db, account.id);
    await db.prisma.user.update({ where: { id: account.id }, data: { passwordHash: null } });
    expect(codeOf(await change(browser, 'removeSecondFactors', { passkeyIds: [own] }))).toBe('CONFLICT');
  });

  it('have recovery codes that are replaced, once for what one has seen', async () => {
    const { db, account, browser } = await scene();
    expect(codeOf(await change(browser, 'renewRecoveryCodes', {}))).toBe('CONFLICT');
    await passkeyOf(db, account.id);
    const seen = { recoveryCodesLeft: 0 };
    const { data } = await change(browser, 'renewRecoveryCodes', seen, 'recoveryCodes');
    expect(new Set(data.renewRecoveryCodes.recoveryCodes).size).toBe(10);
    expect(codeOf(await change(browser, 'renewRecoveryCodes', seen))).toBe('CONFLICT');
  });
});

describe('unlinkIdentities', () => {
  it('disconnects own identities, but never the only way in', async () => {
    const { db, account, browser } = await scene();
    const linked = async (userId: string) => {
      const id = newId('ExternalIdentity');
      const data = { id, userId, issuer: 'https://id.example', subject: id };
      return (await db.prisma.externalIdentity.create({ data })).id;
    };
    const [one, two] = [await linked(account.id), await linked(account.id)];
    const foreign = await linked((await scene()).account.id);
    const unlink = async (...identityIds: string[]) =>
      codeOf(await change(browser, 'unlinkIdentities', { identityIds }));
    expect(await unlink(one, foreign)).toBe('NOT_FOUND');
    expect(await unlink(one)).toBe('OK');
    await db.prisma.user.update({ where: { id: account.id }, data: { passwordHash: null } });
    expect(await unlink(two)).toBe('CONFLICT');
  });
});

it('updateAccount switches off the mails about new devices', async () => {
  const { browser } = await scene();
  const input = { newSignInMails: false };
  const { data } = await change(browser, 'updateAccount', input, 'account { newSignInMails }');
  expect(data.updateAccount.account).toEqual(input);
});
