import { describe, expect, it } from 'vitest';
import { ask, ISSUER, newClient, newOAuthWorld, post } from '../support/oauth.ts';

const INACTIVE = { active: false };

describe('introspection', () => {
  it('describes the tokens of a client, with any hint (39: RFC 7662 §2.2)', async () => {
    const { owner, confidential, tokens, introspect } = await newOAuthWorld();
    const { access_token, refresh_token } = await tokens();
    const now = Math.floor(Date.now() / 1000);
    for (const token_type_hint of [undefined, 'access_token', 'refresh_token', 'nonsense']) {
      const { status, body, headers } = await introspect(confidential, access_token, { token_type_hint });
      expect([status, body]).toEqual([
        200,
        {
          active: true,
          scope: 'read write',
          client_id: confidential.id,
          sub: owner.id,
          exp: expect.any(Number),
          iat: expect.any(Number),
          iss: ISSUER,
          token_type: 'Bearer',
        },
      ]);
      expect(Math.abs(body.exp - now - 3600)).toBeLessThan(60);
      expect(headers.get('cache-control')).toBe('no-store');
      const refreshing = await introspect(confidential, refresh_token, { token_type_hint });
      expect(refreshing.body).toMatchObject({ active: true, scope: 'read write', sub: owner.id });
      expect(refreshing.body).not.toHaveProperty('token_type');
    }
  });

  it('answers exactly {"active":false} to unknown, expired and foreign tokens (40: RFC 7662 §2.2)', async () => {
    const { db, owner, organization, confidential, open, tokens, refresh, introspect, user } =
      await newOAuthWorld();
    const other = await newClient(owner, organization.id);
    const theirs = [await tokens(), await tokens(open)];
    for (const { access_token, refresh_token } of theirs)
      for (const token of [access_token, refresh_token])
        expect((await introspect(other, token)).body).toEqual(INACTIVE);
    const { access_token, refresh_token } = await tokens();
    await refresh(confidential, refresh_token);
    const code = await user.code(ask(confidential));
    for (const token of [
      'x',
      'dga_x',
      `${access_token}x`,
      access_token.toLowerCase(),
      refresh_token,
      code,
      owner.key,
    ])
      expect((await introspect(confidential, token)).body).toEqual(INACTIVE);
    await db.prisma.accessToken.updateMany({ data: { expiresAt: new Date() } });
    expect((await introspect(confidential, access_token)).body).toEqual(INACTIVE);
  });

  it('requires the secret of the client (41: RFC 7662 §2.1)', async () => {
    const { app, confidential, open, tokens, introspect } = await newOAuthWorld();
    const { access_token } = await tokens(open);
    const attempts = [{ client_id: open.id }, { client_id: confidential.id, client_secret: 'x' }, {}];
    for (const credentials of attempts) {
      const { status, body } = await post(app, '/oauth/introspect', { token: access_token, ...credentials });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
    const bearer = { authorization: `Bearer ${access_token}` };
    expect((await post(app, '/oauth/introspect', { token: access_token }, bearer)).status).toBe(401);
    expect((await introspect(confidential, '')).body.error).toBe('invalid_request');
  });
});

describe('revocation', () => {
  it('revokes either kind of token with any hint, and answers 200 to an unknown one (42: RFC 7009 §2.2)', async () => {
    const { confidential, open, tokens, revoke, api } = await newOAuthWorld();
    for (const client of [confidential, open])
      for (const kind of ['access_token', 'refresh_token'] as const)
        for (const token_type_hint of [undefined, 'access_token', 'refresh_token', 'nonsense']) {
          const pair = await tokens(client);
          const { status, body, headers } = await revoke(client, pair[kind], { token_type_hint });
          expect([status, body, headers.get('content-type')]).toEqual([200, {}, 'application/json']);
          expect(await api(pair.access_token)).toBe(401);
        }
    for (const token of ['x', 'dga_x', 'dgr_x', 'eyJ.x.x', 'dgk_x'])
      expect((await revoke(confidential, token)).status).toBe(200);
    expect((await revoke(confidential, '')).body.error).toBe('invalid_request');
  });

  it('revokes only a replaced access token, and immediately the whole family of a refresh token (43: RFC 7009 §2.1)', async () => {
    const { db, owner, confidential, tokens, revoke, refresh, api } = await newOAuthWorld();
    const first = await tokens();
    const second = (await refresh(confidential, first.refresh_token)).body;
    await revoke(confidential, first.access_token);
    expect([await api(first.access_token), await api(second.access_token)]).toEqual([401, 200]);
    await revoke(confidential, second.refresh_token);
    expect(await api(second.access_token)).toBe(401);
    expect((await refresh(confidential, second.refresh_token)).body.error).toBe('invalid_grant');
    const kind = 'authorization.revoked_by_app';
    expect(await db.prisma.securityEvent.count({ where: { userId: owner.id, kind } })).toBe(1);
  });

  it('revokes the refresh token together with its access token (RFC 7009 §2.1)', async () => {
    const { confidential, tokens, revoke, refresh, introspect } = await newOAuthWorld();
    const { access_token, refresh_token } = await tokens();
    await revoke(confidential, access_token);
    expect((await introspect(confidential, refresh_token)).body).toEqual({ active: false });
    expect((await refresh(confidential, refresh_token)).body.error).toBe('invalid_grant');
  });

  it('keeps other token families of the user, and removes the application from the list with the last one', async () => {
    const { owner, confidential, tokens, revoke, api } = await newOAuthWorld();
    const authorized = async () =>
      (await owner.graph('{ viewer { authorizations { nodes { clientId } } } }')).data.viewer.authorizations
        .nodes;
    const [laptop, phone] = [await tokens(), await tokens()];
    await revoke(confidential, laptop.access_token);
    expect([await api(laptop.access_token), await api(phone.access_token)]).toEqual([401, 200]);
    expect(await authorized()).toEqual([{ clientId: confidential.id }]);
    await revoke(confidential, phone.refresh_token);
    expect([await api(phone.access_token), await authorized()]).toEqual([401, []]);
  });

  it('refuses the token of another client, which stays valid (44: RFC 7009 §2.1)', async () => {
    const { owner, organization, open, tokens, revoke, refresh, api, confidential } = await newOAuthWorld();
    const other = await newClient(owner, organization.id);
    const { access_token, refresh_token } = await tokens();
    for (const thief of [other, open])
      for (const token of [access_token, refresh_token]) {
        const { status, body } = await revoke(thief, token);
        expect([status, body.error]).toEqual([400, 'invalid_grant']);
        expect(body.error_description).toContain('another client');
      }
    expect(await api(access_token)).toBe(200);
    expect((await refresh(confidential, refresh_token)).status).toBe(200);
  });

  it('requires the secret of a confidential client', async () => {
    const { app, confidential, tokens, api } = await newOAuthWorld();
    const { access_token } = await tokens();
    const form = { token: access_token, client_id: confidential.id };
    expect((await post(app, '/oauth/revoke', form)).status).toBe(401);
    expect(await api(access_token)).toBe(200);
  });
});
