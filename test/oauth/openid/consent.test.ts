import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPE_TEXTS } from '../../../src/domain/kernel/scope-text.ts';
import { CALLBACK, newClient } from '../../support/oauth.ts';
import { IDENTITY, newOpenIdWorld, type OpenIdWorld } from './world.ts';

let world: OpenIdWorld;
beforeAll(async () => {
  world = await newOpenIdWorld();
});

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

/** The consent page for a request of an application. */
const pageFor = async (...request: Parameters<OpenIdWorld['request']>) =>
  textOf(await (await world.user.authorize(world.request(...request))).text());

describe('the consent page', () => {
  it('says in plain words who the application will know, and asks for no more', async () => {
    const page = await pageFor();
    expect(page).toContain('Allow Sign-in to know who you are?');
    for (const scope of IDENTITY) expect(page).toContain(`${SCOPE_TEXTS[scope].text} (${scope})`);
    expect(page).not.toContain('It can also');
  });

  it('asks for the use of the account where a scope of the APIs is among them', async () => {
    const page = await pageFor({ scope: 'openid read' });
    expect(page).toContain('Allow Sign-in to use your account?');
    expect(page).not.toContain(SCOPE_TEXTS.email.text);
  });

  it('lists apart what the user has allowed, and the list of applications shows it', async () => {
    const { app, owner, organization, redeem, user, request, cookie } = world;
    const client = await newClient(owner, organization.id, { scopes: [...IDENTITY], name: 'Roster' });
    await redeem(client, await user.code(request({ scope: 'openid profile' }, client)));
    const page = await pageFor({ scope: 'openid profile email' }, client);
    expect(page.indexOf(SCOPE_TEXTS.email.text)).toBeLessThan(page.indexOf('You have already allowed it to'));
    expect(page.indexOf(SCOPE_TEXTS.profile.text)).toBeGreaterThan(
      page.indexOf('You have already allowed it to'),
    );
    const apps = textOf(await (await app.request('/oauth/apps', { headers: { cookie } })).text());
    expect(apps).toContain(SCOPE_TEXTS.profile.text);
  });

  it('warns of an answer that goes to a program on the computer, and of no other', async () => {
    const { owner, organization } = world;
    const redirectUris = ['http://localhost/callback', 'https://app.example/callback'];
    const native = await newClient(owner, organization.id, {
      ...{ scopes: ['openid'], kind: 'PUBLIC', native: true, redirectUris },
    });
    const request = { scope: 'openid', redirect_uri: 'http://localhost:53211/callback' };
    expect(await pageFor(request, native)).toContain('a program on this computer');
    expect(await pageFor({ ...request, redirect_uri: CALLBACK }, native)).not.toContain('a program on this');
  });
});

describe('an application for signing in alone', () => {
  it('is registered with these scopes, and may ask for nothing else', async () => {
    const { owner, organization, answer } = world;
    const query = `mutation ($input: CreateClientInput!) { createClient(input: $input) { client { id scopes } secret } }`;
    const input = {
      ...{ organizationId: organization.id, name: 'Wiki', kind: 'CONFIDENTIAL', redirectUris: [CALLBACK] },
      scopes: ['EMAIL', 'OPENID', 'PROFILE'],
    };
    const { data } = await owner.graph(query, { input });
    const { client, secret } = (
      data as { createClient: { client: { id: string; scopes: string[] }; secret: string } }
    ).createClient;
    expect(client.scopes).toEqual(['OPENID', 'PROFILE', 'EMAIL']);
    const of = { id: client.id, secret, redirectUri: CALLBACK };
    expect((await answer({ scope: 'openid read' }, { of })).parameters.error).toBe('invalid_scope');
    expect((await answer({}, { of })).status).toBe(200);
  });

  it('that was registered before them may not ask who the user is', async () => {
    const { confidential, answer } = world;
    expect((await answer({}, { of: confidential })).parameters.error).toBe('invalid_scope');
  });
});
