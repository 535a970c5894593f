import { describe, expect, it } from 'vitest';
import { APPLICATION_SCOPES, type Scope } from '../../src/domain/kernel/scope.ts';
import { updateClient } from '../../src/domain/oauth/clients/client-update.ts';
import { parseScope } from '../../src/oauth/request/scope.ts';
import { ask, newOAuthWorld } from '../support/oauth.ts';
import { outcome } from '../support/token-answer.ts';

describe('a scope (RFC 6749 §3.3)', () => {
  it.each([
    ['read', ['read']],
    ['write', ['write']],
    ['read write', ['read', 'write']],
    ['write read', ['read', 'write']],
    ['read read', ['read']],
    ['webhooks:write tasks:read', ['tasks:read', 'webhooks:write']],
  ])('may be %j', (text, scopes) => {
    expect(parseScope(text, ['read', 'write'])).toEqual(scopes);
  });

  it.each([
    ['read write admin workflow', ['read', 'write']],
    ['read workflow', ['read', 'tasks:write', 'approvals:write']],
    ['workflow', ['tasks:read', 'tasks:write', 'approvals:read', 'approvals:write']],
    ['admin openid', ['organizations:read', 'organizations:write', 'events:read', 'openid']],
  ])('of the former vendor stands for what it contains: %j', (text, scopes) => {
    expect(parseScope(text, ['read', 'write', 'openid'])).toEqual(scopes);
  });

  it('of the former vendor stands for no more than the application has', () => {
    expect(parseScope('workflow', ['read'])).toEqual(['tasks:read', 'approvals:read']);
    expect(parseScope('admin', ['tasks:read'])).toEqual([]);
  });

  it.each([
    '',
    ' ',
    'ADMIN',
    'read administer',
    'admin  workflow',
    'READ',
    'tasks',
    'tasks:delete',
    'tasks_read',
    ' read',
    'read ',
    'read  write',
    'read,write',
    'read\twrite',
  ])('is invalid as %j', (text) => {
    expect(parseScope(text, APPLICATION_SCOPES)).toBeUndefined();
  });
});

const setUp = async (scopes: Scope[] = ['read', 'write']) => {
  const world = await newOAuthWorld();
  const allow = async (narrowed: Scope[]) =>
    updateClient(await world.owner.context(), { clientId: world.confidential.id, scopes: narrowed });
  if (scopes.join() !== 'read,write') await allow(scopes);
  return { ...world, allow };
};

describe('scopes of areas', () => {
  it('are granted as they were asked for, and reach what they name', async () => {
    const { confidential, tokens, introspect, api } = await setUp();
    const requested = 'tasks:write tasks:read';
    const { access_token, scope } = await tokens(confidential, { scope: requested });
    expect(scope).toBe('tasks:read tasks:write');
    expect((await introspect(confidential, access_token)).body.scope).toBe('tasks:read tasks:write');
    expect(await api(access_token)).toBe(403);
    const { access_token: organizations } = await tokens(confidential, { scope: 'organizations:read' });
    expect(await api(organizations)).toBe(200);
  });

  it('may be asked for by an application with the scope that includes them, and no others', async () => {
    const { confidential, user } = await setUp(['read', 'tasks:write']);
    const answer = async (scope: string) => {
      const { searchParams } = await user.approve(ask(confidential, { scope }));
      return searchParams.get('error') ?? 'code';
    };
    expect(await answer('documents:read tasks:write')).toBe('code');
    expect(await answer('documents:write')).toBe('invalid_scope');
    expect(await answer('write')).toBe('invalid_scope');
  });

  it('are listed at consent, granted and refreshed for the scopes of the former vendor', async () => {
    const { confidential, tokens, refresh, user } = await setUp();
    const vendor = 'read write admin workflow';
    const page = await (await user.authorize(ask(confidential, { scope: 'read workflow' }))).text();
    const { scope, refresh_token } = await tokens(confidential, { scope: vendor });
    expect(page).toContain('Create, assign, complete, deny and comment on tasks');
    expect(page).not.toContain('Create and change projects');
    expect(scope).toBe('read write');
    expect((await refresh(confidential, refresh_token, { scope: vendor })).body.scope).toBe('read write');
  });

  it('are refused where an application has none of what the scope of the former vendor stands for', async () => {
    const { confidential, user } = await setUp(['documents:read']);
    const { searchParams } = await user.approve(ask(confidential, { scope: 'workflow' }));
    expect(searchParams.get('error')).toBe('invalid_scope');
  });

  it('need no new consent where one that includes them is allowed, but not the other way round', async () => {
    const { db, confidential, tokens, user } = await setUp();
    await tokens(confidential, { scope: 'read' });
    expect((await user.authorize(ask(confidential, { scope: 'documents:read events:read' }))).status).toBe(
      303,
    );
    const grant = await db.prisma.grant.findFirstOrThrow({ where: { clientId: confidential.id } });
    expect(grant.scopes).toEqual(['read']);
    expect((await user.authorize(ask(confidential, { scope: 'documents:write' }))).status).toBe(200);
    await tokens(confidential, { scope: 'tasks:write' });
    expect((await user.authorize(ask(confidential, { scope: 'write' }))).status).toBe(200);
  });

  it('narrow a token when it is refreshed, and never widen it', async () => {
    const { confidential, tokens, refresh } = await setUp();
    const { refresh_token } = await tokens(confidential, { scope: 'read' });
    const { body } = await refresh(confidential, refresh_token, { scope: 'tasks:read' });
    expect(body.scope).toBe('tasks:read');
    const whole = await refresh(confidential, body.refresh_token, { scope: 'tasks:read tasks:write' });
    expect(outcome(whole)).toEqual([400, 'invalid_scope']);
    const narrow = await tokens(confidential, { scope: 'documents:write' });
    const wide = await refresh(confidential, narrow.refresh_token, { scope: 'write' });
    expect(outcome(wide)).toEqual([400, 'invalid_scope']);
  });

  it('remain of a wider token when the application is narrowed', async () => {
    const { confidential, tokens, introspect, allow, api } = await setUp();
    const { access_token, refresh_token } = await tokens(confidential, { scope: 'read write' });
    const { access_token: tasks } = await tokens(confidential, { scope: 'tasks:read' });
    await allow(['documents:read', 'tasks:write']);
    expect((await introspect(confidential, access_token)).body.scope).toBe('documents:read tasks:write');
    expect((await introspect(confidential, refresh_token)).body.scope).toBe('documents:read tasks:write');
    expect((await introspect(confidential, tasks)).body).toEqual({ active: false });
    expect(await api(access_token)).toBe(403);
  });

  it('are listed in the metadata, for the APIs without those of OpenID Connect', async () => {
    const { app } = await setUp();
    for (const [name, count] of [
      ['oauth-authorization-server', 20],
      ['openid-configuration', 20],
      ['oauth-protected-resource', 17],
    ] as const) {
      const answer = await app.request(`/.well-known/${name}`);
      const { scopes_supported } = (await answer.json()) as { scopes_supported: string[] };
      expect(scopes_supported).toHaveLength(count);
      expect(scopes_supported).toContain('webhooks:write');
    }
  });
});
