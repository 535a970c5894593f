import { beforeEach, describe, expect, it } from 'vitest';
import { viewerOfSignIn } from '../../../src/auth/bearer.ts';
import { completeSignIn } from '../../../src/auth/complete-sign-in.ts';
import { resetSecondFactors } from '../../../src/domain/accounts/factor-reset.ts';
import type { Context } from '../../../src/domain/kernel/context.ts';
import { createApiKeys } from '../../../src/domain/oauth/api-key.ts';
import { createClient, rotateClientSecret } from '../../../src/domain/oauth/client-change.ts';
import { updateOrganization } from '../../../src/domain/organizations/organization.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { newAccount } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { signInService, withApp } from '../../support/factors.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newMember, newWorld, type Person } from '../../support/world.ts';

const sender = { address: 'docs@docgraph.test', name: 'Docgraph' };

beforeEach(() => dropJobs());

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

async function signedIn(
  person: Person,
  from: { address?: string; userAgent?: string; device?: string } = {},
) {
  const { db } = await person.context();
  const visitor = { address: '192.0.2.1', userAgent: CHROME, ...from };
  const proof = { userId: person.id, method: 'passkey' as const, ...visitor };
  const result = await completeSignIn(await signInService(db), proof);
  return 'secret' in result ? result.secret : '';
}

/** The rules' context of a browser session. */
async function sessionOf(person: Person): Promise<Context> {
  const context = await person.context();
  const viewer = await viewerOfSignIn(context.db, await signedIn(person));
  return viewer ? { ...context, viewer } : context;
}

describe('a new sign-in', () => {
  const mailsTo = async (person: Person) => {
    const { db } = await person.context();
    const where = { toUserId: person.id, kind: 'NEW_SIGN_IN' } as const;
    const rows = await db.prisma.mail.findMany({ where, orderBy: { id: 'asc' } });
    return rows.map(({ data }) => data);
  };

  it('is reported by mail with a new program, network or neither secret, but never the first one', async () => {
    const account = await newAccount(await testDatabase());
    await signedIn(account, { device: 'one' });
    await signedIn(account, { device: 'two' });
    await signedIn(account, { device: 'one', address: '198.51.100.1', userAgent: FIREFOX });
    expect(await mailsTo(account)).toEqual([]);
    await signedIn(account, { device: 'three', address: '203.0.113.1' });
    await signedIn(account, { address: '192.0.2.1', userAgent: 'curl/8' });
    expect(await mailsTo(account)).toEqual([
      { program: 'Chrome on Linux', ipAddress: '203.0.113.1' },
      { program: 'curl/8', ipAddress: '192.0.2.1' },
    ]);
  });

  it('is not reported after the account has switched that off, nor for the device of another account', async () => {
    const db = await testDatabase();
    const [account, other] = [await newAccount(db), await newAccount(db)];
    await signedIn(other, { device: 'shared' });
    await signedIn(account);
    await signedIn(account, { device: 'shared', address: '203.0.113.1' });
    expect(await mailsTo(account)).toHaveLength(1);
    await db.prisma.user.update({ where: { id: account.id }, data: { newSignInMails: false } });
    await signedIn(account, { address: '203.0.113.2' });
    expect(await mailsTo(account)).toHaveLength(1);
  });

  it('shows when it was last used, to five minutes', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    const secret = await signedIn(account);
    const lastUse = async () =>
      (await db.prisma.signIn.findFirstOrThrow({ where: { userId: account.id } })).lastUsedAt;
    expect(await lastUse()).toBeNull();
    await viewerOfSignIn(db, secret);
    const first = await lastUse();
    expect(first).not.toBeNull();
    await viewerOfSignIn(db, secret);
    expect(await lastUse()).toEqual(first);
    await db.prisma.signIn.updateMany({ where: { userId: account.id }, data: { lastUsedAt: new Date(0) } });
    await viewerOfSignIn(db, secret);
    expect(await lastUse()).not.toEqual(new Date(0));
  });
});

describe('keys and secrets', () => {
  it('are created in a browser session within ten minutes after a proof only; with a key at any time', async () => {
    const { db, owner, organization } = await newWorld();
    const session = await sessionOf(owner);
    const keys = { keys: [{ name: 'New' }] };
    const uri = 'https://app.example/callback';
    const settings = { organizationId: organization.id, name: 'App', redirectUris: [uri] };
    const application = { ...settings, kind: 'CONFIDENTIAL' as const, scopes: ['read' as const] };
    expect(await createApiKeys(session, keys)).toHaveLength(1);
    const { client } = await createClient(session, application);
    await db.prisma.signIn.updateMany({
      where: { userId: owner.id },
      data: { authenticatedAt: new Date(Date.now() - 11 * 60_000) },
    });
    const refused = { code: 'FORBIDDEN', message: expect.stringContaining('/account/confirm') };
    await expect(createApiKeys(session, keys)).rejects.toMatchObject(refused);
    await expect(createClient(session, application)).rejects.toMatchObject(refused);
    await expect(rotateClientSecret(session, { clientId: client.id })).rejects.toMatchObject(refused);
    expect(await createApiKeys(await owner.context(), keys)).toHaveLength(1);
  });
});

describe('an organization that requires a second factor', () => {
  const require = (ctx: Context, organizationId: string, requiresSecondFactor = true) =>
    updateOrganization(ctx, { organizationId, requiresSecondFactor });

  it('is closed to sign-ins of members without one, until they add one', async () => {
    const { db, owner, organization } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    await withApp(db, owner);
    await require(await owner.context(), organization.id);
    expect((await sessionOf(member)).viewer.memberships).toEqual([]);
    await withApp(db, member);
    expect((await sessionOf(member)).viewer.memberships).toHaveLength(1);
  });

  it('tells members without one by mail, once a day, unless they have added one by then', async () => {
    const { db, owner, organization } = await newWorld();
    const [lacking, adding] = [
      await newMember(db, organization.id, 'MEMBER'),
      await newMember(db, organization.id, 'GUEST'),
    ];
    const provided = await newMember(db, organization.id, 'MEMBER');
    for (const each of [owner, provided]) await withApp(db, each);
    await require(await owner.context(), organization.id);
    await require(await owner.context(), organization.id, false);
    await require(await owner.context(), organization.id);
    await withApp(db, adding);
    const kind = 'SECOND_FACTOR_REQUIRED';
    const job = { ...(await jobContext(db)), mail: { target: 'OUTBOX' as const, sender } };
    while (await sendNextMail(job));
    const mails = await db.prisma.mail.findMany({ where: { organizationId: organization.id, kind } });
    expect(new Map(mails.map(({ toEmail, state }) => [toEmail, state]))).toEqual(
      new Map([
        [lacking.email, 'OUTBOX'],
        [adding.email, 'CANCELLED'],
      ]),
    );
    expect(mails).toHaveLength(2);
  });

  it('is set by an owner with a second factor alone, and recorded', async () => {
    const { db, owner, organization } = await newWorld();
    const admin = await newMember(db, organization.id, 'ADMIN');
    await withApp(db, admin);
    await expect(require(await admin.context(), organization.id)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(require(await owner.context(), organization.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await withApp(db, owner);
    await require(await owner.context(), organization.id);
    const event = await db.prisma.event.findFirstOrThrow({
      where: { organizationId: organization.id, kind: 'organization.updated' },
    });
    expect(event.data).toEqual({
      before: { requiresSecondFactor: false },
      after: { requiresSecondFactor: true },
    });
  });
});

describe('second factors that an administrator removes', () => {
  it('end with all sign-ins and recovery codes, are recorded and reported by mail', async () => {
    const db = await testDatabase();
    const account = await newAccount(db);
    expect(await resetSecondFactors(db, account.id)).toBe(false);
    await withApp(db, account);
    const secret = await signedIn(account);
    expect(await resetSecondFactors(db, account.id)).toBe(true);
    expect(await viewerOfSignIn(db, secret)).toBeUndefined();
    expect(await db.prisma.recoveryCode.count({ where: { userId: account.id } })).toBe(0);
    const proof = {
      userId: account.id,
      method: 'password' as const,
      address: '192.0.2.1',
      userAgent: CHROME,
    };
    expect(await completeSignIn(await signInService(db), proof)).toHaveProperty('secret');
    const kind = 'secondFactors.removedByAdministrator';
    expect(await db.prisma.securityEvent.count({ where: { userId: account.id, kind } })).toBe(1);
    expect(
      await db.prisma.mail.count({ where: { toUserId: account.id, data: { path: ['kind'], equals: kind } } }),
    ).toBe(1);
  });
});
