import { describe, expect, it } from 'vitest';
import { ask, basic, newClient, newOAuthWorld, post, VERIFIER } from '../support/oauth.ts';

const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };
const outcome = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];
const GRANTED = [200, undefined];
const REFUSED = [400, 'invalid_grant'];

describe('the token endpoint', () => {
  it('takes the secret in the form (19: RFC 6749 §2.3.1, client_secret_post)', async () => {
    const { confidential, user, redeem } = await newOAuthWorld();
    expect(outcome(await redeem(confidential, await user.code(ask(confidential))))).toEqual(GRANTED);
  });

  it('takes the secret as Basic, form-decoded and split at the first colon (20: RFC 6749 §2.3.1)', async () => {
    const { app, confidential, user } = await newOAuthWorld();
    const form = {
      grant_type: 'authorization_code',
      code: await user.code(ask(confidential)),
      redirect_uri: confidential.redirectUri,
      code_verifier: VERIFIER,
    };
    const escaped = (text: string) =>
      [...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    const encoded = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    const { id, secret } = confidential as { id: string; secret: string };
    for (const wrong of [`${id}:${secret}:`, `${id}:%zz`, `${id}`, `${id}:`, `:${secret}`, `${id}:x`])
      expect(outcome(await post(app, '/oauth/token', form, { authorization: encoded(wrong) }))).toEqual([
        401,
        'invalid_client',
      ]);
    const right = { authorization: encoded(`${escaped(id)}:${escaped(secret)}`) };
    expect(outcome(await post(app, '/oauth/token', form, right))).toEqual(GRANTED);
  });

  it('answers 401 with a challenge when authentication fails, and never says why (21: RFC 6749 §5.2)', async () => {
    const { app, confidential, open, user } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    const form = { grant_type: 'authorization_code', code, redirect_uri: confidential.redirectUri };
    const { id, secret = '' } = confidential;
    const attempts = [
      [{ client_id: id, client_secret: 'wrong' }, {}],
      [{ client_id: id }, {}],
      [{ client_id: 'app_nobody', client_secret: secret }, {}],
      [{ client_id: open.id, client_secret: secret }, {}],
      [{ client_secret: secret }, {}],
      [{}, {}],
      [{}, { authorization: basic(open.id, '') }],
      [{ client_id: id }, { authorization: `Bearer ${secret}` }],
    ] as const;
    for (const [credentials, headers] of attempts) {
      const answer = await post(app, '/oauth/token', { ...form, ...credentials }, headers);
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'invalid_client', error_description: 'Client authentication failed.' },
      ]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
  });

  it('takes one way to authenticate at a time (22: RFC 6749 §2.3)', async () => {
    const { app, confidential, open, as } = await newOAuthWorld();
    const authorization = basic(confidential.id, confidential.secret as string);
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const twice = await post(app, '/oauth/token', { ...form, ...as(confidential) }, { authorization });
    expect(outcome(twice)).toEqual([400, 'invalid_request']);
    const other = await post(app, '/oauth/token', { ...form, client_id: open.id }, { authorization });
    expect(outcome(other)).toEqual([400, 'invalid_request']);
    const named = await post(app, '/oauth/token', { ...form, client_id: confidential.id }, { authorization });
    expect(outcome(named)).toEqual(REFUSED);
  });

  it('takes forms by POST alone: no GET, no JSON, no secret in the address (23: RFC 6749 §3.2, §2.3.1)', async () => {
    const { app, confidential, as } = await newOAuthWorld();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await app.request('/oauth/token', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', ''])
      expect(outcome(await post(app, '/oauth/token', as(confidential), { 'content-type': type }))).toEqual([
        400,
        'invalid_request',
      ]);
    const exposed = await post(app, `/oauth/token?client_secret=${confidential.secret}`, as(confidential));
    expect(outcome(exposed)).toEqual([400, 'invalid_request']);
  });

  it('takes a code once; a second use revokes what the first gave (24: RFC 6749 §4.1.2)', async () => {
    const { db, owner, confidential, user, redeem, refresh, api } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    const { body } = await redeem(confidential, code);
    expect(await api(body.access_token)).toBe(200);
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
    expect(await api(body.access_token)).toBe(401);
    expect(outcome(await refresh(confidential, body.refresh_token))).toEqual(REFUSED);
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
    const kinds = await db.prisma.securityEvent.findMany({
      where: { userId: owner.id },
      select: { kind: true },
      orderBy: { id: 'asc' },
    });
    expect(kinds.map(({ kind }) => kind)).toEqual(['authorization.granted', 'authorization.code_replayed']);
  });

  it('leaves other authorizations of the same client alone when a code is replayed', async () => {
    const { confidential, user, redeem, tokens, api } = await newOAuthWorld();
    const other = await tokens();
    const code = await user.code(ask(confidential));
    await redeem(confidential, code);
    await redeem(confidential, code);
    expect(await api(other.access_token)).toBe(200);
  });

  it('binds a code to its client, whose it stays (26: RFC 6749 §4.1.3)', async () => {
    const { owner, organization, confidential, open, user, redeem } = await newOAuthWorld();
    const other = await newClient(owner, organization.id);
    const code = await user.code(ask(confidential));
    for (const thief of [other, open]) expect(outcome(await redeem(thief, code))).toEqual(REFUSED);
    expect(outcome(await redeem(confidential, code))).toEqual(GRANTED);
    expect(outcome(await redeem(open, code))).toEqual(REFUSED);
  });

  it('binds a code to its redirect_uri (27: RFC 6749 §4.1.3)', async () => {
    const { owner, organization, user, redeem } = await newOAuthWorld();
    const redirectUris = ['https://app.example/a', 'https://app.example/b'];
    const client = await newClient(owner, organization.id, { redirectUris });
    const code = await user.code(ask(client));
    expect(outcome(await redeem(client, code, { redirect_uri: redirectUris[1] }))).toEqual(REFUSED);
    expect(outcome(await redeem(client, code, { redirect_uri: undefined }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(outcome(await redeem(client, code))).toEqual(GRANTED);
  });

  it('refuses a verifier that is wrong, short, long or missing (28: RFC 7636 §4.6)', async () => {
    const { confidential, open, user, redeem } = await newOAuthWorld();
    for (const client of [open, confidential]) {
      const code = await user.code(ask(client));
      for (const code_verifier of [
        'x'.repeat(43),
        VERIFIER.slice(0, 42),
        `${VERIFIER}x`,
        'x'.repeat(129),
        undefined,
      ])
        expect(outcome(await redeem(client, code, { code_verifier }))).toEqual(REFUSED);
      expect(outcome(await redeem(client, code))).toEqual(GRANTED);
    }
  });

  it('refuses a verifier where the request had no challenge (29: RFC 9700 §4.8.2)', async () => {
    const { confidential, user, redeem } = await newOAuthWorld();
    const code = await user.code(ask(confidential, NO_PKCE));
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
    expect(outcome(await redeem(confidential, code, { code_verifier: undefined }))).toEqual(GRANTED);
  });

  it('takes a code for 60 seconds, and knows a replay also after that (30: RFC 6749 §4.1.2)', async () => {
    const { db, confidential, user, redeem, api } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    const its = { grant: { clientId: confidential.id } };
    const { expiresAt, createdAt } = await db.prisma.authorizationCode.findFirstOrThrow({ where: its });
    expect(Math.abs(expiresAt.getTime() - createdAt.getTime() - 60_000)).toBeLessThan(5_000);
    await db.prisma.authorizationCode.updateMany({ where: its, data: { expiresAt: new Date() } });
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
    const next = await user.code(ask(confidential));
    const { body } = await redeem(confidential, next);
    await db.prisma.authorizationCode.updateMany({ where: its, data: { expiresAt: new Date() } });
    expect(outcome(await redeem(confidential, next))).toEqual(REFUSED);
    expect(await api(body.access_token)).toBe(401);
  });

  it('answers as RFC 6749 §5.1 says, and lets nobody keep it (31)', async () => {
    const { confidential, user, redeem } = await newOAuthWorld();
    const { status, headers, body } = await redeem(confidential, await user.code(ask(confidential)));
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^dga_[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^dgr_[\w-]{43}$/),
        scope: 'read write',
      },
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    });
  });

  it('answers unsupported_grant_type, and unauthorized_client to one that is switched off (32: RFC 6749 §5.2)', async () => {
    const { app, owner, confidential, as, redeem, user } = await newOAuthWorld();
    for (const grant_type of [
      'password',
      'client_credentials',
      'implicit',
      'AUTHORIZATION_CODE',
      '__proto__',
    ])
      expect(outcome(await post(app, '/oauth/token', { grant_type, ...as(confidential) }))).toEqual([
        400,
        'unsupported_grant_type',
      ]);
    const code = await user.code(ask(confidential));
    const off = 'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { id } } }';
    await owner.graph(off, { input: { clientId: confidential.id, scopes: [] } });
    expect(outcome(await redeem(confidential, code))).toEqual([400, 'unauthorized_client']);
  });

  it('takes either of two secrets while one replaces the other, and the old one no longer then', async () => {
    const { db, owner, confidential, user, redeem } = await newOAuthWorld();
    const rotate =
      'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { secret client { previousSecretExpiresAt } } }';
    const { data } = await owner.graph(rotate, { input: { clientId: confidential.id } });
    const { secret } = data.rotateClientSecret;
    for (const client_secret of [confidential.secret, secret])
      expect(
        outcome(await redeem(confidential, await user.code(ask(confidential)), { client_secret })),
      ).toEqual(GRANTED);
    await db.prisma.clientSecret.updateMany({
      where: { clientId: confidential.id, NOT: { expiresAt: null } },
      data: { expiresAt: new Date() },
    });
    const code = await user.code(ask(confidential));
    expect(outcome(await redeem(confidential, code))).toEqual([401, 'invalid_client']);
    expect(outcome(await redeem(confidential, code, { client_secret: secret }))).toEqual(GRANTED);
  });

  it('gives no tokens for a person who was switched off after approving', async () => {
    const { db, owner, confidential, user, redeem } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    await db.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } });
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
  });

  it('gives no more than the client is still allowed', async () => {
    const { owner, confidential, user, redeem } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    const less =
      'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { scopes } } }';
    await owner.graph(less, { input: { clientId: confidential.id, scopes: ['read'] } });
    expect((await redeem(confidential, code)).body.scope).toBe('read');
  });
});
