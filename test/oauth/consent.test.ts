import { describe, expect, it } from 'vitest';
import {
  ask,
  browser,
  CALLBACK,
  encode,
  hiddenFields,
  ISSUER,
  newClient,
  newOAuthWorld,
  signedIn,
} from '../support/oauth.ts';

const answerOf = (response: Response) => {
  const to = new URL(response.headers.get('location') ?? 'none:');
  return { to: to.origin + to.pathname, ...Object.fromEntries(to.searchParams) };
};

describe('the authorization screen', () => {
  it('redirects with access_denied if the person denies, and issues nothing (12: RFC 6749 §4.1.2.1)', async () => {
    const { db, owner, user, confidential } = await newOAuthWorld();
    const answer = await user.decide(await user.authorize(ask(confidential)), 'deny');
    expect([answer.status, answerOf(answer)]).toEqual([
      303,
      {
        to: CALLBACK,
        error: 'access_denied',
        error_description: 'The request was denied.',
        state: 'st4te',
        iss: ISSUER,
      },
    ]);
    expect(await db.prisma.grant.count({ where: { userId: owner.id } })).toBe(0);
  });

  it('names the issuer in every response (13: RFC 9207 §2)', async () => {
    const { user, confidential } = await newOAuthWorld();
    const success = Object.fromEntries((await user.approve(ask(confidential))).searchParams);
    expect(success).toEqual({ code: expect.stringMatching(/^dgc_[\w-]{43}$/), state: 'st4te', iss: ISSUER });
    expect(answerOf(await user.authorize(ask(confidential, { scope: 'no' })))).toMatchObject({ iss: ISSUER });
  });

  it('redirects only with 303 (15: RFC 9700 §4.12)', async () => {
    const { app, user, confidential } = await newOAuthWorld();
    const statuses = [
      (await browser(app).authorize(ask(confidential))).status,
      (await user.authorize(ask(confidential, { scope: 'no' }))).status,
      (await user.decide(await user.authorize(ask(confidential)), 'deny')).status,
      (await user.decide(await user.authorize(ask(confidential)), 'approve')).status,
      (await user.authorize(ask(confidential))).status,
    ];
    expect(statuses).toEqual([303, 303, 303, 303, 303]);
  });

  it('binds the form to the sign-in of the browser and to the shown request (16: RFC 6749 §10.12)', async () => {
    const { app, db, owner, stranger, confidential } = await newOAuthWorld();
    const mine = await signedIn(db, owner.id);
    const { request, proof } = hiddenFields(
      await (await browser(app, mine).authorize(ask(confidential, { scope: 'read' }))).text(),
    );
    const more = (request as string).replace('scope=read', 'scope=read+write');
    const send = (cookie: string | undefined, form: Record<string, string | undefined>) =>
      app.request('/oauth/authorize', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...(cookie && { cookie }) },
        body: encode({ decision: 'approve', ...form }),
      });
    const other = await signedIn(db, owner.id);
    const theirs = await signedIn(db, stranger.id);
    for (const [cookie, form] of [
      [other, { request, proof }],
      [theirs, { request, proof }],
      [mine, { request }],
      [mine, { request, proof: 'x' }],
      [mine, { request: more, proof }],
    ] as const)
      expect((await send(cookie, form)).status).toBe(403);
    const away = await send(undefined, { request, proof });
    expect([away.status, away.headers.get('location')]).toEqual([
      303,
      `/sign-in?return_to=${encodeURIComponent(`/oauth/authorize?${request}`)}`,
    ]);
    const codes = { where: { grant: { clientId: confidential.id } } };
    expect(await db.prisma.authorizationCode.count(codes)).toBe(0);
    expect((await send(mine, { request, proof })).headers.get('location')).toContain('?code=');
  });

  it('prevents framing, caching and referrers of its pages (17: RFC 9700 §4.2, §4.16)', async () => {
    const { user, confidential } = await newOAuthWorld();
    for (const response of [
      await user.authorize(ask(confidential)),
      await user.authorize(ask(confidential, { client_id: 'x' })),
    ]) {
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      });
      expect(headers['content-security-policy']).not.toMatch(/unsafe|script-src/);
    }
    const redirect = await user.authorize(ask(confidential, { scope: 'no' }));
    expect(Object.fromEntries(redirect.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  it('always asks for consent to a public client, which anybody could impersonate (18: RFC 8252 §8.6)', async () => {
    const { user, open } = await newOAuthWorld();
    await user.approve(ask(open));
    const again = await user.authorize(ask(open));
    expect(again.status).toBe(200);
    expect(await again.text()).toContain('You have already allowed it to');
  });

  it('asks again for a confidential client only if it requests more scopes', async () => {
    const { user, confidential } = await newOAuthWorld();
    await user.approve(ask(confidential, { scope: 'read' }));
    const again = await user.authorize(ask(confidential, { scope: 'read' }));
    expect([again.status, answerOf(again)]).toMatchObject([303, { to: CALLBACK, code: expect.any(String) }]);
    const more = await (await user.authorize(ask(confidential))).text();
    expect(more.split('You have already allowed it to').map((part) => /<code>(\w+)/.exec(part)?.[1])).toEqual(
      ['write', 'read'],
    );
  });

  it('asks again after the access was revoked', async () => {
    const { owner, user, confidential } = await newOAuthWorld();
    await user.approve(ask(confidential));
    await owner.graph(
      'mutation ($input: RevokeAuthorizationInput!) { revokeAuthorization(input: $input) { clientId } }',
      {
        input: { clientId: confidential.id },
      },
    );
    expect((await user.authorize(ask(confidential))).status).toBe(200);
  });

  it('redirects people without a sign-in to the sign-in page, and back to the same request', async () => {
    const { app, confidential } = await newOAuthWorld();
    const query = encode(ask(confidential, { state: 'a+b c' }));
    const to = new URL((await browser(app).request(query)).headers.get('location') as string, ISSUER);
    expect([to.pathname, to.searchParams.get('return_to')]).toEqual([
      '/sign-in',
      `/oauth/authorize?${query}`,
    ]);
  });

  it('isolates names, and cleans, shortens and marks names that are older than the rules for names', async () => {
    const { db, owner, organization, user, confidential } = await newOAuthWorld();
    const name = `\u202EDocgraph \u3164Security${'X'.repeat(230)}`;
    await db.prisma.client.update({ where: { id: confidential.id }, data: { name } });
    await db.prisma.organization.update({ where: { id: organization.id }, data: { name: 'أحمد\u2067' } });
    await db.prisma.user.update({ where: { id: owner.id }, data: { name: '\u115F' } });
    const html = await (await user.authorize(ask(confidential))).text();
    const shown = `Docgraph Security${'X'.repeat(32)}…`;
    expect(html).toContain(`Allow <bdi class="who">${shown}</bdi> to use your account?`);
    expect(html).toContain('<dt>Publisher</dt><dd class="who"><bdi class="who">أحمد</bdi></dd>');
    expect(html).toContain('<bdi class="who">No name</bdi>');
    expect(html).toContain('This application is not part of Docgraph');
    expect(html).not.toMatch(/[\u202E\u2067\u3164\u115F]/);
  });

  it('refuses names that would change its text or imitate this service', async () => {
    const { owner, organization } = await newOAuthWorld();
    for (const [name, text] of [
      ['Nice\u202Ereppa', 'U+202E'],
      ['Docgraph Security', 'read like Docgraph'],
      ['a'.repeat(51), '50 characters'],
    ] as const)
      await expect(newClient(owner, organization.id, { name })).rejects.toThrow(text);
  });

  it('shows the application, its organization, the account and each scope in plain words, all as text', async () => {
    const { owner, organization, user } = await newOAuthWorld();
    const client = await newClient(owner, organization.id, { name: '<b>Evil</b> & "co"' });
    const html = await (await user.authorize(ask(client, { state: '"><script>' }))).text();
    expect(html).toContain('&lt;b&gt;Evil&lt;/b&gt; &amp; &quot;co&quot;');
    expect(html).not.toMatch(/<b>|<script/);
    for (const text of [
      'Harbor',
      owner.email,
      'app.example',
      'See everything that you can see',
      'in your name',
    ])
      expect(html).toContain(text);
    expect([...html.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'deny',
      'approve',
    ]);
  });
});
