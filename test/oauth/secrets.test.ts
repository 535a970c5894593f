import { Writable } from 'node:stream';
import type { Hono } from 'hono';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import {
  appOn,
  ask,
  browser,
  type Form,
  newClient,
  newOAuthWorld,
  post,
  signedIn,
  VERIFIER,
} from '../support/oauth.ts';

/** Every row of every table as text; bytes also as the text they may hold. */
async function dump(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(
    Prisma.sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query(Prisma.sql`SELECT * FROM ${Prisma.raw(`"${name}"`)}`);
    texts.push(JSON.stringify(rows, (_, value) => readable(value)));
  }
  return texts.join('\n');
}

const readable = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? String(value)
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('latin1')
      : value;

describe('a whole run', () => {
  it('leaves no token, code, secret or verifier in the log or the database (48)', async () => {
    const { db, owner, organization } = await newOAuthWorld();
    const lines: string[] = [];
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }),
    );
    const app = await appOn(db, {}, { log });
    const cookie = await signedIn(db, owner.id);
    const user = browser(app, cookie);
    const secrets: string[] = [cookie.split('=')[1] as string, VERIFIER, owner.key];
    for (const facts of [{}, { kind: 'PUBLIC' }, { tokenFormat: 'JWT' }] as const) {
      const client = await newClient(owner, organization.id, facts);
      const as = { client_id: client.id, client_secret: client.secret };
      const code = await user.code(ask(client));
      const redeem = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirectUri,
        code_verifier: VERIFIER,
      };
      await failing(app, db, { ...redeem, ...as });
      const { body } = await post(app, '/oauth/token', { ...redeem, ...as });
      const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...as };
      const next = (await post(app, '/oauth/token', form)).body;
      await post(app, '/oauth/token', form);
      await post(app, '/oauth/introspect', { token: next.access_token, ...as });
      await post(app, '/oauth/revoke', { token: next.refresh_token, ...as });
      await app.request('/api/v1/organizations', {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
      secrets.push(code, body.access_token, body.refresh_token, next.access_token, next.refresh_token);
      if (client.secret) secrets.push(client.secret);
    }
    const everything = `${await dump(db)}\n${lines.join('')}`;
    expect(lines.join('')).toContain('unexpected failure');
    expect(everything).toContain('refresh_token_reused');
    expect(secrets).toHaveLength(20);
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  });
});

/** A failure of ours in the midst of a request: what is logged of it holds no secret either. */
async function failing(app: Hono, db: Database, redeem: Form): Promise<void> {
  await db.prisma.$executeRaw`ALTER TABLE refresh_tokens RENAME TO refresh_tokens_away`;
  const answer = post(app, '/oauth/token', redeem);
  const { status, body } = await answer.finally(
    () => db.prisma.$executeRaw`ALTER TABLE refresh_tokens_away RENAME TO refresh_tokens`,
  );
  expect([status, body]).toEqual([
    500,
    { error: 'server_error', error_description: expect.any(String), requestId: expect.any(String) },
  ]);
}
