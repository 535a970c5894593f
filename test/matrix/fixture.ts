import type { Hono } from 'hono';
import { issueApiKey } from '../../src/auth/api-key.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Scope } from '../../src/domain/kernel/scope.ts';
import { memoize } from '../../src/lib/memoize.ts';
import { DAY, fromNow } from '../../src/lib/time.ts';
import { newDatabase } from '../support/database.ts';
import { appOn } from '../support/oauth.ts';
import { config } from '../support/world.ts';
import { newTenant, type Tenant } from './tenant.ts';

/** The callers of requests for objects of tenant A. `session` is the owner in a browser; `stranger` the owner of tenant B. */
export const PRINCIPALS = [
  'owner',
  'session',
  'admin',
  'member',
  'reader',
  'application',
  'writingApplication',
  'membersApplication',
  'limitedApplication',
  'guest',
  'stranger',
  'nobody',
  'revoked',
  'expired',
] as const;

export type Principal = (typeof PRINCIPALS)[number];

export interface Fixture {
  db: Database;
  app: Hono;
  a: Tenant;
  b: Tenant;
  /** The bearer token of each caller, or the secret of the session; undefined for nobody. */
  credentials: Record<Principal, string | undefined>;
}

const SENDING = readConfig({
  PUBLIC_URL: config.publicUrl,
  SMTP_URL: 'smtp://user:secret@127.0.0.1:25',
  MAIL_FROM: 'docs@docgraph.test',
}).mail;

async function createFixture(): Promise<Fixture> {
  const db = await newDatabase();
  // Tests that walk the whole graph exceed the limits of ordinary queries.
  const app = await appOn(
    db,
    { queryCost: 1e9, queryDepth: 50, requests: 0, requestsAddress: 0 },
    { mail: SENDING },
  );
  const a = await newTenant(db, app);
  const b = await newTenant(db, app);
  const keyOf = async (more: { revokedAt?: Date; expiresAt?: Date }, scopes: ('read' | 'write')[]) => {
    const { id, secret } = await issueApiKey(db.prisma, { userId: a.owner.id, name: 'matrix', scopes });
    await db.prisma.apiKey.update({ where: { id }, data: more });
    return secret;
  };
  const credentials = {
    owner: a.owner.key,
    session: a.session,
    admin: a.admin.key,
    member: a.member.key,
    reader: await keyOf({}, ['read']),
    application: a.readToken,
    writingApplication: a.writeToken,
    membersApplication: a.membersToken,
    limitedApplication: a.limitedToken,
    guest: a.guest.key,
    stranger: b.owner.key,
    nobody: undefined,
    revoked: await keyOf({ revokedAt: new Date() }, ['read', 'write']),
    expired: await keyOf({ expiresAt: fromNow(-DAY) }, ['read', 'write']),
  };
  return { db, app, a, b, credentials };
}

/** Timeout for creating the fixture on a busy machine, in milliseconds. */
export const SETUP_TIMEOUT_MS = 180_000;

let created: Promise<Fixture> | undefined;

/** Two tenants, shared by all files of a worker; each restores the database (snapshot.ts). */
export function sharedFixture(): Promise<Fixture> {
  created ??= createFixture();
  return created;
}

/** Makes API keys with some scopes, of the owner of tenant A or of a stranger, who changes nothing of it; each is made once. */
export function newKeyring(): (
  fixture: Fixture,
  owner: 'a' | 'b',
  scopes: readonly Scope[],
) => Promise<string> {
  const keys = new Map<string, Promise<string>>();
  return (fixture, owner, scopes) =>
    memoize(keys, `${owner} ${scopes.join()}`, async () => {
      const userId = fixture[owner].owner.id;
      const key = { userId, name: 'scopes', scopes: [...scopes] };
      return (await issueApiKey(fixture.db.prisma, key)).secret;
    });
}
