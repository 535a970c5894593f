import { createOrganization } from '../../../src/domain/organizations/organization.ts';
import { createProjects } from '../../../src/domain/projects/project.ts';
import {
  ask,
  browser,
  encode,
  hiddenFields,
  newClient,
  newOAuthWorld,
  signedIn,
  type TestClient,
} from '../../support/oauth.ts';
import { newDocuments } from '../../support/storage.ts';

export interface Places {
  organizations?: readonly string[];
  projects?: readonly string[];
}

/** The owner of two organizations, with two projects and a document in each of the first, at the consent page. */
export async function newLimitedWorld() {
  const world = await newOAuthWorld();
  const { app, db, owner, organization, redeem } = world;
  const confidential = await newClient(owner, organization.id, { scopes: ['read', 'write', 'openid'] });
  const ctx = await owner.context();
  const other = await createOrganization(ctx, { name: 'Elsewhere' });
  const inOrganization = await owner.context();
  const [first, second] = await createProjects(inOrganization, {
    organizationId: organization.id,
    projects: [{ name: 'First' }, { name: 'Second' }],
  });
  const projects = { first: first?.id as string, second: second?.id as string };
  const [inFirst] = await newDocuments(inOrganization, projects.first, [{ name: 'inside quay.txt' }]);
  const [inSecond] = await newDocuments(inOrganization, projects.second, [{ name: 'outside quay.txt' }]);
  const cookie = await signedIn(db, owner.id);
  const user = browser(app, cookie);

  /** Sends the form of the consent page with this choice. */
  const choose = async (page: string, { organizations = [], projects: ids = [] }: Places, reach = 'chosen') =>
    app.request('/oauth/authorize', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: [
        encode({ ...hiddenFields(page), decision: 'approve', reach }),
        ...organizations.map((id) => `organization=${id}`),
        ...ids.map((id) => `project=${id}`),
      ].join('&'),
    });

  const consentPage = async (client: TestClient = confidential) =>
    (await user.authorize(ask(client, { scope: 'openid read write', prompt: 'consent' }))).text();

  return {
    ...world,
    confidential,
    user,
    tokens: async () => (await redeem(confidential, await user.code(ask(confidential)))).body,
    other,
    projects,
    documents: { inFirst: inFirst?.id as string, inSecond: inSecond?.id as string },
    choose,
    consentPage,
    /** Tokens of an application that was allowed in these places. */
    async limitedTokens(places: Places, client: TestClient = confidential) {
      const answer = await choose(await consentPage(client), places);
      const code = new URL(answer.headers.get('location') as string).searchParams.get('code') as string;
      const { body } = await redeem(client, code);
      return body as { access_token: string; refresh_token: string };
    },
    /** The caller with an access token. */
    as: (token: string) => owner.with(token),
  };
}
