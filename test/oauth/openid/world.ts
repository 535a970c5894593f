import { createLocalJWKSet, type JWTVerifyResult, jwtVerify } from 'jose';
import { sql } from '../../../src/db/sql/sql.ts';
import { hashSecret } from '../../../src/lib/secret.ts';
import {
  ask,
  browser,
  type Form,
  ISSUER,
  newClient,
  newOAuthWorld,
  signedIn,
  type TestClient,
} from '../../support/oauth.ts';

export const IDENTITY = ['openid', 'profile', 'email'] as const;
export const NONCE = 'n-0S6_WzA2Mj';

/** A response to an authorization request. */
export interface Answer {
  status: number;
  /** Where it redirects to: the path of a page of this server, or the application. */
  to: string | undefined;
  parameters: Record<string, string>;
}

/** A world with applications that may ask who their user is, and its owner at a browser. */
export async function newOpenIdWorld(limits: Parameters<typeof newOAuthWorld>[0] = {}) {
  const world = await newOAuthWorld(limits);
  const { db, app, owner, organization, redeem } = world;
  const scopes = ['read' as const, ...IDENTITY];
  const client = await newClient(owner, organization.id, { scopes, name: 'Sign-in' });
  const open = await newClient(owner, organization.id, { scopes, kind: 'PUBLIC', name: 'Page' });
  const cookie = await signedIn(db, owner.id);
  const user = browser(app, cookie);
  const request = (more: Form = {}, of: TestClient = client) =>
    ask(of, { scope: 'openid profile email', nonce: NONCE, ...more });
  return {
    ...world,
    ...{ client, open, cookie, user, request },
    /** What the server answers to a request of this browser, without anybody deciding. */
    async answer(more: Form = {}, { at = user, of = client } = {}): Promise<Answer> {
      const { status, headers } = await at.authorize(request(more, of));
      const location = headers.get('location');
      if (!location) return { status, to: undefined, parameters: {} };
      const url = new URL(location, ISSUER);
      const to = url.origin === ISSUER ? url.pathname : url.origin + url.pathname;
      return { status, to, parameters: Object.fromEntries(url.searchParams) };
    },
    /** The answer of the token endpoint to a whole flow. */
    async signIn(more: Form = {}, of: TestClient = client) {
      const { body } = await redeem(of, await user.code(request(more, of)));
      return body as { access_token: string; refresh_token: string; scope: string; id_token?: string };
    },
    /** Moves the time at which the user proved who they are back by this. */
    pass: (seconds: number) =>
      db.query(sql`UPDATE sign_ins SET authenticated_at = authenticated_at - make_interval(secs => ${seconds})
        WHERE secret_hash = ${hashSecret(cookie.split('=')[1] as string)}`),
    endSession: () => db.query(sql`UPDATE sign_ins SET expires_at = now() WHERE user_id = ${owner.id}`),
    /** Verifies an ID token as an application does. Throws. */
    async verify(token: string | undefined, of: TestClient = client): Promise<JWTVerifyResult> {
      const keys = (await (await app.request('/oauth/jwks')).json()) as never;
      return jwtVerify(token ?? '', createLocalJWKSet(keys), {
        ...{ issuer: ISSUER, audience: of.id, algorithms: ['RS256'] },
      });
    },
    userInfo: (token: string, init: RequestInit = {}) =>
      app.request('/oauth/userinfo', { headers: { authorization: `Bearer ${token}` }, ...init }),
  };
}

export type OpenIdWorld = Awaited<ReturnType<typeof newOpenIdWorld>>;
