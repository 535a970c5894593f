import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALLBACK, encode, type TestClient } from '../support/oauth.ts';

/** The package publishes no types. */
interface Package {
  default: new (issuer: string, configuration: object) => { callback(): RequestListener };
  errors: { InvalidRequest: new (text: string) => Error };
}

export const PEER_CLIENTS = {
  confidential: { id: 'planner', secret: 'dgb_planner-secret', redirectUri: CALLBACK },
  other: { id: 'plotter', secret: 'dgb_plotter-secret', redirectUri: CALLBACK },
  open: { id: 'reader', redirectUri: CALLBACK } as TestClient,
};

const facts = {
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: 'openid profile email read write',
};

const keeping = ({ id, secret }: { id: string; secret: string }) => ({
  ...facts,
  client_id: id,
  client_secret: secret,
  token_endpoint_auth_method: 'client_secret_post',
});

const configuration = ({ errors }: Package) => ({
  clients: [
    keeping(PEER_CLIENTS.confidential),
    keeping(PEER_CLIENTS.other),
    { ...facts, client_id: PEER_CLIENTS.open.id, token_endpoint_auth_method: 'none' },
  ],
  scopes: ['openid', 'profile', 'email', 'read', 'write'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  pkce: { required: () => true },
  features: {
    introspection: { enabled: true },
    revocation: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
  },
  extraParams: {
    state(_: unknown, value: string | undefined) {
      if (!value) throw new errors.InvalidRequest('state is missing');
    },
  },
});

/** node-oidc-provider with a client of each kind, listening. */
export async function startPeer() {
  const peer = (await import('oidc-provider' as string)) as Package;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', new peer.default(url, configuration(peer)).callback());
  return { url, close: () => new Promise((done) => server.close(done)) };
}

/** A browser that signs in to the server and approves everything. Returns where it ends, and whether consent was requested. */
export function peerBrowser(url: string) {
  const jar = new Map<string, string>();
  async function visit(address: string, body?: string): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, ...(body && { 'content-type': 'application/x-www-form-urlencoded' }) };
    const init = { method: body ? 'POST' : 'GET', headers, body, redirect: 'manual' as const };
    const answer = await fetch(new URL(address, url), init);
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) as unknown as [string, string, string];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    return answer;
  }
  return async (address: string): Promise<{ answer: URL; consentRequested: boolean }> => {
    let consentRequested = false;
    let at = new URL(address);
    for (let step = 0; step < 12; step++) {
      let page = await visit(at.href);
      if (page.status === 200) {
        const prompt = /name="prompt" value="(\w+)"/.exec(await page.text())?.[1];
        consentRequested ||= prompt === 'consent';
        page = await visit(at.href, encode({ prompt, login: 'ada', password: 'x' }));
      }
      const location = page.headers.get('location');
      if (!location) throw new Error(`${page.status} ${at}: ${await page.text()}`);
      at = new URL(location, at);
      if (at.href.startsWith(CALLBACK)) return { answer: at, consentRequested };
    }
    throw new Error(`it ends nowhere: ${at}`);
  };
}
