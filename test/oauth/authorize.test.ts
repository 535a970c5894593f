import { describe, expect, it } from 'vitest';
import { ask, CALLBACK, encode, newClient, newOAuthWorld } from '../support/oauth.ts';

const answerOf = (response: Response) => {
  const to = new URL(response.headers.get('location') ?? 'none:');
  return { to: to.origin + to.pathname, ...Object.fromEntries(to.searchParams) };
};

const isPage = async (response: Response, code: string) => {
  expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toContain(`(${code})`);
};

describe('the authorization endpoint', () => {
  it('answers an unknown client on a page, and redirects nowhere (1: RFC 6749 §4.1.2.1)', async () => {
    const { user, confidential } = await newOAuthWorld();
    await isPage(
      await user.authorize(ask(confidential, { client_id: 'app_00000000000000000000000000' })),
      'invalid_request',
    );
  });

  it('answers a redirect_uri that is missing or not exact on a page (2: RFC 9700 §2.1)', async () => {
    const { user, confidential } = await newOAuthWorld();
    const near = [
      `${CALLBACK}/`,
      `${CALLBACK}/more`,
      'https://app.example/',
      `${CALLBACK}?x=1`,
      `${CALLBACK}#f`,
      'https://app.example/Callback',
      'https://APP.example/callback',
      'http://app.example/callback',
      'https://app.example:443/callback',
      'https://app.example:8443/callback',
      'https://app.example/x/../callback',
      'https://app.example/%63allback',
      'https://user@app.example/callback',
      'https://app.example.evil.example/callback',
      '//app.example/callback',
    ];
    for (const redirect_uri of [undefined, '', ...near])
      await isPage(await user.authorize(ask(confidential, { redirect_uri })), 'invalid_request');
  });

  it('accepts any port of a loopback address for a native client, and no other difference (3: RFC 8252 §7.3)', async () => {
    const { user, owner, organization, open } = await newOAuthWorld();
    const redirectUris = ['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost:7000/cb'];
    const native = await newClient(owner, organization.id, { kind: 'PUBLIC', native: true, redirectUris });
    const web = await newClient(owner, organization.id, { kind: 'PUBLIC', redirectUris });
    const status = async (client: typeof native, redirect_uri: string) =>
      (await user.authorize(ask(client, { redirect_uri }))).status;
    const loopback = ['127.0.0.1:51004', '[::1]:51004', '127.0.0.1', 'localhost:51004', 'localhost'];
    for (const uri of loopback.map((host) => `http://${host}/cb`))
      expect([uri, await status(native, uri)]).toEqual([uri, 200]);
    const refused = [
      'http://127.0.0.1:51004/other',
      'http://127.0.0.1:0/cb',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:51004/cb?x',
      'http://127.0.0.1:51004.evil.example/cb',
      'http://127.0.0.1:51004@evil.example/cb',
      'http://127.0.0.2:51004/cb',
      'https://127.0.0.1:51004/cb',
      'http://localhost:51004/other',
      'http://localhost.evil.example:51004/cb',
    ];
    for (const uri of refused) expect([uri, await status(native, uri)]).toEqual([uri, 400]);
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await status(web, `http://${host}:51004/cb`)).toBe(400);
    expect(await status(open, 'http://127.0.0.1:51004/cb')).toBe(400);
  });

  it('redirects a native client to a private-use scheme (4: RFC 8252 §7.1)', async () => {
    const { user, owner, organization } = await newOAuthWorld();
    const redirectUris = ['com.example.app:/callback'];
    const native = await newClient(owner, organization.id, { kind: 'PUBLIC', native: true, redirectUris });
    const answer = await user.approve(ask(native));
    expect(answer.href).toMatch(/^com\.example\.app:\/callback\?code=dgc_[\w-]{43}&state=st4te&iss=/);
  });

  it('redirects with an error for a missing or unsupported response_type (5: RFC 6749 §4.1.2.1)', async () => {
    const { user, confidential } = await newOAuthWorld();
    const missing = await user.authorize(ask(confidential, { response_type: undefined }));
    expect([missing.status, answerOf(missing)]).toMatchObject([
      303,
      { to: CALLBACK, error: 'invalid_request' },
    ]);
    for (const response_type of ['token', 'id_token', 'code token', 'none', 'CODE'])
      expect(answerOf(await user.authorize(ask(confidential, { response_type })))).toMatchObject({
        to: CALLBACK,
        error: 'unsupported_response_type',
        state: 'st4te',
      });
  });

  it('answers invalid_scope to a scope that is unknown, malformed or not allowed for the client (6: RFC 6749 §3.3)', async () => {
    const { user, owner, organization, confidential } = await newOAuthWorld();
    for (const scope of [
      'ADMIN',
      'read administer',
      'READ',
      'read  write',
      ' read',
      'read ',
      'read,write',
      'read\twrite',
    ])
      expect(answerOf(await user.authorize(ask(confidential, { scope })))).toMatchObject({
        error: 'invalid_scope',
      });
    const reader = await newClient(owner, organization.id, { scopes: ['read'] });
    expect(answerOf(await user.authorize(ask(reader)))).toMatchObject({ error: 'invalid_scope' });
    expect((await user.authorize(ask(reader, { scope: 'read' }))).status).toBe(200);
  });

  it('requires a state, and returns it byte for byte (7: specification §5.1)', async () => {
    const { user, confidential } = await newOAuthWorld();
    const without = answerOf(await user.authorize(ask(confidential, { state: undefined })));
    expect(without).toMatchObject({ error: 'invalid_request', error_description: 'state is missing.' });
    expect(without).not.toHaveProperty('state');
    for (const state of [
      'a b+c%20d&e=f#g?h/i"<>',
      'žluťoučký 🐴',
      '=',
      '%',
      `\r\nLocation: x`,
      'x'.repeat(2000),
    ]) {
      expect((await user.approve(ask(confidential, { state }))).searchParams.get('state')).toBe(state);
      const refused = await user.authorize(ask(confidential, { state, scope: 'no' }));
      expect(new URL(refused.headers.get('location') as string).searchParams.get('state')).toBe(state);
    }
  });

  it('answers invalid_request to a repeated parameter (8: RFC 6749 §3.1)', async () => {
    const { user, confidential } = await newOAuthWorld();
    const query = encode(ask(confidential));
    for (const name of ['client_id', 'redirect_uri'])
      await isPage(
        await user.request(
          `${query}&${name}=${encodeURIComponent(String(ask(confidential)[name as 'client_id']))}`,
        ),
        'invalid_request',
      );
    for (const name of [
      'response_type',
      'scope',
      'code_challenge',
      'code_challenge_method',
      'state',
      'response_mode',
    ])
      expect(answerOf(await user.request(`${query}&${name}=x&${name}=x`))).toMatchObject({
        to: CALLBACK,
        error: 'invalid_request',
        error_description: `${name} occurs more than once.`,
      });
  });

  it('ignores unknown parameters, also repeated ones (RFC 6749 §3.1)', async () => {
    const { user, confidential } = await newOAuthWorld();
    expect((await user.request(`${encode(ask(confidential))}&foo=1&foo=2&%00=%ff&prompt=none`)).status).toBe(
      200,
    );
  });

  it('requires PKCE of public clients (9: RFC 7636, RFC 9700 §2.1.1)', async () => {
    const { user, open, confidential } = await newOAuthWorld();
    const without = { code_challenge: undefined, code_challenge_method: undefined };
    expect(answerOf(await user.authorize(ask(open, without)))).toMatchObject({
      error: 'invalid_request',
      error_description: 'code_challenge is missing.',
    });
    expect((await user.authorize(ask(confidential, without))).status).toBe(200);
  });

  it('refuses the method plain, and an absent method, which means plain (10: RFC 7636 §4.3)', async () => {
    const { user, open, confidential } = await newOAuthWorld();
    for (const client of [open, confidential])
      for (const code_challenge_method of ['plain', undefined, '', 's256', 'S512'])
        expect(answerOf(await user.authorize(ask(client, { code_challenge_method })))).toMatchObject({
          error: 'invalid_request',
          error_description: 'code_challenge_method must be S256.',
        });
  });

  it('refuses a malformed challenge, and a method without a challenge (11: RFC 7636 §4.2)', async () => {
    const { user, confidential } = await newOAuthWorld();
    for (const code_challenge of [
      'short',
      'x'.repeat(44),
      `${'x'.repeat(42)}=`,
      `${'x'.repeat(42)}+`,
      undefined,
    ])
      expect(answerOf(await user.authorize(ask(confidential, { code_challenge })))).toMatchObject({
        error: 'invalid_request',
      });
  });

  it('answers unauthorized_client to a disabled one (14: RFC 6749 §4.1.2.1)', async () => {
    const { user, owner, organization } = await newOAuthWorld();
    const off = await newClient(owner, organization.id, { scopes: [] });
    expect(answerOf(await user.authorize(ask(off, { scope: 'read' })))).toMatchObject({
      to: CALLBACK,
      error: 'unauthorized_client',
    });
  });

  it('answers a request of more than 5,000 characters on a page', async () => {
    const { user, confidential } = await newOAuthWorld();
    await isPage(await user.authorize(ask(confidential, { foo: 'x'.repeat(5_000) })), 'invalid_request');
  });

  it('redirects with an error for a state that is too long or not valid text', async () => {
    const { user, confidential } = await newOAuthWorld();
    expect(answerOf(await user.authorize(ask(confidential, { state: 'x'.repeat(2_001) })))).toMatchObject({
      error: 'invalid_request',
      error_description: 'state is too long.',
    });
    const query = encode(ask(confidential, { state: undefined }));
    for (const state of ['%ff', '%', '%zz', '%00'])
      expect(answerOf(await user.request(`${query}&state=${state}`))).toMatchObject({
        error: 'invalid_request',
        error_description: 'state is malformed.',
      });
  });
});
