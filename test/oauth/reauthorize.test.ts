import { describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/lib/secret.ts';
import { ask, newOAuthWorld } from '../support/oauth.ts';
import { outcome, REFUSED } from '../support/token-answer.ts';

const TIMES = 30;

async function setUp() {
  const world = await newOAuthWorld({ authorizeRequests: 0 });
  const { db, owner, confidential } = world;
  const mine = { userId: owner.id, clientId: confidential.id };
  return {
    ...world,
    rows: async () => ({
      grants: await db.prisma.grant.count({ where: mine }),
      codes: await db.prisma.authorizationCode.count({ where: { grant: mine } }),
      events: await db.prisma.securityEvent.count({
        where: { userId: owner.id, kind: 'authorization.granted' },
      }),
    }),
  };
}

describe('authorizing an application again', () => {
  it('adds no grant and no event, and keeps a bounded number of codes', async () => {
    const { confidential, user, rows } = await setUp();
    for (let time = 0; time < TIMES; time++) await user.code(ask(confidential));
    const { grants, codes, events } = await rows();
    expect([grants, events]).toEqual([1, 1]);
    expect(codes).toBeLessThanOrEqual(20);
  });

  it('creates one grant for concurrent authorizations', async () => {
    const { confidential, user, rows } = await setUp();
    const pages = await Promise.all(Array.from({ length: 12 }, () => user.authorize(ask(confidential))));
    const answers = await Promise.all(pages.map((page) => user.decide(page, 'approve')));
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(12);
    expect(await rows()).toMatchObject({ grants: 1, events: 1 });
  });

  it('creates one grant with all scopes for concurrent authorizations of different scopes', async () => {
    const { db, confidential, user, rows } = await setUp();
    const pages = await Promise.all(
      ['read', 'write'].map((scope) => user.authorize(ask(confidential, { scope }))),
    );
    await Promise.all(pages.map((page) => user.decide(page, 'approve')));
    expect(await rows()).toMatchObject({ grants: 1, events: 2 });
    const grant = await db.prisma.grant.findFirstOrThrow({ where: { clientId: confidential.id } });
    expect(grant.scopes).toEqual(['read', 'write']);
  });

  it('adds scopes to the grant, but not to earlier tokens', async () => {
    const { confidential, tokens, introspect, rows } = await setUp();
    const narrow = await tokens(confidential, { scope: 'read' });
    const wide = await tokens(confidential, { scope: 'read write' });
    const again = await tokens(confidential, { scope: 'read' });
    const scopes = [];
    for (const { access_token } of [narrow, wide, again])
      scopes.push((await introspect(confidential, access_token)).body.scope);
    expect(scopes).toEqual(['read', 'read write', 'read']);
    expect(await rows()).toMatchObject({ grants: 1, events: 2 });
  });

  it('revokes the tokens of a replayed code, and no other tokens of the grant', async () => {
    const { confidential, user, redeem, tokens, api } = await setUp();
    const other = await tokens();
    const code = await user.code(ask(confidential));
    const { body } = await redeem(confidential, code);
    expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
    expect([await api(body.access_token), await api(other.access_token)]).toEqual([401, 200]);
  });

  it('revokes the family of a reused refresh token, and no other family', async () => {
    const { confidential, refresh, tokens, api } = await setUp();
    const [other, stolen] = [await tokens(), await tokens()];
    const { body } = await refresh(confidential, stolen.refresh_token);
    expect(outcome(await refresh(confidential, stolen.refresh_token))).toEqual(REFUSED);
    expect([await api(body.access_token), await api(other.access_token)]).toEqual([401, 200]);
    expect(outcome(await refresh(confidential, other.refresh_token))).toEqual([200, undefined]);
  });

  it('leaves no valid token after a concurrent revocation', async () => {
    const { db, owner, confidential, user, redeem, rows } = await setUp();
    await user.code(ask(confidential));
    const revocation =
      'mutation ($input: RevokeAuthorizationInput!) { revokeAuthorization(input: $input) { clientId } }';
    const [again] = await Promise.all([
      user.authorize(ask(confidential)),
      owner.graph(revocation, { input: { clientId: confidential.id } }),
    ]);
    expect(await db.prisma.grant.count({ where: { userId: owner.id, revokedAt: null } })).toBe(0);
    expect((await rows()).grants).toBe(1);
    const code = new URL(again.headers.get('location') ?? 'none:').searchParams.get('code');
    if (code) expect(outcome(await redeem(confidential, code))).toEqual(REFUSED);
  });

  it('limits a token family to a year from its authorization, for a grant of any age', async () => {
    const { db, confidential, tokens, user, redeem } = await setUp();
    await tokens();
    const createdAt = new Date(Date.now() - 2 * 365 * 86_400_000);
    await db.prisma.grant.updateMany({ where: { clientId: confidential.id }, data: { createdAt } });
    const { body } = await redeem(confidential, await user.code(ask(confidential)));
    const token = await db.prisma.refreshToken.findUniqueOrThrow({
      where: { secretHash: hashSecret(body.refresh_token) },
    });
    expect(token.expiresAt.getTime()).toBeGreaterThan(Date.now());
  });
});
