import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql/sql.ts';
import { ISSUER, newClient, newOAuthWorld } from '../support/oauth.ts';

const INACTIVE = { active: false };

describe('a JWT access token', () => {
  const JWT = { tokenFormat: 'JWT' } as const;

  it('can be verified with the published keys (RFC 9068 §2)', async () => {
    const { app, owner, organization, tokens } = await newOAuthWorld();
    const client = await newClient(owner, organization.id, JWT);
    const { access_token } = await tokens(client);
    const keys = (await (await app.request('/oauth/jwks')).json()) as { keys: object[] };
    for (const key of keys.keys) expect(key).not.toHaveProperty('d');
    const { payload, protectedHeader } = await jwtVerify(access_token, createLocalJWKSet(keys as never), {
      issuer: ISSUER,
      audience: ISSUER,
      typ: 'at+jwt',
    });
    expect(protectedHeader).toEqual({ typ: 'at+jwt', alg: 'ES256', kid: expect.stringMatching(/^jwk_/) });
    expect(payload).toEqual({
      iss: ISSUER,
      aud: ISSUER,
      sub: owner.id,
      client_id: client.id,
      scope: 'read write',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (payload.iat as number) + 3600,
    });
  });

  it('works, is introspected and is revoked like an opaque one', async () => {
    const { owner, organization, tokens, api, introspect, revoke, refresh } = await newOAuthWorld();
    const client = await newClient(owner, organization.id, JWT);
    const { access_token, refresh_token } = await tokens(client);
    expect(await api(access_token)).toBe(200);
    expect((await introspect(client, access_token)).body).toMatchObject({
      active: true,
      client_id: client.id,
    });
    const next = (await refresh(client, refresh_token)).body;
    await revoke(client, access_token);
    expect([await api(access_token), (await introspect(client, access_token)).body]).toEqual([401, INACTIVE]);
    expect(await api(next.access_token)).toBe(200);
    await revoke(client, next.refresh_token);
    expect(await api(next.access_token)).toBe(401);
  });

  it('is refused with any character changed, or with a removed key', async () => {
    const { db, owner, organization, tokens, api } = await newOAuthWorld();
    const client = await newClient(owner, organization.id, JWT);
    const { access_token } = await tokens(client);
    const [header, payload, signature] = access_token.split('.') as [string, string, string];
    const none = Buffer.from('{"typ":"at+jwt","alg":"none"}').toString('base64url');
    for (const forged of [
      `${header}.${payload}.`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.${signature}=`,
      `${header}.${payload}`,
      access_token.slice(0, -2),
    ])
      expect(await api(forged)).toBe(401);
    await db.prisma.signingKey.deleteMany({ where: { purpose: 'TOKEN' } });
    expect(await api(access_token)).toBe(401);
  });

  it('is signed by a new key only after the key was published for longer than clients cache the key set', async () => {
    const { app, db, owner, organization, tokens, api } = await newOAuthWorld();
    const client = await newClient(owner, organization.id, JWT);
    const published = async () => {
      const { keys } = (await (await app.request('/oauth/jwks')).json()) as { keys: { alg: string }[] };
      return { keys: keys.filter(({ alg }) => alg === 'ES256') };
    };
    /** Makes the keys older by this time. */
    const pass = (interval: string) =>
      db.query(sql`UPDATE signing_keys SET created_at = created_at - ${interval}::interval,
        retired_at = retired_at - ${interval}::interval WHERE purpose = 'TOKEN'`);
    const isSignedBy = (keys: object, { access_token }: { access_token: string }) =>
      jwtVerify(access_token, createLocalJWKSet(keys as never)).then(
        () => true,
        () => false,
      );

    const first = await tokens(client);
    const firstKeys = await published();
    await pass('91 days');
    const ahead = await tokens(client);
    const keptKeys = await published();
    expect([keptKeys.keys.length, await isSignedBy(firstKeys, ahead)]).toEqual([2, true]);
    await pass('61 minutes');
    const next = await tokens(client);
    expect([await isSignedBy(firstKeys, next), await isSignedBy(keptKeys, next)]).toEqual([false, true]);
    expect([await api(first.access_token), await api(next.access_token)]).toEqual([200, 200]);
    expect(await isSignedBy(await published(), ahead)).toBe(true);
    await pass('62 minutes');
    expect(await isSignedBy(await published(), ahead)).toBe(false);
  });
});
