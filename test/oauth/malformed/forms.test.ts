import { beforeAll, describe, expect, it } from 'vitest';
import { ask, CALLBACK, encode, type Form, newOAuthWorld, post, VERIFIER } from '../../support/oauth.ts';
import { TOKEN } from './form-cases.ts';

type World = Awaited<ReturnType<typeof newOAuthWorld>>;
let world: World;
beforeAll(async () => {
  world = await newOAuthWorld();
});

describe('a form with', () => {
  it.each(TOKEN)('%s is refused, and consumes nothing (%s)', async (_, __, differ, sending, expected) => {
    const { app, user, confidential, as, redeem } = world;
    const code = await user.code(ask(confidential));
    const right: Form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      ...as(confidential),
    };
    const { path = '/oauth/token', headers, behind = '' } = sending(world);
    const answer = await post(app, path, encode({ ...right, ...differ(world) }) + behind, headers);
    expect([answer.status, answer.body]).toEqual([
      expected[0],
      { error: expected[1], error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/) },
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('www-authenticate')?.startsWith('Basic ')).toBe(
      expected[0] === 401 ? true : undefined,
    );
    expect((await redeem(confidential, code)).status).toBe(200);
  });
});
