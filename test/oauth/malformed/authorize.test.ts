import { beforeAll, describe, expect, it } from 'vitest';
import { ask, CALLBACK, encode, ISSUER, newOAuthWorld } from '../../support/oauth.ts';
import { AUTHORIZE } from './authorize-cases.ts';

type World = Awaited<ReturnType<typeof newOAuthWorld>>;
let world: World;
beforeAll(async () => {
  world = await newOAuthWorld();
});

describe('an authorization request with', () => {
  it.each(AUTHORIZE)('%s is refused (%s)', async (_, __, differ, suffix, expected) => {
    const { user, open } = world;
    const answer = await user.request(encode(ask(open, differ)) + suffix);
    const location = answer.headers.get('location');
    if (expected === 'page') {
      expect([answer.status, location]).toEqual([400, null]);
      expect(await answer.text()).toContain('(invalid_request)');
      return;
    }
    const to = new URL(location ?? 'none:');
    const state = 'state' in differ || suffix.includes('&state') ? differ.state : 'st4te';
    expect([answer.status, to.origin + to.pathname, Object.fromEntries(to.searchParams)]).toEqual([
      303,
      CALLBACK,
      {
        error: expected,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        ...(state !== undefined && { state }),
        iss: ISSUER,
      },
    ]);
  });
});
