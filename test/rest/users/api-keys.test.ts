import { describe, expect, it } from 'vitest';
import { newPerson, newWorld } from '../../support/world.ts';

describe('API keys over REST v1', () => {
  it('get exactly the requested scopes', async () => {
    const { owner } = await newWorld();
    const { status, body } = await owner.rest('POST', '/user/apiKeys', [
      { Name: 'reads', Scopes: ['read'] },
      { Name: 'as its maker' },
    ]);
    expect([status, body.map(({ Scopes }: { Scopes: string[] }) => Scopes)]).toEqual([
      200,
      [['read'], ['read', 'write']],
    ]);
    const reader = await owner.with(body[0].Key);
    const read = await reader.rest('GET', '/organizations');
    const write = await reader.rest('POST', '/organizations', [{ Name: 'New' }]);
    expect([read.status, write.status]).toEqual([200, 403]);
  });

  it('are listed with their scopes', async () => {
    const { owner } = await newWorld();
    await owner.rest('POST', '/user/apiKeys', [{ name: 'reads', scopes: ['read'] }]);
    const { body } = await owner.rest('GET', '/user/apiKeys');
    expect(
      body.APIKeys.map(({ Name, Scopes }: { Name: string; Scopes: string[] }) => [Name, Scopes]),
    ).toEqual([
      ['reads', ['read']],
      ['test', ['read', 'write']],
    ]);
  });

  it.each([
    [['admin']],
    [['read', 'toString']],
    [['READ']],
    [[]],
    ['read'],
    [[1]],
    [{}],
  ])('are refused with the scopes %j, and none is created', async (Scopes) => {
    const { owner } = await newWorld();
    const { status } = await owner.rest('POST', '/user/apiKeys', [
      { Name: 'one' },
      { Name: 'other', Scopes },
    ]);
    const { body } = await owner.rest('GET', '/user/apiKeys');
    expect([status, body.APIKeys.length]).toEqual([400, 1]);
  });

  it('never get a scope that the credential of the request lacks', async () => {
    const { db } = await newWorld();
    const reader = await newPerson(db, ['read']);
    const { status } = await reader.rest('POST', '/user/apiKeys', [{ Name: 'more', Scopes: ['write'] }]);
    expect(status).toBe(403);
  });
});
