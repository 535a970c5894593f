import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  isSignedBy as isSignedByAt,
  keyIdOf,
  signAccessToken,
} from '../../../src/domain/oauth/access-jwt.ts';

const newKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    id: 'jwk_1',
    privateJwk: await exportJWK(privateKey),
    publicJwk: await exportJWK(publicKey),
    privateKey,
  };
};

const claims = (expiresAt: Date) => ({
  issuer: 'https://docs.example.com',
  audience: [],
  userId: 'usr_1',
  clientId: 'app_1',
  scopes: ['read', 'write'],
  id: 'one',
  issuedAt: new Date(2_000_000_000_999),
  expiresAt,
});

const isSignedBy = (key: JWK, token: string) => isSignedByAt(key, token, new Date());

const soon = () => new Date(Date.now() + 60_000);

describe('a signed access token (RFC 9068)', () => {
  it('has the claims subject, scope, client, issuer, audience and expiry', async () => {
    const expiresAt = soon();
    const token = await signAccessToken(await newKey(), claims(expiresAt));
    expect(decodeProtectedHeader(token)).toEqual({ typ: 'at+jwt', alg: 'ES256', kid: 'jwk_1' });
    expect(decodeJwt(token)).toEqual({
      iss: 'https://docs.example.com',
      aud: 'https://docs.example.com',
      sub: 'usr_1',
      client_id: 'app_1',
      scope: 'read write',
      jti: 'one',
      iat: 2_000_000_000,
      exp: Math.floor(expiresAt.getTime() / 1_000),
    });
  });

  it('names its key, and verifies only with that key until it expires', async () => {
    const [key, other] = [await newKey(), await newKey()];
    const token = await signAccessToken(key, claims(soon()));
    expect(keyIdOf(token)).toBe('jwk_1');
    expect([await isSignedBy(key.publicJwk, token), await isSignedBy(other.publicJwk, token)]).toEqual([
      true,
      false,
    ]);
    const late = await signAccessToken(key, claims(new Date(Date.now() - 1_000)));
    expect(await isSignedBy(key.publicJwk, late)).toBe(false);
  });

  it('has a type that differs from other tokens of the same key', async () => {
    const { publicJwk, privateKey } = await newKey();
    const signed = (header: object) =>
      new SignJWT({}).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey);
    expect(await isSignedBy(publicJwk, await signed({ typ: 'at+jwt' }))).toBe(true);
    expect(await isSignedBy(publicJwk, await signed({ typ: 'JWT' }))).toBe(false);
    expect(await isSignedBy(publicJwk, await signed({}))).toBe(false);
  });

  it.each(['', 'eyJ', 'a.b.c', 'eyJ.eyJ.x'])('is not recognized in %j', async (text) => {
    expect(keyIdOf(text)).toBeUndefined();
    expect(await isSignedBy((await newKey()).publicJwk, text)).toBe(false);
  });
});
