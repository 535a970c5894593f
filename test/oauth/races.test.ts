import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { tokenKey } from '../../src/domain/keys/token-key.ts';
import { rotateClientSecret } from '../../src/domain/oauth/client-change.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { secondPool, testDatabase } from '../support/database.ts';
import { appOn, ask, newOAuthWorld, type Posted, post, type TestClient, VERIFIER } from '../support/oauth.ts';

const AT_ONCE = 20;
/** Limits for some thousand sign-ins from one address. */
const UNTHROTTLED = { authorizeRequests: 0 };
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 20);
const outcomes = (answers: Posted[]) => answers.map(({ status, body }) => body.error ?? status).sort();
const ONE_WINNER = [200, ...Array(AT_ONCE - 1).fill('invalid_grant')];

/** Two applications with separate pools represent two processes, which share only the database. */
describe.runIf(process.env.TEST_DATABASE_URL)('two processes', { timeout: 30 * MINUTE }, () => {
  let second: Database;
  let apps: [Hono, Hono];

  beforeAll(async () => {
    second = await secondPool();
    apps = [await appOn(await testDatabase()), await appOn(second)];
  });
  afterAll(() => second.close());

  const atOnce = (path: string, form: Record<string, string | undefined>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, index) => post(apps[index % 2] as Hono, path, form)));

  const as = ({ id, secret }: TestClient) => ({ client_id: id, client_secret: secret });

  it('issue one pair of tokens for a code, which the replays revoke (25: RFC 6749 §4.1.2)', async () => {
    const { confidential, open, user, api, refresh } = await newOAuthWorld(UNTHROTTLED);
    for (let round = 0; round < ROUNDS; round++) {
      const client = round % 2 ? open : confidential;
      const answers = await atOnce('/oauth/token', {
        grant_type: 'authorization_code',
        code: await user.code(ask(client)),
        redirect_uri: client.redirectUri,
        code_verifier: VERIFIER,
        ...as(client),
      });
      expect(outcomes(answers)).toEqual(ONE_WINNER);
      const { body } = answers.find(({ status }) => status === 200) as Posted;
      expect(await api(body.access_token)).toBe(401);
      expect((await refresh(client, body.refresh_token)).status).toBe(400);
    }
  });

  it('issue one pair for a refresh token, and the reuse revokes the family (35: RFC 9700 §4.14.2)', async () => {
    const { db, owner, confidential, open, tokens, refresh, api } = await newOAuthWorld(UNTHROTTLED);
    for (let round = 0; round < ROUNDS; round++) {
      const client = round % 2 ? open : confidential;
      const { access_token, refresh_token } = await tokens(client);
      const answers = await atOnce('/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token,
        ...as(client),
      });
      expect(outcomes(answers)).toEqual(ONE_WINNER);
      const { body } = answers.find(({ status }) => status === 200) as Posted;
      expect([await api(access_token), await api(body.access_token)]).toEqual([401, 401]);
      expect((await refresh(client, body.refresh_token)).status).toBe(400);
    }
    const kind = 'authorization.refresh_token_reused';
    expect(await db.prisma.securityEvent.count({ where: { userId: owner.id, kind } })).toBe(ROUNDS);
  });

  it('leave no valid token after a concurrent refresh and revocation (45: RFC 7009 §2.1)', async () => {
    const { confidential, tokens, refresh, api, introspect } = await newOAuthWorld(UNTHROTTLED);
    for (let round = 0; round < ROUNDS; round++) {
      const { access_token, refresh_token } = await tokens();
      const [refreshed] = await Promise.all([
        post(apps[0], '/oauth/token', { grant_type: 'refresh_token', refresh_token, ...as(confidential) }),
        post(apps[1], '/oauth/revoke', { token: refresh_token, ...as(confidential) }),
      ]);
      expect(await api(access_token)).toBe(401);
      if (refreshed.status !== 200) continue;
      expect(await api(refreshed.body.access_token)).toBe(401);
      expect((await introspect(confidential, refreshed.body.refresh_token)).body).toEqual({ active: false });
      expect((await refresh(confidential, refreshed.body.refresh_token)).status).toBe(400);
    }
  });

  it('create one signing key, also when a rotation is due', async () => {
    const db = await testDatabase();
    const limits = { keyLifetime: 90 * DAY, accessToken: HOUR };
    const keys = () => db.prisma.signingKey.count({ where: { purpose: 'TOKEN' } });
    for (let round = 0; round < 10; round++) {
      const before = await keys();
      const due = new Date(Date.now() - 91 * DAY);
      await db.prisma.signingKey.updateMany({ where: { purpose: 'TOKEN' }, data: { createdAt: due } });
      const signers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => tokenKey(index % 2 ? db : second, limits)),
      );
      expect(new Set(signers.map(({ id }) => id)).size).toBe(1);
      expect(await db.prisma.signingKey.count({ where: { purpose: 'TOKEN', retiredAt: null } })).toBe(1);
      expect(await keys()).toBe(before + 1);
    }
  });

  it('leave a client with two valid secrets if both rotate', async () => {
    const { db, owner, confidential } = await newOAuthWorld(UNTHROTTLED);
    const ctx = await owner.context();
    const rotations = await Promise.all(
      Array.from({ length: 8 }, () => rotateClientSecret(ctx, { clientId: confidential.id })),
    );
    const good = await Promise.all(
      rotations.map(({ secret }) =>
        post(apps[0], '/oauth/introspect', { client_id: confidential.id, client_secret: secret, token: 'x' }),
      ),
    );
    expect(good.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await db.prisma.clientSecret.count({ where: { clientId: confidential.id } })).toBe(2);
  });
});
