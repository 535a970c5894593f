import { Hono } from 'hono';
import { listen } from '../../../src/http/listen.ts';
import { type ask, basic, encode, VERIFIER } from '../../support/oauth.ts';

/** What an application does without a browser. */
export interface Credentials {
  id: string;
  secret: string;
  redirectUri: string;
}

/** The site of an application: Playwright does not intercept what a browser requests because of a redirect. */
export async function openApplicationSite() {
  const site = new Hono().get('/callback', (call) => call.text('Welcome back'));
  const { port, close } = await listen(site, { port: 0, host: '127.0.0.1' });
  return { redirectUri: `http://localhost:${port}/callback`, close };
}

/** The address where a person is asked to allow the application. */
export const authorizationUrl = (origin: string, parameters: ReturnType<typeof ask>): string =>
  `${origin}/oauth/authorize?${encode(parameters)}`;

/** Redeems a code; returns the access token. */
export async function redeemCode(origin: string, app: Credentials, code: string): Promise<string> {
  const answer = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: basic(app.id, app.secret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: encode({
      ...{ grant_type: 'authorization_code', code, redirect_uri: app.redirectUri },
      code_verifier: VERIFIER,
    }),
  });
  const { access_token: token } = await answer.json();
  if (!token) throw new Error(`no token, but ${answer.status}`);
  return token;
}

/** The status with which the server answers the introspection of a token by the application. */
export async function introspectionStatus(origin: string, app: Credentials, token: string): Promise<number> {
  const answer = await fetch(`${origin}/oauth/introspect`, {
    method: 'POST',
    headers: {
      authorization: basic(app.id, app.secret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: encode({ token }),
  });
  return answer.status;
}

/** Calls of both APIs with a token. */
export function calls(origin: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (path: string, body: unknown) =>
    fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    graph: async (query: string) => (await post('/graphql', { query })).json(),
    get: async (path: string) => (await fetch(`${origin}/api/v1${path}`, { headers })).status,
    post: async (path: string, body: unknown) => (await post(`/api/v1${path}`, body)).status,
  };
}
