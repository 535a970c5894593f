import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { appOn, browser, ISSUER, newClient, post, signedIn } from '../../support/oauth.ts';
import { NONCE, newOpenIdWorld, type OpenIdWorld } from './world.ts';

let world: OpenIdWorld;
beforeAll(async () => {
  world = await newOpenIdWorld();
});

const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

describe('an ID token', () => {
  it('has the claims of OpenID Connect Core §2 and §3.1.3.6, and no others', async () => {
    const { signIn, verify, owner, client, db } = world;
    const { id_token, access_token, scope } = await signIn();
    const { payload, protectedHeader } = await verify(id_token);
    expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'RS256', kid: expect.stringMatching(/^jwk_/) });
    const [proof] = await db.query<{ seconds: number }>(sql`
      SELECT floor(extract(epoch FROM max(authenticated_at)))::int AS seconds FROM sign_ins WHERE user_id = ${owner.id}`);
    expect(payload).toEqual({
      iss: ISSUER,
      sub: owner.id,
      aud: client.id,
      azp: client.id,
      iat: expect.any(Number),
      exp: (payload.iat as number) + 3600,
      auth_time: proof?.seconds,
      nonce: NONCE,
      at_hash: halfHash(access_token),
    });
    expect(scope).toBe('openid profile email');
  });

  it('is not issued without the scope openid', async () => {
    expect(await world.signIn({ scope: 'read' })).not.toHaveProperty('id_token');
  });

  it('has no nonce if the application sent none', async () => {
    const { signIn, verify } = world;
    expect((await verify((await signIn({ nonce: undefined })).id_token)).payload).not.toHaveProperty('nonce');
  });

  it('names a person by the same sub in every application and at every sign-in', async () => {
    const { app, db, owner, signIn, verify, open, redeem, request, client } = world;
    const first = await verify((await signIn()).id_token);
    const second = await verify((await signIn({}, open)).id_token, open);
    const elsewhere = browser(app, await signedIn(db, owner.id));
    const { body } = await redeem(client, await elsewhere.code(request()));
    const third = await verify(body.id_token);
    expect([second.payload.sub, third.payload.sub]).toEqual([first.payload.sub, first.payload.sub]);
  });

  it('comes with JWT access tokens too, signed by a key of its own', async () => {
    const { owner, organization, redeem, user, request, verify } = world;
    const scopes = ['read' as const, 'openid' as const];
    const jwt = await newClient(owner, organization.id, { scopes, tokenFormat: 'JWT' });
    const { body } = await redeem(jwt, await user.code(request({ scope: 'openid' }, jwt)));
    const { payload, protectedHeader } = await verify(body.id_token, jwt);
    expect(payload.at_hash).toBe(halfHash(body.access_token));
    const header = JSON.parse(Buffer.from(body.access_token.split('.')[0], 'base64url').toString());
    expect(header.kid).not.toBe(protectedHeader.kid);
  });
});

describe('a refresh', () => {
  it('returns an ID token of the same sign-in, without the nonce (OpenID Connect Core §12.2)', async () => {
    const { signIn, verify, refresh, client } = world;
    const first = await signIn();
    const { payload: before } = await verify(first.id_token);
    const { body } = await refresh(client, first.refresh_token);
    const { payload: after } = await verify(body.id_token);
    const same = ({ iss, sub, aud, azp, auth_time }: typeof before) => ({ iss, sub, aud, azp, auth_time });
    expect(same(after)).toEqual(same(before));
    expect(after.at_hash).toBe(halfHash(body.access_token));
    expect(after).not.toHaveProperty('nonce');
  });

  it('for less than openid returns none, and one again for all', async () => {
    const { signIn, refresh, client } = world;
    const first = await signIn({ scope: 'openid read' });
    const { body: less } = await refresh(client, first.refresh_token, { scope: 'read' });
    const { body: all } = await refresh(client, less.refresh_token);
    expect(['id_token' in less, 'id_token' in all]).toEqual([false, true]);
  });

  it('returns the same pair with its ID token to a client that lost the response', async () => {
    const world = await newOpenIdWorld({ refreshGrace: 30_000 });
    const { refresh_token } = await world.signIn();
    const [first, again] = [
      await world.refresh(world.client, refresh_token),
      await world.refresh(world.client, refresh_token),
    ];
    expect(first.body.id_token).toBeTruthy();
    expect(again.body.id_token).toBe(first.body.id_token);
  });
});

describe('the keys of ID tokens', () => {
  it('are replaced like those of access tokens: published before they sign, and after', async () => {
    const { app, db, signIn } = await newOpenIdWorld();
    type Keys = { keys: { kid: string; alg: string; d?: string }[] };
    const published = async () => (await (await app.request('/oauth/jwks')).json()) as Keys;
    // Beside them are those of access tokens, which other tests replace.
    const idTokenKeys = ({ keys }: Keys) => keys.filter(({ alg }) => alg === 'RS256');
    const pass = (interval: string) =>
      db.query(sql`UPDATE signing_keys SET created_at = created_at - ${interval}::interval,
        retired_at = retired_at - ${interval}::interval WHERE purpose = 'ID_TOKEN'`);
    const isSignedBy = (keys: Keys, { id_token = '' }: { id_token?: string }) =>
      jwtVerify(id_token, createLocalJWKSet(keys as never)).then(
        () => true,
        () => false,
      );
    const first = await signIn();
    const firstKeys = await published();
    expect(new Set(firstKeys.keys.map(({ alg }) => alg))).toEqual(new Set(['ES256', 'RS256']));
    expect(idTokenKeys(firstKeys)).toHaveLength(1);
    for (const key of firstKeys.keys) expect(key).not.toHaveProperty('d');
    await pass('91 days');
    const ahead = await signIn();
    const keptKeys = await published();
    expect([idTokenKeys(keptKeys).length, await isSignedBy(firstKeys, ahead)]).toEqual([2, true]);
    await pass('61 minutes');
    const next = await signIn();
    expect([await isSignedBy(firstKeys, next), await isSignedBy(keptKeys, next)]).toEqual([false, true]);
    expect(await isSignedBy(await published(), first)).toBe(true);
    await pass('62 minutes');
    expect(await isSignedBy(await published(), first)).toBe(false);
  });

  it('are shared by processes that start at once', async () => {
    const { db } = await newOpenIdWorld();
    const apps = await Promise.all([appOn(db), appOn(db)]);
    const sets = await Promise.all(apps.map(async (app) => (await app.request('/oauth/jwks')).json()));
    expect(sets[1]).toEqual(sets[0]);
    expect((await post(apps[0], '/oauth/jwks', {})).status).toBe(405);
  });
});
