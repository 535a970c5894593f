import { Writable } from 'node:stream';
import type { Hono } from 'hono';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { PASSWORD, withPassword } from '../support/browser.ts';
import { dump } from '../support/dump.ts';
import {
  appOn,
  ask,
  browser,
  encode,
  type Form,
  newClient,
  newOAuthWorld,
  post,
  type TestClient,
  VERIFIER,
} from '../support/oauth.ts';

const WRONG = 'dgb_a-wrong-secret-that-is-nobodys-but-was-sent';
const MISTYPED = `${PASSWORD}r`;

/** All steps, and the secrets in them. */
class Run {
  readonly secrets = new Set([VERIFIER, PASSWORD, MISTYPED, WRONG]);
  readonly app: Hono;
  readonly db: Database;

  constructor(app: Hono, db: Database) {
    this.app = app;
    this.db = db;
  }

  /** Signs in with a form, after one wrong attempt; returns the cookie. */
  async signIn(email: string): Promise<string> {
    const send = (password: string) =>
      this.app.request('/sign-in', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: encode({ email, password }),
      });
    expect((await send(MISTYPED)).status).toBe(422);
    expect((await this.failing('security_events', () => send(PASSWORD))).status).toBe(500);
    const cookie = (await send(PASSWORD)).headers.getSetCookie()[0]?.split(';')[0] as string;
    this.secrets.add(cookie.split('=')[1] as string);
    return cookie;
  }

  async post(path: string, form: Form, headers = {}) {
    const answer = await post(this.app, path, form, headers);
    const { access_token, refresh_token, request_uri } = answer.body;
    for (const secret of [access_token, refresh_token, request_uri?.split(':').at(-1)])
      if (secret) this.secrets.add(secret);
    return answer;
  }

  /** An internal error during a request, whose log must not contain secrets either. */
  async failing<Answer>(table: string, act: () => Answer | Promise<Answer>): Promise<Answer> {
    const rename = (from: string, to: string) =>
      this.db.prisma.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename(table, `${table}_away`);
    try {
      return await act();
    } finally {
      await rename(`${table}_away`, table);
    }
  }

  /** Everything that one client does, with errors. */
  async live(client: TestClient, cookie: string): Promise<void> {
    const as = { client_id: client.id, client_secret: client.secret };
    if (client.secret) this.secrets.add(client.secret);
    const user = browser(this.app, cookie);
    const push = () => this.post('/oauth/par', { ...ask(client), ...as });
    expect((await this.failing('pushed_requests', push)).status).toBe(500);
    const { request_uri } = (await push()).body;
    const denied = await user.decide(await user.authorize({ client_id: client.id, request_uri }), 'deny');
    expect(denied.headers.get('location')).toContain('access_denied');
    const code = await user.code(ask(client));
    this.secrets.add(code);
    const redeem = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      code_verifier: VERIFIER,
      ...as,
    };
    await this.post('/oauth/token', { ...redeem, client_secret: WRONG });
    await this.post('/oauth/token', { ...redeem, code_verifier: `${VERIFIER}x` });
    expect((await this.failing('refresh_tokens', () => this.post('/oauth/token', redeem))).body).toEqual({
      error: 'server_error',
      error_description: expect.any(String),
      requestId: expect.any(String),
    });
    const { body } = await this.post('/oauth/token', redeem);
    await this.use(body.access_token, client, as);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...as };
    expect((await this.failing('access_tokens', () => this.post('/oauth/token', refresh))).status).toBe(500);
    const next = (await this.post('/oauth/token', refresh)).body;
    await this.post('/oauth/introspect', { token: next.refresh_token, ...as });
    await this.post('/oauth/token', refresh);
    await this.post('/oauth/revoke', { token: next.access_token, ...as });
    await this.post('/oauth/revoke', { token: next.refresh_token, ...as });
    await this.post('/oauth/token', redeem);
  }

  /** At the APIs and at introspection, also when these fail. */
  async use(token: string, client: TestClient, as: Form): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const rest = () => this.app.request('/api/v1/organizations', { headers });
    const introspect = () => this.post('/oauth/introspect', { token, ...as });
    expect((await rest()).status).toBe(200);
    expect((await this.failing('memberships', rest)).status).toBe(500);
    expect((await introspect()).status).toBe(client.secret ? 200 : 401);
    if (client.secret) expect((await this.failing('access_tokens', introspect)).status).toBe(500);
    const graph = (query: string) =>
      this.app.request('/graphql', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
    await graph(`{ viewer { email } nothing(of: "${token}") }`);
    await graph(`{ node(id: "${token}") { id } }`);
    await this.app.request(`/oauth/token?code=${token}`, { method: 'POST' });
  }
}

describe('all OAuth flows of a client', () => {
  it('leave no token, code, secret, password or verifier in the log or the database (48)', async () => {
    const { db, owner, organization } = await newOAuthWorld();
    const lines: string[] = [];
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }),
    );
    const run = new Run(await appOn(db, {}, { log }), db);
    await withPassword(db, owner);
    const cookie = await run.signIn(owner.email);
    for (const facts of [{}, { kind: 'PUBLIC' }, { tokenFormat: 'JWT' }] as const)
      await run.live(await newClient(owner, organization.id, facts), cookie);
    const logged = lines.join('');
    const stored = await dump(db);
    expect(lines.filter((line) => line.includes('unexpected failure')).length).toBeGreaterThanOrEqual(15);
    for (const kind of ['refresh_token_reused', 'signIn.begun']) expect(stored).toContain(kind);
    expect(run.secrets.size).toBe(4 + 1 + 3 * 6 + 2);
    expect([...run.secrets].filter((secret) => `${logged}\n${stored}`.includes(secret))).toEqual([]);
  }, 120_000);
});
