import { describe, expect, it } from 'vitest';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { SIGN_IN_RETENTION } from '../../../src/domain/oauth/token-sweep.ts';
import { hashSecret } from '../../../src/lib/secret.ts';
import { DAY, fromNow, HOUR } from '../../../src/lib/time.ts';
import { ask, browser, newOAuthWorld, post, signedIn } from '../../support/oauth.ts';

async function setUp() {
  const world = await newOAuthWorld();
  const { db, owner, confidential } = world;
  const mine = { grant: { userId: owner.id } };
  const { storage } = await owner.context();
  const grantOf = async (token: string) =>
    (await db.prisma.refreshToken.findUniqueOrThrow({ where: { secretHash: hashSecret(token) } })).grantId;
  return {
    ...world,
    grantOf,
    sweep: () => sweep(db, storage.store),
    /** Sets the expiry of all tokens and codes of one grant, or of all grants of the owner, to `ms` ago. */
    async age(ms: number, grantId?: string) {
      const where = { ...mine, grantId };
      const data = { expiresAt: fromNow(-ms) };
      await db.prisma.accessToken.updateMany({ where, data });
      await db.prisma.refreshToken.updateMany({ where, data });
      await db.prisma.authorizationCode.updateMany({ where, data });
    },
    async rows() {
      return {
        grants: await db.prisma.grant.count({ where: { userId: owner.id } }),
        codes: await db.prisma.authorizationCode.count({ where: mine }),
        access: await db.prisma.accessToken.count({ where: mine }),
        refresh: await db.prisma.refreshToken.count({ where: mine }),
      };
    },
    authorizations: async () =>
      (await owner.graph('{ viewer { authorizations { nodes { clientId scopes createdAt lastUsedAt } } } }'))
        .data.viewer.authorizations.nodes,
    client: confidential,
  };
}

describe('the sweep of credentials', () => {
  it('keeps valid credentials, and those that expired less than a day ago', async () => {
    const { client, tokens, refresh, user, age, rows, sweep } = await setUp();
    const first = await tokens();
    const { body } = await refresh(client, first.refresh_token);
    await user.code(ask(client));
    const before = await rows();
    await sweep();
    expect(await rows()).toEqual(before);
    expect((await refresh(client, body.refresh_token)).status).toBe(200);
    await age(DAY - HOUR);
    const ended = await rows();
    await sweep();
    expect(await rows()).toEqual(ended);
  });

  it('removes expired access tokens and unused codes, and keeps every used code and refresh token of an active grant', async () => {
    const { db, owner, client, tokens, refresh, redeem, user, rows, sweep, api } = await setUp();
    const code = await user.code(ask(client));
    const first = (await redeem(client, code)).body;
    const second = (await refresh(client, first.refresh_token)).body;
    await user.code(ask(client));
    const mine = { grant: { userId: owner.id } };
    const data = { expiresAt: fromNow(-2 * DAY) };
    await db.prisma.authorizationCode.updateMany({ where: mine, data });
    await db.prisma.accessToken.updateMany({
      where: { secretHash: hashSecret(first.access_token) },
      data,
    });
    await db.prisma.refreshToken.updateMany({ where: { NOT: { usedAt: null }, ...mine }, data });
    await sweep();
    expect(await rows()).toMatchObject({ codes: 1, access: 1, refresh: 2 });
    expect(await api(second.access_token)).toBe(200);
    await refresh(client, first.refresh_token);
    expect(await api(second.access_token)).toBe(401);
    const otherTokens = await tokens();
    await db.prisma.accessToken.updateMany({ where: mine, data });
    await sweep();
    const refreshed = (await refresh(client, otherTokens.refresh_token)).body;
    expect(await api(refreshed.access_token)).toBe(200);
  });

  it('keeps a used code, so that a late replay revokes its tokens', async () => {
    const { db, client, redeem, user, sweep, api } = await setUp();
    const code = await user.code(ask(client));
    const { body } = await redeem(client, code);
    await db.prisma.authorizationCode.updateMany({
      where: { secretHash: hashSecret(code) },
      data: { expiresAt: fromNow(-2 * DAY) },
    });
    await sweep();
    expect((await redeem(client, code)).body.error).toBe('invalid_grant');
    expect(await api(body.access_token)).toBe(401);
  });

  it('keeps the scopes, creation and last use of a grant after all tokens expired', async () => {
    const { client, tokens, refresh, user, age, rows, sweep, authorizations } = await setUp();
    const first = await tokens();
    await refresh(client, first.refresh_token);
    await tokens(client, { scope: 'read' });
    await tokens();
    const before = await authorizations();
    await age(2 * DAY);
    await sweep();
    expect(await rows()).toEqual({ grants: 1, codes: 0, access: 0, refresh: 1 });
    expect(await authorizations()).toEqual([{ ...before[0], lastUsedAt: expect.any(String) }]);
    expect((await user.authorize(ask(client))).status).toBe(303);
  });

  it('keeps all scopes that were granted to each application', async () => {
    const { client, open, tokens, age, rows, sweep, authorizations } = await setUp();
    for (const scope of ['read', 'write', 'read write']) {
      await tokens(client, { scope });
      await tokens(open, { scope: 'read' });
    }
    await age(2 * DAY);
    await sweep();
    const allowed = (await authorizations()).map(({ clientId, scopes }: Record<string, unknown>) => [
      clientId,
      scopes,
    ]);
    expect(new Map(allowed)).toEqual(
      new Map([
        [client.id, ['READ', 'WRITE']],
        [open.id, ['READ']],
      ]),
    );
    expect((await rows()).grants).toBe(2);
  });

  it('removes a revoked grant with its tokens, and a refresh still answers invalid_grant', async () => {
    const { db, client, tokens, refresh, revoke, rows, sweep, grantOf, authorizations } = await setUp();
    const { refresh_token } = await tokens();
    const { body } = await refresh(client, refresh_token);
    await revoke(client, body.refresh_token);
    await sweep();
    expect((await rows()).grants).toBe(1);
    await db.prisma.grant.update({
      where: { id: await grantOf(refresh_token) },
      data: { revokedAt: fromNow(-2 * DAY) },
    });
    await sweep();
    expect(await rows()).toEqual({ grants: 0, codes: 0, access: 0, refresh: 0 });
    expect(await authorizations()).toEqual([]);
    expect((await refresh(client, refresh_token)).body.error).toBe('invalid_grant');
  });

  it('keeps the grants of other people', async () => {
    const { app, db, stranger, client, age, tokens, redeem, sweep, api } = await setUp();
    const strangerBrowser = browser(app, await signedIn(db, stranger.id));
    const { body } = await redeem(client, await strangerBrowser.code(ask(client)));
    await tokens();
    await age(2 * DAY);
    await sweep();
    expect(await api(body.access_token)).toBe(200);
  });

  it('removes expired pushed requests, and sign-ins after their retention', async () => {
    const { app, db, owner, client, sweep } = await setUp();
    const pushed = await post(app, '/oauth/par', { ...ask(client), client_secret: client.secret });
    expect(pushed.status).toBe(201);
    const lately = await signedIn(db, owner.id);
    const long = await signedIn(db, owner.id);
    const set = (cookie: string, expiresAt: Date) =>
      db.prisma.signIn.update({
        where: { secretHash: hashSecret(cookie.split('=')[1] as string) },
        data: { expiresAt },
      });
    await set(lately, fromNow(HOUR - SIGN_IN_RETENTION));
    await set(long, fromNow(-SIGN_IN_RETENTION));
    await sweep();
    const where = { clientId: client.id };
    expect(await db.prisma.pushedRequest.count({ where })).toBe(1);
    await db.prisma.pushedRequest.updateMany({ where, data: { expiresAt: fromNow(-2 * DAY) } });
    await sweep();
    expect(await db.prisma.pushedRequest.count({ where })).toBe(0);
    expect(await db.prisma.signIn.count({ where: { userId: owner.id } })).toBe(2);
  });
});
