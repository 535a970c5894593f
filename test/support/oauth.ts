import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import pino from 'pino';
import type { Config } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { createClient } from '../../src/domain/oauth/client-change.ts';
import { listen } from '../../src/http/listen.ts';
import { createApp } from '../../src/http/server.ts';
import type { AppOptions } from '../../src/http/services.ts';
import { newId } from '../../src/lib/id.ts';
import { hashSecret, newSecret } from '../../src/lib/secret.ts';
import { fromNow, HOUR } from '../../src/lib/time.ts';
import { testStorage } from './storage.ts';
import { config, newWorld, type Person } from './world.ts';

export const ISSUER = config.publicUrl;
export const CALLBACK = 'https://app.example/callback';
export const VERIFIER = 'a-verifier-of-forty-three-characters-or-more';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export interface TestClient {
  id: string;
  secret?: string;
  redirectUri: string;
}

/** The server on a database, with other settings than the test's where they are given. */
export async function appOn(
  db: Database,
  limits: Partial<Config['limits']> = {},
  {
    log = pino({ level: 'silent' }),
    newRateLimiter,
    usage,
    documentExceptions,
    ...set
  }: Partial<Pick<AppOptions, 'log' | 'newRateLimiter' | 'usage' | 'documentExceptions'>> &
    Partial<Pick<Config, 'publicUrl' | 'corsOrigins' | 'mail' | 'clientDocuments'>> = {},
): Promise<Hono> {
  const storage = await testStorage(db);
  return createApp({
    config: { ...config, ...set, limits: { ...config.limits, ...limits } },
    db,
    storage,
    log,
    newRateLimiter,
    usage,
    documentExceptions,
  });
}

/** The cookie of a browser in which someone is signed in. */
export async function signedIn(db: Database, userId: string): Promise<string> {
  const secret = newSecret('dgs_');
  await db.prisma.signIn.create({
    data: {
      id: newId('SignIn'),
      userId,
      secretHash: hashSecret(secret),
      userAgent: 'test',
      ipAddress: '192.0.2.1',
      expiresAt: fromNow(HOUR),
    },
  });
  return `docgraph_session=${secret}`;
}

type NewClient = Parameters<typeof createClient>[1];

export async function newClient(
  owner: Person,
  organizationId: string,
  facts: Partial<NewClient> = {},
): Promise<TestClient> {
  const { client, secret } = await createClient(await owner.context(), {
    organizationId,
    name: 'Planner',
    kind: 'CONFIDENTIAL',
    redirectUris: [CALLBACK],
    scopes: ['read', 'write'],
    ...facts,
  });
  return { id: client.id, secret: secret ?? undefined, redirectUri: client.redirectUris[0] as string };
}

/** The parameters of an authorization request that is right in every respect. */
export const ask = (client: TestClient, more: Record<string, string | undefined> = {}) => ({
  client_id: client.id,
  redirect_uri: client.redirectUri,
  response_type: 'code',
  scope: 'read write',
  state: 'st4te',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  ...more,
});

export type Form = Record<string, string | undefined>;

export const encode = (form: Form): string =>
  new URLSearchParams(
    Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

/** What someone at a browser does. The cookie says who is signed in. */
export function browser(
  app: { request: (path: string, init?: RequestInit) => ReturnType<Hono['request']> },
  cookie?: string,
) {
  const headers: Record<string, string> = cookie ? { cookie } : {};
  const request = (query: string) => app.request(`/oauth/authorize?${query}`, { headers });
  const decide = async (page: Response, decision: string) =>
    app.request('/oauth/authorize', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: encode({ ...hiddenFields(await page.text()), decision }),
    });
  return {
    request,
    decide,
    authorize: (parameters: Form) => request(encode(parameters)),
    /** Approves, wherever one is asked, and gives the answer to the client. */
    async approve(parameters: Form): Promise<URL> {
      const page = await request(encode(parameters));
      const answer = page.status === 200 ? await decide(page, 'approve') : page;
      return new URL(answer.headers.get('location') ?? 'none:');
    },
    async code(parameters: Form): Promise<string> {
      const code = (await this.approve(parameters)).searchParams.get('code');
      if (!code) throw new Error('no code was given');
      return code;
    },
  };
}

export function hiddenFields(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const text = (value = '') =>
    value.replace(/&(amp|quot|lt|gt|#39);/g, (_, name: string) => ENTITIES[name] as string);
  return Object.fromEntries(inputs.map(([, name, value]) => [name, text(value)]));
}

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };

export interface Posted {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the endpoint's
  body: any;
}

export async function post(
  app: Hono,
  path: string,
  form: Form | string,
  headers: Record<string, string> = {},
): Promise<Posted> {
  const answer = await app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : encode(form),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** A world with an application of each kind, and its owner at a browser. */
export async function newOAuthWorld(limits: Partial<Config['limits']> = {}) {
  const world = await newWorld();
  const { db, owner, organization } = world;
  const app = await appOn(db, limits);
  const confidential = await newClient(owner, organization.id);
  const open = await newClient(owner, organization.id, { kind: 'PUBLIC', name: 'Reader' });
  const user = browser(app, await signedIn(db, owner.id));
  const as = (client: TestClient): Form => ({ client_id: client.id, client_secret: client.secret });
  const redeem = (client: TestClient, code: string, more: Form = {}) =>
    post(app, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      code_verifier: VERIFIER,
      ...as(client),
      ...more,
    });
  return {
    ...world,
    app,
    confidential,
    open,
    user,
    as,
    redeem,
    refresh: (client: TestClient, refreshToken: string, more: Form = {}) =>
      post(app, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        ...as(client),
        ...more,
      }),
    introspect: (client: TestClient, token: string, more: Form = {}) =>
      post(app, '/oauth/introspect', { token, ...as(client), ...more }),
    revoke: (client: TestClient, token: string, more: Form = {}) =>
      post(app, '/oauth/revoke', { token, ...as(client), ...more }),
    /** The tokens of a whole flow. */
    async tokens(client: TestClient = confidential, more: Form = {}) {
      const { body } = await redeem(client, await user.code(ask(client, more)));
      return body as { access_token: string; refresh_token: string; scope: string };
    },
    /** The status of a call of the API. */
    async api(token: string, method = 'GET') {
      const { status } = await app.request('/api/v1/organizations', {
        method,
        headers: { authorization: `Bearer ${token}` },
      });
      return status;
    },
  };
}

/** A world behind a real socket, whose public address is the one it listens on. */
export async function listeningWorld(
  limits: Partial<Config['limits']> = {},
  documentExceptions?: AppOptions['documentExceptions'],
) {
  const world = await newWorld();
  const { db, owner, organization } = world;
  let app: Hono | undefined;
  const front = new Hono().all('*', (call) => (app as Hono).fetch(call.req.raw, call.env));
  const { port, close } = await listen(front, { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  app = await appOn(db, limits, { publicUrl: url, documentExceptions });
  const cookie = await signedIn(db, owner.id);
  /** Goes where a client sends its user, approves where one is asked, and gives the address the browser ends at. */
  async function decide(address: string | URL): Promise<{ answer: URL; consentRequested: boolean }> {
    const page = await fetch(address, { headers: { cookie }, redirect: 'manual' });
    if (page.status === 303)
      return { answer: new URL(page.headers.get('location') as string), consentRequested: false };
    const body = encode({ ...hiddenFields(await page.text()), decision: 'approve' });
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const init = { method: 'POST', headers, body, redirect: 'manual' as const };
    const given = await fetch(`${url}/oauth/authorize`, init);
    return { answer: new URL(given.headers.get('location') as string), consentRequested: true };
  }
  return {
    ...world,
    url,
    close,
    confidential: await newClient(owner, organization.id),
    open: await newClient(owner, organization.id, { kind: 'PUBLIC' }),
    jwt: await newClient(owner, organization.id, { tokenFormat: 'JWT' }),
    decide,
    approve: async (address: string | URL): Promise<URL> => (await decide(address)).answer,
    api: async (token: string) =>
      (await fetch(`${url}/api/v1/organizations`, { headers: { authorization: `Bearer ${token}` } })).status,
  };
}
