import { type Form, newOAuthWorld, post, type TestClient } from '../../support/oauth.ts';

const CREATE = `mutation ($input: CreateServiceAccountInput!) {
  createServiceAccount(input: $input) { member { id role clientId user { id name email kind } } } }`;
const DELETE = `mutation ($input: DeleteServiceAccountInput!) {
  deleteServiceAccount(input: $input) { client { id serviceAccount { id } } } }`;

type World = Awaited<ReturnType<typeof newOAuthWorld>>;
type Role = 'OWNER' | 'ADMIN' | 'MEMBER' | 'GUEST';

/** A world whose confidential application may get a service account. */
export async function newServiceWorld(limits?: Parameters<typeof newOAuthWorld>[0]) {
  const world = await newOAuthWorld(limits);
  const { app, owner, confidential, as } = world;
  const create = (role: Role = 'MEMBER', clientId = confidential.id, by = owner) =>
    by.graph(CREATE, { input: { clientId, role } });
  return {
    ...world,
    create,
    remove: (clientId = confidential.id, by = owner) => by.graph(DELETE, { input: { clientId } }),
    request: (client: TestClient = confidential, more: Form = {}) =>
      post(app, '/oauth/token', { grant_type: 'client_credentials', ...as(client), ...more }),
  };
}

/** Such a world whose application has a service account: the member, and a token of it. */
export async function newServiceAccount(role: Role = 'MEMBER', limits?: Parameters<typeof newOAuthWorld>[0]) {
  const world = await newServiceWorld(limits);
  const { data } = await world.create(role);
  const member = data.createServiceAccount.member as {
    id: string;
    user: { id: string; name: string; email: string };
  };
  const { body } = await world.request();
  return { ...world, member, token: body.access_token as string };
}

/** A query as the bearer of a token. */
export async function graphAs({ app }: Pick<World, 'app'>, token: string, query: string, variables?: object) {
  const answer = await app.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the query's
  return (await answer.json()) as { data: any; errors?: { message: string; extensions: { code: string } }[] };
}
