import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ORIGIN } from '../browser.ts';

/** The package publishes no types. */
interface Package {
  default: new (issuer: string, configuration: object) => { callback(): RequestListener };
}

export const CLIENT = { id: 'docgraph', secret: 'a-secret-of-docgraph-at-the-provider' };
const CALLBACK = `${ORIGIN}/sign-in/oidc/callback`;

/** The people at the provider, by the name with which they sign in there. */
export interface People {
  [login: string]: { email?: string; email_verified?: boolean; name?: string };
}

const configuration = (people: People) => ({
  clients: [
    {
      ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [CALLBACK] },
      ...{ grant_types: ['authorization_code'], response_types: ['code'] },
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // What Docgraph does not find in the ID token it asks for at the userinfo endpoint.
  conformIdTokenClaims: true,
  pkce: { required: () => true },
  findAccount: (_: unknown, sub: string) => ({
    accountId: sub,
    claims: async () => ({ sub, ...people[sub] }),
  }),
});

/** node-oidc-provider with these people, listening. */
export async function startProvider(people: People) {
  const { default: Provider } = (await import('oidc-provider' as string)) as Package;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', new Provider(issuer, configuration(people)).callback());
  const close = () => new Promise((done) => server.close(done));
  return { issuer, close, signIn: (url: string, login: string) => signInAt(issuer, url, login) };
}

/** Signs in at the provider as this person and approves; the URL to which it redirects in the end. */
async function signInAt(issuer: string, url: string, login: string): Promise<URL> {
  const jar = new Map<string, string>();
  const visit = async (address: URL, fields?: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = fields && new URLSearchParams(fields);
    const init = { method: body ? 'POST' : 'GET', headers: { cookie }, body, redirect: 'manual' as const };
    const answer = await fetch(address, init);
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    return answer;
  };
  let at = new URL(url, issuer);
  for (let step = 0; step < 12; step++) {
    let page = await visit(at);
    if (page.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await page.text())?.[1] ?? '';
      page = await visit(at, { prompt, login, password: 'x' });
    }
    const location = page.headers.get('location');
    if (!location) throw new Error(`${page.status} ${at}: ${await page.text()}`);
    at = new URL(location, at);
    if (at.href.startsWith(CALLBACK)) return at;
  }
  throw new Error(`no redirect to the callback: ${at}`);
}

/** What a server needs to use the provider. */
export const withProvider = (issuer: string, env: Record<string, string> = {}) => ({
  ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
  ...{ OIDC_NAME: 'Harbor Login', ...env },
});
