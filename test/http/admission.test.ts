import { describe, expect, it } from 'vitest';
import { appOn } from '../support/oauth.ts';
import { newWorld } from '../support/world.ts';

/** Half of these may be of one organization. */
const LIMITS = { requestsAtOnce: 5 };

async function setUp() {
  const { db, owner, stranger } = await newWorld();
  const app = await appOn(db, LIMITS);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const rest = async (key: string, path = '/organizations') =>
    app.request(`/api/v1${path}`, { headers: bearer(key) });
  const graph = async (key: string) => {
    const body = JSON.stringify({ query: '{ viewer { email } }' });
    return app.request('/graphql', { method: 'POST', headers: bearer(key), body });
  };
  return { owner, stranger, rest, graph };
}

const statusesOf = (answers: readonly Response[]) => answers.map(({ status }) => status);

describe('concurrent requests of one organization', () => {
  it('are refused beyond the limit, in REST and GraphQL, without affecting other organizations', async () => {
    const { owner, stranger, rest, graph } = await setUp();
    const [own, foreign] = await Promise.all([
      Promise.all([rest(owner.key), rest(owner.key), rest(owner.key)]),
      rest(stranger.key),
    ]);
    expect([...statusesOf(own), foreign.status]).toEqual([200, 200, 503, 200]);
    expect(own[2].headers.get('retry-after')).toBe('5');
    expect(await own[2].json()).toMatchObject({
      message: 'Too many requests of your organization are under way. Try again.',
    });
    const [, , refused] = await Promise.all([graph(owner.key), graph(owner.key), graph(owner.key)]);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
  });

  it('release their share when they end, also with an error', async () => {
    const { owner, rest, graph } = await setUp();
    for (const path of [
      '/organizations',
      '/organizations/org_x',
      '/nothing',
      '/organizations/org_x/projects/p/tasks',
    ])
      for (let time = 0; time < 3; time++) await rest(owner.key, path);
    for (let time = 0; time < 3; time++) expect((await graph(owner.key)).status).toBe(200);
  });
});
