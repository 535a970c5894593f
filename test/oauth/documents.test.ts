import { describe, expect, it } from 'vitest';
import { recycleDocuments } from '../../src/domain/documents/document-bin.ts';
import { checkAnswer } from '../support/description.ts';
import { newOAuthWorld } from '../support/oauth.ts';
import { newDocuments } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

async function setUp() {
  const world = await newOAuthWorld();
  const ctx = await world.owner.context();
  const names = Array.from({ length: 27 }, (_, index) => ({ name: `d${index}` }));
  const [recycled] = await newDocuments(ctx, world.project.id, names);
  await recycleDocuments(ctx, { documentIds: [recycled?.id as string] });
  const other = await newWorld();
  await newDocuments(await other.owner.context(), other.project.id, [{ name: 'theirs' }]);
  const list = async (token: string, query = '') => {
    const answer = await world.app.request(`/documents${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { status, headers } = answer;
    const body = await answer.json();
    checkAnswer('GET', '/documents', { status, type: 'application/json', body });
    return { status, headers, body };
  };
  return { ...world, list };
}

const namesOf = (body: { Documents: { Name: string }[] }) => body.Documents.map(({ Name }) => Name);

describe('GET /documents (specification §4.1)', () => {
  it('returns the documents of the user of an access token, newest first, in pages', async () => {
    const { tokens, list } = await setUp();
    const { access_token } = await tokens(undefined, { scope: 'read' });
    const first = await list(access_token);
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(namesOf(first.body)).toEqual(Array.from({ length: 25 }, (_, index) => `d${26 - index}`));
    const second = await list(access_token, `?cursor=${first.body.Cursor}`);
    expect(namesOf(second.body)).toEqual(['d1']);
    expect(namesOf((await list(access_token, `?cursor=${second.body.Cursor}`)).body)).toEqual([]);
  });

  it('accepts an API key as well, and shows nothing of other organizations', async () => {
    const { stranger, list } = await setUp();
    expect(namesOf((await list(stranger.key)).body)).toEqual([]);
  });

  it('answers 401 with a challenge to an invalid token, and 403 to one without the scope read', async () => {
    const { tokens, list, revoke, confidential } = await setUp();
    const { access_token } = await tokens(undefined, { scope: 'read' });
    await revoke(confidential, access_token);
    const dead = await list(access_token);
    expect([dead.status, dead.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    const writer = await tokens(undefined, { scope: 'write' });
    expect((await list(writer.access_token)).status).toBe(403);
  });
});
