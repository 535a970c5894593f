import { describe, expect, it } from 'vitest';
import { fromNow } from '../../src/lib/time.ts';
import { ask, browser, CALLBACK, encode, ISSUER, newOAuthWorld, post, signedIn } from '../support/oauth.ts';

async function setUp() {
  const world = await newOAuthWorld();
  const { app, user, confidential, as } = world;
  const push = async (more = {}) => {
    const { body } = await post(app, '/oauth/par', { ...ask(confidential), ...as(confidential), ...more });
    return { client_id: confidential.id, request_uri: body.request_uri as string };
  };
  const consent = async (request: Record<string, string | undefined>) =>
    (await user.authorize(request)).text();
  const submit = (html: string, decision = 'approve') => user.decide(new Response(html), decision);
  return { ...world, push, consent, submit };
}

const locationOf = (answer: Response) => answer.headers.get('location') ?? '';
const codeOf = (answer: Response) => new URL(locationOf(answer)).searchParams.get('code') as string;

/** The target of the only link of the page, as a browser reads it. */
const linkOf = (html: string) =>
  new URL((/href="(https[^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&'));

describe('the second submission of a consent', () => {
  it.each([
    true,
    false,
  ])('is answered with the same redirect while its code is not redeemed (pushed: %s)', async (pushed) => {
    const { push, consent, submit, confidential, redeem } = await setUp();
    const html = await consent(pushed ? await push() : ask(confidential));
    const [first, second] = [await submit(html), await submit(html)];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(locationOf(second)).toBe(locationOf(first));
    expect((await redeem(confidential, codeOf(second))).status).toBe(200);
  });

  it('gets another valid code if the first one was redeemed', async () => {
    const { push, consent, submit, confidential, redeem, api } = await setUp();
    const html = await consent(await push());
    const first = await submit(html);
    const { body } = await redeem(confidential, codeOf(first));
    const second = await submit(html);
    const late = await redeem(confidential, codeOf(second));
    expect([second.status, late.status]).toEqual([303, 200]);
    expect([await api(body.access_token), await api(late.body.access_token)]).toEqual([200, 200]);
  });

  it.each([
    true,
    false,
  ])('links back to the application later, and when all its codes are used (pushed: %s)', async (pushed) => {
    const { db, push, consent, submit, confidential, redeem } = await setUp();
    const html = await consent(pushed ? await push() : ask(confidential));
    await redeem(confidential, codeOf(await submit(html)));
    const clientId = confidential.id;
    await db.prisma.authorizationCode.updateMany({
      where: { grant: { clientId } },
      data: { createdAt: fromNow(-31_000) },
    });
    await db.prisma.pushedRequest.updateMany({ where: { clientId }, data: { usedAt: fromNow(-31_000) } });
    const late = await submit(html);
    const text = await late.text();
    expect([late.status, late.headers.get('location')]).toEqual([400, null]);
    expect(text).toContain('<bdi class="who">Planner</bdi> has received your answer');
    const link = linkOf(text);
    expect([link.origin + link.pathname, Object.fromEntries(link.searchParams)]).toEqual([
      CALLBACK,
      {
        error: pushed ? 'invalid_request_uri' : 'invalid_request',
        error_description: 'This request has already been answered.',
        state: 'st4te',
        iss: ISSUER,
      },
    ]);
  });

  it('gets at most three codes', async () => {
    const { push, consent, submit, confidential, redeem } = await setUp();
    const html = await consent(await push());
    const codes = [];
    for (let time = 0; time < 3; time++) {
      codes.push(codeOf(await submit(html)));
      await redeem(confidential, codes.at(-1) as string);
    }
    expect(new Set(codes).size).toBe(3);
    expect((await submit(html)).status).toBe(400);
  });

  it('gets no code once the access was revoked', async () => {
    const { owner, consent, submit, confidential, redeem, db } = await setUp();
    const html = await consent(ask(confidential));
    await redeem(confidential, codeOf(await submit(html)));
    const revocation =
      'mutation ($input: RevokeAuthorizationInput!) { revokeAuthorization(input: $input) { clientId } }';
    await owner.graph(revocation, { input: { clientId: confidential.id } });
    expect((await submit(html)).status).toBe(400);
    expect(await db.prisma.grant.count({ where: { userId: owner.id, revokedAt: null } })).toBe(0);
  });

  it('is refused from another sign-in of the same person, and from another page', async () => {
    const { app, db, owner, push, consent, submit } = await setUp();
    const request = await push();
    const [html, other] = [await consent(request), await consent(request)];
    expect((await submit(html)).status).toBe(303);
    expect((await submit(other)).status).toBe(400);
    const elsewhere = browser(app, await signedIn(db, owner.id));
    expect((await elsewhere.decide(new Response(html), 'approve')).status).toBe(400);
  });

  it('cannot change the decision', async () => {
    const { push, consent, submit } = await setUp();
    const html = await consent(await push());
    expect(locationOf(await submit(html, 'deny'))).toContain('error=access_denied');
    expect((await submit(html, 'approve')).status).toBe(400);
    const next = await consent(await push());
    expect((await submit(next)).status).toBe(303);
    expect((await submit(next, 'deny')).status).toBe(400);
  });
});

describe('a request that has ended', () => {
  it('shows a page that links back to the application, if reloaded after the answer', async () => {
    const { push, consent, submit, user, app } = await setUp();
    const request = await push({ scope: 'read' });
    await submit(await consent(request));
    for (const visitor of [user, browser(app)]) {
      const back = await visitor.authorize(request);
      const html = await back.text();
      expect([back.status, linkOf(html).searchParams.get('error')]).toEqual([400, 'invalid_request_uri']);
      expect(html).toContain('Back to <bdi class="who">Planner</bdi>');
    }
  });

  it('shows that page if it has expired, and that nothing was allowed', async () => {
    const { db, push, user, confidential } = await setUp();
    const request = await push();
    await db.prisma.pushedRequest.updateMany({
      where: { clientId: confidential.id },
      data: { expiresAt: fromNow(-1) },
    });
    const html = await (await user.authorize(request)).text();
    expect(html).toMatch(/<bdi[^>]*>Planner<\/bdi> requested access too long ago. Nothing was allowed/);
    expect(linkOf(html).origin).toBe('https://app.example');
  });

  it('shows that page if the form belongs to another sign-in', async () => {
    const { app, db, owner, consent, confidential } = await setUp();
    const html = await consent(ask(confidential));
    const elsewhere = browser(app, await signedIn(db, owner.id));
    const answer = await elsewhere.decide(new Response(html), 'approve');
    const text = await answer.text();
    expect([answer.status, linkOf(text).searchParams.get('error')]).toEqual([403, 'access_denied']);
    expect(text).toContain('Planner');
  });

  it('answers a reload of a pushed request without consent with the same redirect', async () => {
    const { push, user, confidential } = await setUp();
    await user.code(ask(confidential));
    const request = await push();
    const [first, again] = [await user.request(encode(request)), await user.request(encode(request))];
    expect(codeOf(first)).toMatch(/^dgc_/);
    expect(locationOf(again)).toBe(locationOf(first));
  });
});
