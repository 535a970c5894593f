import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { CLIENT } from './provider.ts';

/** What the next ID token says instead of what it should, and how it is signed. */
export interface Forgery {
  claims?: JWTPayload;
  signature?: 'right' | 'none' | 'foreign' | 'HS256';
  /** Answers nothing. */
  hangs?: boolean;
}

/** A provider that issues ID tokens as the test wants, and its requests for tokens. */
export async function startForger() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const foreign = await generateKeyPair('RS256');
  const next: Forgery = {};
  const redeemed: URLSearchParams[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const idToken = (claims: JWTPayload): Promise<string> | string => {
    if (next.signature === 'none') return new UnsecuredJWT(claims).encode();
    const alg = next.signature === 'HS256' ? 'HS256' : 'RS256';
    const token = new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' });
    if (alg === 'HS256') return token.sign(new TextEncoder().encode(CLIENT.secret));
    return token.sign(next.signature === 'foreign' ? foreign.privateKey : privateKey);
  };
  const answers: Record<string, (body: URLSearchParams) => Promise<object>> = {
    '/.well-known/openid-configuration': async () => ({
      ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      ...{
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      },
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': async () => ({
      keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
    }),
    '/token': async (body) => {
      redeemed.push(body);
      const now = Math.floor(Date.now() / 1_000);
      const right = { iss: issuer, aud: CLIENT.id, iat: now, exp: now + 300, sub: 'forged' };
      return {
        ...{ access_token: 'token', token_type: 'Bearer', expires_in: 60 },
        id_token: await idToken({ ...right, ...next.claims }),
      };
    },
  };
  server.on('request', async (request, response) => {
    if (next.hangs) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(await answer?.(new URLSearchParams(Buffer.concat(chunks).toString()))));
  });
  const close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { issuer, next, redeemed, close };
}
