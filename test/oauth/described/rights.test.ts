import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { ISSUER, post } from '../../support/oauth.ts';
import { documentServer } from '../../support/servers/document-server.ts';
import { newMember } from '../../support/world.ts';
import { askFor, CALLBACK, describedWorld } from './world.ts';

let documents: Awaited<ReturnType<typeof documentServer>>;
let world: Awaited<ReturnType<typeof describedWorld>>;
let url: string;

beforeAll(async () => {
  documents = await documentServer();
});
afterAll(() => documents.close());
beforeEach(async () => {
  world = await describedWorld(documents);
  url = documents.publish(documents.newUrl());
});

/** The error that the application gets by redirect, if any. */
const errorOf = async (more: Record<string, string | undefined>) =>
  (await world.user.approve(askFor(url, more))).searchParams.get('error');

describe('an application that a document describes', () => {
  it('gets tokens for /mcp alone, before and after a refresh, and ends them', async () => {
    const tokens = await world.tokensOf(url);
    const { body } = await post(world.app, '/oauth/token', {
      ...{ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: url },
    });
    expect(tokens).toMatchObject({ scope: 'documents:read tasks:write' });
    expect([await world.mcp(body.access_token), await world.api(body.access_token)]).toEqual([200, 401]);
    await post(world.app, '/oauth/revoke', { token: body.refresh_token, client_id: url });
    expect(await world.mcp(body.access_token)).toBe(401);
  });

  it.each([
    ['no resource', undefined],
    ['the APIs', ISSUER],
    ['another server', 'https://api.example'],
  ])('may not request %s', async (_, resource) => {
    expect(await errorOf({ resource })).toBe('invalid_target');
  });

  it.each([
    'write',
    'organizations:write',
    'members:write',
    'webhooks:write',
    'openid',
    'email',
  ])('may not request the scope %s', async (scope) => {
    expect(await errorOf({ scope: `documents:read ${scope}` })).toBe('invalid_scope');
  });

  it('needs PKCE with S256', async () => {
    expect(await errorOf({ code_challenge: undefined, code_challenge_method: undefined })).toBe(
      'invalid_request',
    );
    expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request');
  });

  it('pushes no requests, and no document is fetched for that', async () => {
    const { status, body } = await post(world.app, '/oauth/par', askFor(url));
    expect([status, body.error]).toEqual([400, 'unauthorized_client']);
    expect(documents.countOf(url)).toBe(0);
  });

  it('has no name but its URL, and no secret', async () => {
    const code = await world.user.code(askFor(url));
    const id = (await world.stored(url))?.id as string;
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    const { body } = await post(world.app, '/oauth/token', { ...form, client_id: id });
    const secret = await post(world.app, '/oauth/token', { ...form, client_id: url, client_secret: 'x' });
    const page = await world.user.authorize(askFor(id));
    const unknown = await post(world.app, '/oauth/token', { ...form, client_id: `${url}x` });
    expect([body.error, secret.body.error]).toEqual(['invalid_client', 'invalid_client']);
    expect([page.status, unknown.body.error]).toEqual([400, 'invalid_client']);
    expect(documents.countOf(`${url}x`)).toBe(0);
  });

  it('does not redeem the code of another one', async () => {
    const other = documents.publish(documents.newUrl());
    await world.tokensOf(other);
    const { body } = await world.redeem(other, await world.user.code(askFor(url)));
    expect(body.error).toBe('invalid_grant');
  });
});

describe('the consent page', () => {
  it('shows the host that describes the application, and where the answer goes', async () => {
    const page = await (await world.user.authorize(askFor(url))).text();
    expect(page).toContain(new URL(url).host);
    expect(page).toContain('agent.example');
    expect(page).toContain('not verified by the operator');
    expect(page).not.toContain('can claim to be this application');
  });

  it('warns where any program on the computer can claim to be it', async () => {
    const local = documents.publish(documents.newUrl(), {
      redirect_uris: ['http://127.0.0.1/back', 'http://localhost/back'],
    });
    const page = await world.user.authorize(askFor(local, { redirect_uri: 'http://localhost:4711/back' }));
    expect(await page.text()).toContain('can claim to be this application');
  });

  it('shows pages of the same host alone', async () => {
    const pages = { client_uri: 'https://bank.example/', policy_uri: `${documents.origin}/privacy` };
    const by = documents.publish(documents.newUrl(), pages);
    await world.user.authorize(askFor(by));
    expect(await world.stored(by)).toMatchObject({ homePageUrl: null, privacyUrl: pages.policy_uri });
  });
});

const POLICY =
  'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id } } }';
const DECIDE =
  'mutation ($input: DecideApplicationInput!) { decideApplication(input: $input) { application { isAllowed } } }';
const LIST =
  'query ($id: ID!) { organization(id: $id) { applications(first: 5) { nodes { name publisher isAllowed requestedAt } } } }';

const setPolicy = (applicationPolicy: string) =>
  world.owner.graph(POLICY, { input: { organizationId: world.organization.id, applicationPolicy } });
const decide = async (decision: string | null, by = world.owner) =>
  by.graph(DECIDE, {
    input: { organizationId: world.organization.id, clientId: (await world.stored(url))?.id, decision },
  });
const listed = async (by = world.owner) =>
  (await by.graph(LIST, { id: world.organization.id })).data.organization?.applications?.nodes;

/** Names of the organizations that a token reaches. */
async function reached(token: string): Promise<string> {
  const answer = await world.app.request('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'organizations.list', arguments: {} },
    }),
  });
  return answer.text();
}

const tokenToList = async () => {
  const code = await world.user.code(askFor(url, { scope: 'organizations:read' }));
  return (await world.redeem(url, code)).body.access_token as string;
};

describe('an organization', () => {
  it('sees the application with the host of its document, and blocks it at once', async () => {
    const token = await tokenToList();
    expect(await listed()).toMatchObject([{ name: 'Agent', publisher: new URL(url).host, isAllowed: true }]);
    expect(await reached(token)).toContain(world.organization.id);
    await decide('REFUSED');
    expect(await reached(token)).not.toContain(world.organization.id);
  });

  it('that allows approved ones alone is asked, approves it, and is reached', async () => {
    await setPolicy('APPROVED_ONLY');
    const page = await world.user.authorize(askFor(url));
    expect(await page.clone().text()).toContain('None of your organizations allows this application');
    await world.user.decide(page, 'request');
    const [application] = await listed();
    expect(application).toMatchObject({ isAllowed: false, requestedAt: expect.any(String) });
    expect(await errorOf({})).toBe('access_denied');
    await decide('APPROVED');
    expect(await reached(await tokenToList())).toContain(world.organization.id);
  });

  it('that allows none is not reached', async () => {
    const token = await tokenToList();
    await setPolicy('NONE');
    expect(await reached(token)).not.toContain(world.organization.id);
  });

  it('decides for itself alone, by its owners and admins', async () => {
    await world.tokensOf(url, world.other);
    const member = await newMember(world.db, world.organization.id, 'MEMBER');
    const { errors } = await decide('REFUSED', member);
    const stranger = await decide('REFUSED', world.stranger);
    await decide('REFUSED');
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(stranger.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(await world.mcp((await world.tokensOf(url, world.other)).access_token)).toBe(200);
    expect(await errorOf({})).toBe('access_denied');
  });
});

describe('what is stored of an application', () => {
  it('is one for all people, each with a grant of their own, which ends by itself', async () => {
    const [mine, theirs] = [await world.tokensOf(url), await world.tokensOf(url, world.other)];
    const id = (await world.stored(url))?.id;
    const authorizations = '{ viewer { authorizations { nodes { clientId organizationName } } } }';
    const { data } = await world.owner.graph(authorizations);
    await world.owner.graph(
      'mutation ($input: RevokeAuthorizationInput!) { revokeAuthorization(input: $input) { clientId } }',
      { input: { clientId: id } },
    );
    expect(data.viewer.authorizations.nodes).toEqual([{ clientId: id, organizationName: new URL(url).host }]);
    expect([await world.mcp(mine.access_token), await world.mcp(theirs.access_token)]).toEqual([401, 200]);
  });

  it('is in no list of an organization, and nobody can change it', async () => {
    await world.tokensOf(url);
    const id = (await world.stored(url))?.id;
    const { data } = await world.owner.graph(
      'query ($id: ID!, $organization: ID!) { node(id: $id) { id } organization(id: $organization) { clients(first: 50) { nodes { id } } } }',
      { id, organization: world.organization.id },
    );
    const { errors } = await world.owner.graph(
      'mutation ($input: DeleteClientsInput!) { deleteClients(input: $input) { deletedIds } }',
      { input: { clientIds: [id] } },
    );
    expect(data.node).toBeNull();
    expect(data.organization.clients.nodes.map((each: { id: string }) => each.id)).not.toContain(id);
    expect(errors?.[0]?.extensions.code).toBeDefined();
    expect(await world.stored(url)).not.toBeNull();
  });

  it('is deleted a day after it expired, unless somebody allows or decided about it', async () => {
    const [allowed, decided] = [documents.publish(documents.newUrl()), documents.publish(documents.newUrl())];
    await world.tokensOf(allowed);
    for (const each of [url, decided]) await world.user.authorize(askFor(each));
    await world.db.prisma.organizationApplication.create({
      data: {
        organizationId: world.organization.id,
        clientId: (await world.stored(decided))?.id as string,
        decision: 'REFUSED',
      },
    });
    for (const each of [url, allowed, decided]) await world.expire(each);
    await sweep(world.db, (await world.owner.context()).storage.store);
    const left = await Promise.all([url, allowed, decided].map(world.stored));
    expect(left.map((each) => each !== null)).toEqual([false, true, true]);
  });
});
