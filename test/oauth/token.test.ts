import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ask, newClient, newOAuthWorld, post, VERIFIER } from '../support/oauth.ts';
import { GRANTED, outcome, REFUSED } from '../support/token-answer.ts';

const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };

describe('the token endpoint', () => {
  it('accepts only POST with forms: no GET, no JSON, no secret in the URL (23: RFC 6749 §3.2, §2.3.1)', async () => {
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

  it('accepts a code once; a second use revokes the tokens of the first (24: RFC 6749 §4.1.2)', async () => {
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

  it('issues one pair for two concurrent uses of a code, and revokes it (25: RFC 6749 §4.1.2)', async () => {
    const { confidential, user, redeem, api } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    const answers = await Promise.all([redeem(confidential, code), redeem(confidential, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    for (const { body } of answers) expect(await api(body.access_token ?? 'dga_none')).toBe(401);
  });

  it('keeps other authorizations of the same client when a code is replayed', async () => {
    const { confidential, user, redeem, tokens, api } = await newOAuthWorld();
    const other = await tokens();
    const code = await user.code(ask(confidential));
    await redeem(confidential, code);
    await redeem(confidential, code);
    expect(await api(other.access_token)).toBe(200);
  });

  it('binds a code to its client, which can still redeem it after the attempt of another (26: RFC 6749 §4.1.3)', async () => {
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

  it('refuses a malformed verifier, also if it matches the challenge (28: RFC 7636 §4.1)', async () => {
    const { confidential, user, redeem } = await newOAuthWorld();
    for (const code_verifier of ['x'.repeat(42), 'x'.repeat(129), ` ${VERIFIER}`, `${VERIFIER} `]) {
      const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
      const code = await user.code(ask(confidential, { code_challenge }));
      expect(outcome(await redeem(confidential, code, { code_verifier }))).toEqual(REFUSED);
    }
  });

  it('refuses a verifier if the request had no challenge (29: RFC 9700 §4.8.2)', async () => {
    const { confidential, user, redeem } = await newOAuthWorld();
    const code = await user.code(ask(confidential, NO_PKCE));
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
    expect(outcome(await redeem(confidential, code, { code_verifier: undefined }))).toEqual(GRANTED);
  });

  it('accepts a code for 60 seconds, and detects a replay also after that (30: RFC 6749 §4.1.2)', async () => {
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

  it('answers as defined in RFC 6749 §5.1, without caching (31)', async () => {
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

  it('answers unsupported_grant_type, and unauthorized_client to a disabled one (32: RFC 6749 §5.2)', async () => {
    const { app, owner, confidential, as, redeem, user } = await newOAuthWorld();
    for (const grant_type of [
      'password',
      'CLIENT_CREDENTIALS',
      'implicit',
      'AUTHORIZATION_CODE',
      '__proto__',
    ])
      expect((await post(app, '/oauth/token', { grant_type, ...as(confidential) })).body).toEqual({
        error: 'unsupported_grant_type',
        error_description: 'grant_type must be one of authorization_code, refresh_token, client_credentials.',
      });
    const code = await user.code(ask(confidential));
    const off = 'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { id } } }';
    await owner.graph(off, { input: { clientId: confidential.id, scopes: [] } });
    expect((await redeem(confidential, code)).body).toEqual({
      error: 'unauthorized_client',
      error_description: 'The client is disabled.',
    });
  });

  it('issues no tokens for a person whose account was disabled after approving', async () => {
    const { db, owner, confidential, user, redeem } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    await db.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } });
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
  });

  it('issues only the current scopes of the client', async () => {
    const { owner, confidential, user, redeem } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    const less =
      'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { scopes } } }';
    const reading = await user.code(ask(confidential, { scope: 'read' }));
    await owner.graph(less, { input: { clientId: confidential.id, scopes: ['READ'] } });
    expect((await redeem(confidential, code)).body.scope).toBe('read');
    await owner.graph(less, { input: { clientId: confidential.id, scopes: ['WRITE'] } });
    const { body } = await redeem(confidential, reading);
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description: expect.stringContaining('no longer allowed'),
    });
  });

  it('refuses a code with a description of the reason', async () => {
    const { db, confidential, user, redeem } = await newOAuthWorld();
    const why = async (code: string, more?: Parameters<typeof redeem>[2]) =>
      (await redeem(confidential, code, more)).body.error_description;
    const code = await user.code(ask(confidential));
    expect(await why('dgc_unknown')).toContain('not known');
    expect(await why(code, { redirect_uri: 'https://app.example/' })).toContain('redirect_uri');
    expect(await why(code, { code_verifier: undefined })).toContain('code_verifier does not match');
    expect(await why(await user.code(ask(confidential, NO_PKCE)))).toContain('had no code_challenge');
    await redeem(confidential, code);
    expect(await why(code)).toContain('used before');
    const late = await user.code(ask(confidential));
    const its = { where: { usedAt: null } };
    await db.prisma.authorizationCode.updateMany({ ...its, data: { expiresAt: new Date() } });
    expect(await why(late)).toContain('expired');
  });
});
