import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { TOKEN_SWEEPS } from '../../src/domain/oauth/token-sweep.ts';
import { DAY } from '../../src/lib/time.ts';
import { encode, newClient, newOAuthWorld, post, type TestClient } from '../support/oauth.ts';
import { GRANTED, outcome, REFUSED } from '../support/token-answer.ts';

describe('refreshing', () => {
  it('issues a new pair and invalidates the used token (33: RFC 9700 §4.14.2)', async () => {
    const { confidential, open, tokens, refresh, api } = await newOAuthWorld();
    for (const client of [confidential, open]) {
      const first = await tokens(client);
      const { status, body } = await refresh(client, first.refresh_token);
      expect([status, body.scope, body.token_type]).toEqual([200, 'read write', 'Bearer']);
      expect(
        new Set([first.access_token, body.access_token, first.refresh_token, body.refresh_token]).size,
      ).toBe(4);
      expect([await api(first.access_token), await api(body.access_token)]).toEqual([200, 200]);
    }
  });

  it('revokes the tokens when a token is reused, and shows it to the user (34: RFC 9700 §4.14.2)', async () => {
    const { owner, confidential, tokens, refresh, introspect, api } = await newOAuthWorld();
    const first = await tokens();
    const second = (await refresh(confidential, first.refresh_token)).body;
    const third = (await refresh(confidential, second.refresh_token)).body;
    expect(outcome(await refresh(confidential, first.refresh_token))).toEqual(REFUSED);
    for (const token of [first, second, third]) expect(await api(token.access_token)).toBe(401);
    expect(outcome(await refresh(confidential, third.refresh_token))).toEqual(REFUSED);
    expect((await introspect(confidential, third.refresh_token)).body).toEqual({ active: false });
    const { data } = await owner.graph(
      '{ viewer { securityEvents(first: 1) { nodes { kind clientId clientName } } } }',
    );
    expect(data.viewer.securityEvents.nodes).toEqual([
      { kind: 'authorization.refresh_token_reused', clientId: confidential.id, clientName: 'Planner' },
    ]);
  });

  it('issues one pair to two concurrent requests, and revokes it (35: RFC 9700 §4.14.2)', async () => {
    const { confidential, tokens, refresh, api } = await newOAuthWorld();
    const { refresh_token } = await tokens();
    const answers = await Promise.all([1, 2].map(() => refresh(confidential, refresh_token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    for (const { body } of answers) expect(await api(body.access_token ?? 'dga_none')).toBe(401);
  });

  it('records a reuse once for any number of attempts, also after the token would have expired', async () => {
    const { db, owner, confidential, tokens, refresh } = await newOAuthWorld();
    const first = await tokens();
    await refresh(confidential, first.refresh_token);
    await db.prisma.refreshToken.updateMany({
      where: { NOT: { usedAt: null } },
      data: { expiresAt: new Date() },
    });
    for (let time = 0; time < 3; time++)
      expect(outcome(await refresh(confidential, first.refresh_token))).toEqual(REFUSED);
    const kind = 'authorization.refresh_token_reused';
    expect(await db.prisma.securityEvent.count({ where: { userId: owner.id, kind } })).toBe(1);
  });

  it('detects a reuse also with an invalid scope', async () => {
    const { confidential, tokens, refresh, api } = await newOAuthWorld();
    const first = await tokens(confidential, { scope: 'read' });
    const { body } = await refresh(confidential, first.refresh_token);
    expect(outcome(await refresh(confidential, first.refresh_token, { scope: 'write' }))).toEqual(REFUSED);
    expect(await api(body.access_token)).toBe(401);
  });

  it('can reduce the scope and never extends it; a refused request consumes nothing (36: RFC 6749 §6)', async () => {
    const { app, as, confidential, tokens, refresh } = await newOAuthWorld();
    const both = await tokens();
    const narrow = (await refresh(confidential, both.refresh_token, { scope: 'read' })).body;
    expect(narrow.scope).toBe('read');
    const wide = (await refresh(confidential, narrow.refresh_token, { scope: 'write read' })).body;
    expect(wide.scope).toBe('read write');
    const reading = await tokens(confidential, { scope: 'read' });
    for (const scope of ['read write', 'write', 'admin', 'read  write'])
      expect(outcome(await refresh(confidential, reading.refresh_token, { scope }))).toEqual([
        400,
        'invalid_scope',
      ]);
    const { refresh_token } = reading;
    const form = { grant_type: 'refresh_token', refresh_token, scope: 'read', ...as(confidential) };
    const twice = await post(app, '/oauth/token', `${encode(form)}&scope=read`);
    expect(outcome(twice)).toEqual([400, 'invalid_request']);
    expect((await refresh(confidential, refresh_token)).body.scope).toBe('read');
  });

  it('is bound to the client; the attempt of another client does not consume the token (37: RFC 6749 §6)', async () => {
    const { owner, organization, confidential, open, tokens, refresh } = await newOAuthWorld();
    const other = await newClient(owner, organization.id);
    const { refresh_token } = await tokens();
    for (const thief of [other, open]) expect(outcome(await refresh(thief, refresh_token))).toEqual(REFUSED);
    expect(outcome(await refresh(confidential, refresh_token))).toEqual(GRANTED);
    for (const thief of [other, open]) expect(outcome(await refresh(thief, refresh_token))).toEqual(REFUSED);
  });

  it('is possible until 30 days after the last use, and a year after the approval (38: ASVS 10.4.8)', async () => {
    const { db, confidential, tokens, refresh } = await newOAuthWorld();
    const { refresh_token } = await tokens();
    const its = { grant: { clientId: confidential.id } };
    const lifetime = async () => {
      const token = await db.prisma.refreshToken.findFirstOrThrow({ where: { ...its, usedAt: null } });
      return Math.round((token.expiresAt.getTime() - Date.now()) / DAY);
    };
    expect(await lifetime()).toBe(30);
    const old = new Date(Date.now() - 360 * DAY);
    await db.prisma.authorizationCode.updateMany({ where: its, data: { createdAt: old } });
    const { body } = await refresh(confidential, refresh_token);
    expect(await lifetime()).toBe(5);
    await db.prisma.refreshToken.updateMany({ where: its, data: { expiresAt: new Date() } });
    expect(outcome(await refresh(confidential, body.refresh_token))).toEqual(REFUSED);
  });

  it('is limited to the current scopes of the client, and refused without any', async () => {
    const { db, confidential, tokens, refresh } = await newOAuthWorld();
    const allow = (scopes: ('read' | 'write')[]) =>
      db.prisma.client.update({ where: { id: confidential.id }, data: { scopes } });
    const [both, reading] = [await tokens(), await tokens(confidential, { scope: 'read' })];
    await allow(['read']);
    const { body } = await refresh(confidential, both.refresh_token);
    expect(body.scope).toBe('read');
    const wide = await refresh(confidential, body.refresh_token, { scope: 'read write' });
    expect(outcome(wide)).toEqual([400, 'invalid_scope']);
    await allow(['write']);
    expect(outcome(await refresh(confidential, reading.refresh_token))).toEqual([400, 'invalid_scope']);
  });

  it('is refused with a description of the reason', async () => {
    const { db, confidential, tokens, refresh } = await newOAuthWorld();
    const why = async (token: string, scope?: string) =>
      (await refresh(confidential, token, { scope })).body.error_description;
    const { refresh_token } = await tokens(confidential, { scope: 'read' });
    expect(await why('dgr_unknown')).toContain('not known');
    expect(await why(refresh_token, 'write')).toContain('exceeds what was granted');
    await refresh(confidential, refresh_token);
    expect(await why(refresh_token)).toContain('used before');
    const late = await tokens();
    await db.prisma.refreshToken.updateMany({ where: { usedAt: null }, data: { expiresAt: new Date() } });
    expect(await why(late.refresh_token)).toContain('expired');
  });

  it('accepts only refresh tokens of this server', async () => {
    const { confidential, tokens, refresh } = await newOAuthWorld();
    const { access_token } = await tokens();
    for (const token of [access_token, 'dgr_', 'x'.repeat(5_000), 'dgr_žluťoučký'])
      expect(outcome(await refresh(confidential, token))).toEqual(REFUSED);
  });

  it('ends with the person, the client and the approval it comes from', async () => {
    const { db, owner, confidential, tokens, refresh } = await newOAuthWorld();
    const { refresh_token } = await tokens();
    await db.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } });
    expect(outcome(await refresh(confidential, refresh_token))).toEqual(REFUSED);
    await db.prisma.user.update({ where: { id: owner.id }, data: { disabledAt: null } });
    await db.prisma.grant.updateMany({ where: { userId: owner.id }, data: { revokedAt: new Date() } });
    expect(outcome(await refresh(confidential, refresh_token))).toEqual(REFUSED);
  });
});

const tokensOf = ({ id }: TestClient) => ({ grant: { clientId: id } });

const livingChains = (db: Database, client: TestClient) =>
  db.prisma.refreshToken.count({ where: { ...tokensOf(client), usedAt: null } });

async function keptPairs(db: Database, client: TestClient): Promise<(Uint8Array | null)[]> {
  const rows = await db.prisma.refreshToken.findMany({
    where: { ...tokensOf(client), NOT: { successor: null } },
  });
  return rows.map(({ successor }) => successor);
}

describe('refreshing with a grace window', () => {
  const GRACE = { refreshGrace: 20_000 };

  it('returns the same pair again to a client that lost the response', async () => {
    const { db, confidential, tokens, refresh, api } = await newOAuthWorld(GRACE);
    const { refresh_token } = await tokens();
    const lost = await refresh(confidential, refresh_token);
    const { status, body } = await refresh(confidential, refresh_token);
    expect([status, body.access_token, body.refresh_token, body.scope]).toEqual([
      200,
      lost.body.access_token,
      lost.body.refresh_token,
      lost.body.scope,
    ]);
    expect(body.expires_in).toBeLessThanOrEqual(lost.body.expires_in);
    expect(await api(body.access_token)).toBe(200);
    expect(await livingChains(db, confidential)).toBe(1);
  });

  it('returns one pair to twenty concurrent requests, and one chain of tokens remains valid', async () => {
    const { db, confidential, tokens, refresh, api } = await newOAuthWorld(GRACE);
    const { refresh_token } = await tokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(confidential, refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [pair, ...others] = new Set(
      answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`),
    );
    expect(others).toEqual([]);
    const [access, next] = (pair as string).split(' ') as [string, string];
    expect(await api(access)).toBe(200);
    expect(outcome(await refresh(confidential, next))).toEqual(GRANTED);
    expect(await livingChains(db, confidential)).toBe(1);
  });

  it('revokes the family if a token is reused after the pair of its first use was used', async () => {
    const { confidential, tokens, refresh, api } = await newOAuthWorld(GRACE);
    const { refresh_token } = await tokens();
    const first = (await refresh(confidential, refresh_token)).body;
    const second = (await refresh(confidential, first.refresh_token)).body;
    expect(outcome(await refresh(confidential, refresh_token))).toEqual(REFUSED);
    expect(await api(second.access_token)).toBe(401);
    expect(outcome(await refresh(confidential, second.refresh_token))).toEqual(REFUSED);
  });

  it('revokes the family on a reuse after the window', async () => {
    const { db, confidential, tokens, refresh, api } = await newOAuthWorld(GRACE);
    const { refresh_token } = await tokens();
    const { body } = await refresh(confidential, refresh_token);
    await db.query(
      sql`UPDATE refresh_tokens SET used_at = now() - interval '21 seconds' WHERE used_at IS NOT NULL`,
    );
    expect(outcome(await refresh(confidential, refresh_token))).toEqual(REFUSED);
    expect(await api(body.access_token)).toBe(401);
  });

  it('does not repeat a revoked pair, nor repeats one to another client', async () => {
    const { owner, organization, confidential, tokens, refresh, revoke } = await newOAuthWorld(GRACE);
    const stranger = await newClient(owner, organization.id);
    const { refresh_token } = await tokens();
    const { body } = await refresh(confidential, refresh_token);
    expect(outcome(await refresh(stranger, refresh_token))).toEqual(REFUSED);
    await revoke(confidential, body.refresh_token);
    expect(outcome(await refresh(confidential, refresh_token))).toEqual(REFUSED);
  });

  it('stores the pair encrypted with the token, and not after the window', async () => {
    const { db, confidential, tokens, refresh } = await newOAuthWorld(GRACE);
    const { refresh_token } = await tokens();
    const { body } = await refresh(confidential, refresh_token);
    const storedPair = async () => (await keptPairs(db, confidential))[0];
    expect(Buffer.from((await storedPair()) as Uint8Array).includes(body.refresh_token)).toBe(false);
    await db.query(
      sql`UPDATE refresh_tokens SET used_at = now() - interval '2 minutes' WHERE used_at IS NOT NULL`,
    );
    await inTransaction(db, (tx) => TOKEN_SWEEPS.successors(tx, 100));
    expect(await storedPair()).toBeUndefined();
  });

  it('stores no pair without a window', async () => {
    const { db, confidential, tokens, refresh } = await newOAuthWorld();
    await refresh(confidential, (await tokens()).refresh_token);
    expect((await keptPairs(db, confidential)).length).toBe(0);
  });
});
