import { describe, expect, it } from 'vitest';
import { ask, basic, newOAuthWorld, post, VERIFIER } from '../support/oauth.ts';
import { GRANTED, outcome, REFUSED } from '../support/token-answer.ts';

describe('an application at the token endpoint', () => {
  it('accepts the secret in the form (19: RFC 6749 §2.3.1, client_secret_post)', async () => {
    const { confidential, user, redeem } = await newOAuthWorld();
    expect(outcome(await redeem(confidential, await user.code(ask(confidential))))).toEqual(GRANTED);
  });

  it('accepts the secret as Basic, split at the first colon and form-decoded (20: RFC 6749 §2.3.1)', async () => {
    const { app, confidential, open, user } = await newOAuthWorld();
    const form = {
      grant_type: 'authorization_code',
      code: await user.code(ask(confidential)),
      redirect_uri: confidential.redirectUri,
      code_verifier: VERIFIER,
    };
    const escaped = (text: string) =>
      [...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    const encoded = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    const { id, secret } = confidential as { id: string; secret: string };
    const pairs = [
      `${id}:${secret}:`,
      `${id}:%zz`,
      `${id}`,
      `${id}:`,
      `:${secret}`,
      `%zz:${secret}`,
      `${id}:x`,
    ];
    const right = encoded(`${escaped(id)}:${escaped(secret)}`);
    const wrong = [...pairs, `${open.id}:%zz`].map(encoded);
    for (const authorization of [...wrong, `x ${right}`, `${right} x`, right.replace(' ', '')])
      expect(outcome(await post(app, '/oauth/token', form, { authorization }))).toEqual([
        401,
        'invalid_client',
      ]);
    const authorization = `${right.replace('Basic', 'bASIC ')} `;
    expect(outcome(await post(app, '/oauth/token', form, { authorization }))).toEqual(GRANTED);
  });

  it('answers 401 with a challenge if authentication fails, without the reason (21: RFC 6749 §5.2)', async () => {
    const { app, confidential, open, user } = await newOAuthWorld();
    const code = await user.code(ask(confidential));
    const form = { grant_type: 'authorization_code', code, redirect_uri: confidential.redirectUri };
    const { id, secret = '' } = confidential;
    const attempts = [
      [{ client_id: id, client_secret: 'wrong' }, {}],
      [{ client_id: id }, {}],
      [{ client_id: 'app_nobody', client_secret: secret }, {}],
      [{ client_id: 'app_nobody' }, {}],
      [{ client_id: open.id, client_secret: secret }, {}],
      [{ client_secret: secret }, {}],
      [{}, {}],
      [{}, { authorization: basic(open.id, '') }],
      [{ client_id: id }, { authorization: `Bearer ${secret}` }],
    ] as const;
    for (const [credentials, headers] of attempts) {
      const answer = await post(app, '/oauth/token', { ...form, ...credentials }, headers);
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'invalid_client', error_description: 'Client authentication failed.' },
      ]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
  });

  it('accepts one authentication method in a request (22: RFC 6749 §2.3)', async () => {
    const { app, confidential, open, as } = await newOAuthWorld();
    const authorization = basic(confidential.id, confidential.secret as string);
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const twice = await post(app, '/oauth/token', { ...form, ...as(confidential) }, { authorization });
    expect(outcome(twice)).toEqual([400, 'invalid_request']);
    expect(twice.body.error_description).toContain('more than one way');
    const other = await post(app, '/oauth/token', { ...form, client_id: open.id }, { authorization });
    expect(outcome(other)).toEqual([400, 'invalid_request']);
    expect(other.body.error_description).toContain('name different clients');
    const named = await post(app, '/oauth/token', { ...form, client_id: confidential.id }, { authorization });
    expect(outcome(named)).toEqual(REFUSED);
  });

  it('accepts both secrets during a rotation, and only the new one afterwards', async () => {
    const { db, owner, confidential, user, redeem } = await newOAuthWorld();
    const rotate =
      'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { secret client { previousSecretExpiresAt } } }';
    const { data } = await owner.graph(rotate, { input: { clientId: confidential.id } });
    const { secret } = data.rotateClientSecret;
    for (const client_secret of [confidential.secret, secret])
      expect(
        outcome(await redeem(confidential, await user.code(ask(confidential)), { client_secret })),
      ).toEqual(GRANTED);
    await db.prisma.clientSecret.updateMany({
      where: { clientId: confidential.id, NOT: { expiresAt: null } },
      data: { expiresAt: new Date() },
    });
    const code = await user.code(ask(confidential));
    expect(outcome(await redeem(confidential, code))).toEqual([401, 'invalid_client']);
    expect(outcome(await redeem(confidential, code, { client_secret: secret }))).toEqual(GRANTED);
  });
});
