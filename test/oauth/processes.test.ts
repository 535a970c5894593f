import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/admin/commands.ts';
import type { Database } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import {
  ask,
  CALLBACK,
  encode,
  type Form,
  hiddenFields,
  type Posted,
  type TestClient,
  VERIFIER,
} from '../support/oauth.ts';
import { type ServerProcess, startServers } from '../support/servers/processes.ts';
import { testStorage } from '../support/storage.ts';
import { config } from '../support/world.ts';

const AT_ONCE = 20;
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 5);
const EMAIL = 'ada@example.test';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_WINNER = [200, ...Array(AT_ONCE - 1).fill('invalid_grant')];
const outcomes = (answers: Posted[]) => answers.map(({ status, body }) => body.error ?? status).sort();

const server = process.env.TEST_DATABASE_URL;
if (!server) console.warn('There is no TEST_DATABASE_URL: two server processes are not raced.');

describe.runIf(server)('two server processes on one database', { timeout: 60 * MINUTE }, () => {
  let db: Database;
  let servers: ServerProcess[];
  let urls: string[];
  let confidential: TestClient;
  let open: TestClient;
  let jwt: TestClient;
  let cookie: string;
  /** Secrets that must not be stored or printed in plain text. */
  const secrets = new Set<string>([VERIFIER]);

  beforeAll(async () => {
    const url = await emptyDatabase();
    // Both start on the empty database, so both try to migrate it.
    servers = await startServers(2, url, config.publicUrl);
    urls = servers.map((each) => each.url);
    db = await openPostgres({ url, pool: 2, statementTimeout: 10_000 });
    const password = await furnish();
    const answer = await send(1, '/sign-in', { email: EMAIL, password });
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] as string;
    secrets.add(password).add(cookie.split('=')[1] as string);
  }, 3 * MINUTE);

  afterAll(async () => {
    await db?.close();
    await Promise.all((servers ?? []).map((each) => each.stop()));
  });

  /** Creates an account, its organization and applications by functions of the command line; returns the password. */
  async function furnish(): Promise<string> {
    const storage = await testStorage(await testDatabase());
    const run = (name: string, options: Record<string, string>) =>
      COMMANDS[name]?.run({ db, storage, limits: config.limits }, options) as Promise<string>;
    const output = await run('create-user', { email: EMAIL, name: 'Ada' });
    const organization = await run('create-organization', { name: 'Harbor', owner: EMAIL });
    const make = async (kind: string): Promise<TestClient> => {
      const facts = { organization, owner: EMAIL, name: kind, kind, 'redirect-uris': CALLBACK };
      const created = JSON.parse(await run('create-app', facts));
      if (created.client_secret) secrets.add(created.client_secret);
      return { id: created.client_id, secret: created.client_secret, redirectUri: CALLBACK };
    };
    [confidential, open, jwt] = [
      await make('confidential'),
      await make('public'),
      await make('confidential'),
    ];
    await db.prisma.client.update({ where: { id: jwt.id }, data: { tokenFormat: 'JWT' } });
    return /password (\S+)$/.exec(output)?.[1] as string;
  }

  const send = (index: number, path: string, form: Form, headers: Record<string, string> = {}) =>
    fetch(urls[index % 2] + path, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: encode(form),
      redirect: 'manual',
    });

  async function post(index: number, path: string, form: Form): Promise<Posted> {
    const answer = await send(index, path, form);
    const { status, headers } = answer;
    const body = (await answer.json()) as Posted['body'];
    for (const token of [body.access_token, body.refresh_token]) if (token) secrets.add(token);
    return { status, headers, body };
  }

  const atOnce = (make: (index: number) => Promise<Posted>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(index)));

  const as = ({ id, secret }: TestClient) => ({ client_id: id, client_secret: secret });

  /** Requested from one process, decided at the other. */
  async function code(client: TestClient): Promise<string> {
    const address = `${urls[0]}/oauth/authorize?${encode(ask(client))}`;
    const page = await fetch(address, { headers: { cookie }, redirect: 'manual' });
    const answer =
      page.status === 200
        ? await send(
            1,
            '/oauth/authorize',
            { ...hiddenFields(await page.text()), decision: 'approve' },
            { cookie },
          )
        : page;
    const code = new URL(answer.headers.get('location') as string).searchParams.get('code') as string;
    secrets.add(code);
    return code;
  }

  const redeeming = (client: TestClient, code: string) => ({
    grant_type: 'authorization_code',
    code: code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...as(client),
  });

  const refreshing = (client: TestClient, refresh_token: string) => ({
    grant_type: 'refresh_token',
    refresh_token,
    ...as(client),
  });

  /** At both processes: whether the API accepts an access token, and the result for a refresh token. */
  const api = (token: string) =>
    Promise.all(
      urls.map(
        async (url) =>
          (await fetch(`${url}/api/v1/organizations`, { headers: { authorization: `Bearer ${token}` } }))
            .status,
      ),
    );

  async function expectDead(client: TestClient, { access_token, refresh_token }: Posted['body']) {
    expect(await api(access_token)).toEqual([401, 401]);
    for (const index of [0, 1]) {
      const { status, body } = await post(index, '/oauth/token', refreshing(client, refresh_token));
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
      if (!client.secret) continue;
      const introspection = await post(index, '/oauth/introspect', { token: access_token, ...as(client) });
      expect(introspection.body).toEqual({ active: false });
    }
  }

  const winner = (answers: Posted[]) => answers.find(({ status }) => status === 200)?.body;

  it('create one signing key, and accept tokens of the other process', async () => {
    const sets = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) =>
        (await fetch(`${urls[index % 2]}/oauth/jwks`)).json(),
      ),
    );
    expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1);
    const { body } = await post(0, '/oauth/token', redeeming(jwt, await code(jwt)));
    expect(body.access_token).toMatch(/^eyJ/);
    expect(await api(body.access_token)).toEqual([200, 200]);
  });

  it('issue one pair of tokens for a code, which the replays revoke (25: RFC 6749 §4.1.2)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const client = [confidential, open, jwt][round % 3] as TestClient;
      const form = redeeming(client, await code(client));
      const answers = await atOnce((index) => post(index, '/oauth/token', form));
      expect(outcomes(answers)).toEqual(ONE_WINNER);
      await expectDead(client, winner(answers));
    }
  });

  it('issue one pair for a refresh token, and the reuse revokes the family (35: RFC 9700 §4.14.2)', async () => {
    const kind = 'authorization.refresh_token_reused';
    const before = await db.prisma.securityEvent.count({ where: { kind } });
    for (let round = 0; round < ROUNDS; round++) {
      const client = [confidential, open, jwt][round % 3] as TestClient;
      const first = await post(0, '/oauth/token', redeeming(client, await code(client)));
      const form = refreshing(client, first.body.refresh_token);
      const answers = await atOnce((index) => post(index, '/oauth/token', form));
      expect(outcomes(answers)).toEqual(ONE_WINNER);
      await expectDead(client, winner(answers));
      expect(await api(first.body.access_token)).toEqual([401, 401]);
    }
    expect(await db.prisma.securityEvent.count({ where: { kind } })).toBe(before + ROUNDS);
  });

  it('leave no valid token after concurrent refreshes and revocations (45: RFC 7009 §2.1)', async () => {
    let won = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const client = [confidential, open][round % 2] as TestClient;
      const { body } = await post(0, '/oauth/token', redeeming(client, await code(client)));
      const [refresh, revoke] = [
        refreshing(client, body.refresh_token),
        { token: body.refresh_token, ...as(client) },
      ];
      // Each process gets both, in an order that alternates with the round.
      const answers = await atOnce((index) =>
        (index + round) % 4 < 2 ? post(index, '/oauth/token', refresh) : post(index, '/oauth/revoke', revoke),
      );
      const pairs = answers.filter((answer) => answer.body.refresh_token).map((answer) => answer.body);
      expect(pairs.length).toBeLessThanOrEqual(1);
      won += pairs.length;
      for (const pair of [body, ...pairs]) await expectDead(client, pair);
    }
    console.info(`${won} of ${ROUNDS} refreshes were answered before their revocation`);
  });

  it('print and store no token, code, secret or password in plain text (48)', async () => {
    await db.prisma.recurringWork.updateMany({ data: { begunAt: new Date(0) } });
    const printed = () => servers.map((each) => each.output()).join('\n');
    await expect.poll(printed).toContain('"level":20');
    const output = printed();
    const everything = `${output}\n${await dump(db)}`;
    expect(everything).toContain(confidential.id);
    expect(secrets.size).toBeGreaterThan(5 + 3 * ROUNDS);
    expect([...secrets].filter((secret) => everything.includes(secret))).toEqual([]);
  });
});
