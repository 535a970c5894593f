import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { hashSecret } from '../../src/lib/secret.ts';
import { newOAuthWorld } from '../support/oauth.ts';
import { newPerson } from '../support/world.ts';

/** What both APIs answer to a credential: the same text, and the description in the challenge. */
async function setUp() {
  const world = await newOAuthWorld();
  const { app, db } = world;
  const answers = async (authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const rest = await app.request('/api/v1/organizations', { headers });
    const graph = await app.request('/graphql', {
      method: 'POST',
      headers,
      body: '{"query":"{ viewer { name } }"}',
    });
    const { message } = await rest.json();
    expect([rest.status, graph.status, (await graph.json()).errors?.[0].message]).toEqual([
      401,
      401,
      message,
    ]);
    const challenges = [rest, graph].map(({ headers }) => headers.get('www-authenticate'));
    expect(challenges[0]).toBe(challenges[1]);
    const description = /error_description="([^"]+)"/.exec(challenges[0] as string)?.[1];
    return { message, description };
  };
  const person = await newPerson(db);
  const key = async () => {
    const { id, secret } = await issueApiKey(db.prisma, { userId: person.id, name: 'Key', scopes: ['read'] });
    return { id, secret };
  };
  return { ...world, person, answers, key };
}

const same = (text: string) => ({ message: text, description: text });

describe('a request that is not authenticated', () => {
  it('is told what is missing, without a credential', async () => {
    const { answers } = await setUp();
    expect(await answers()).toEqual({
      message: 'This takes a valid credential: Authorization: Bearer <key>.',
      description: undefined,
    });
    expect(await answers('Basic YTpi')).toEqual({
      message: 'The Authorization header is not of the form: Bearer <key>.',
      description: undefined,
    });
  });

  it('is told nothing but that its credential is unknown, unless it holds one', async () => {
    const { answers, key } = await setUp();
    const { secret } = await key();
    for (const wrong of [
      'dgk_wrong',
      `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
      'dga_wrong',
      'x',
    ])
      expect(await answers(`Bearer ${wrong}`)).toEqual(same('The credential is not known here.'));
  });

  it('is told that its API key was revoked, has expired, or is of a disabled account', async () => {
    const { db, answers, key, person } = await setUp();
    const [revoked, expired, disabled] = [await key(), await key(), await key()];
    const past = new Date(Date.now() - 1_000);
    await db.prisma.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: past } });
    await db.prisma.apiKey.update({ where: { id: expired.id }, data: { expiresAt: past } });
    expect(await answers(`Bearer ${revoked.secret}`)).toEqual(same('The credential was revoked.'));
    expect(await answers(`Bearer ${expired.secret}`)).toEqual(same('The credential has expired.'));
    await db.prisma.user.update({ where: { id: person.id }, data: { disabledAt: past } });
    expect(await answers(`Bearer ${disabled.secret}`)).toEqual(
      same('The account of the credential is disabled.'),
    );
  });

  it('is told that its access token has expired, or that its grant was revoked', async () => {
    const { db, answers, tokens } = await setUp();
    const past = new Date(Date.now() - 1_000);
    const { access_token } = await tokens();
    const token = await db.prisma.accessToken.update({
      where: { secretHash: hashSecret(access_token) },
      data: { expiresAt: past },
    });
    expect(await answers(`Bearer ${access_token}`)).toEqual(same('The credential has expired.'));
    const { access_token: second } = await tokens();
    await db.prisma.grant.update({ where: { id: token.grantId }, data: { revokedAt: past } });
    expect(await answers(`Bearer ${second}`)).toEqual(same('The credential was revoked.'));
  });
});
