import type { Hono } from 'hono';
import { issueApiKey } from '../../src/auth/api-key.ts';
import type { Database } from '../../src/db/database.ts';
import { DAY, fromNow } from '../../src/lib/time.ts';
import { newDatabase } from '../support/database.ts';
import { appOn } from '../support/oauth.ts';
import { newTenant, type Tenant } from './tenant.ts';

/** Who asks for what is tenant A's. The owner of B stands for every stranger. */
export const PRINCIPALS = [
  'owner',
  'admin',
  'member',
  'reader',
  'application',
  'writingApplication',
  'guest',
  'stranger',
  'nobody',
  'revoked',
  'expired',
] as const;

export type Principal = (typeof PRINCIPALS)[number];

export interface Scene {
  db: Database;
  app: Hono;
  a: Tenant;
  b: Tenant;
  /** What each presents; nobody has nothing. */
  credentials: Record<Principal, string | undefined>;
}

async function makeScene(): Promise<Scene> {
  const db = await newDatabase();
  // What is walked through whole would cost more than anyone may ask for at once.
  const app = await appOn(db, { queryCost: 1e9, queryDepth: 50, requests: 0, requestsAddress: 0 });
  const a = await newTenant(db, app);
  const b = await newTenant(db, app);
  const keyOf = async (more: { revokedAt?: Date; expiresAt?: Date }, scopes: ('read' | 'write')[]) => {
    const { id, secret } = await issueApiKey(db.prisma, { userId: a.owner.id, name: 'matrix', scopes });
    await db.prisma.apiKey.update({ where: { id }, data: more });
    return secret;
  };
  const credentials = {
    owner: a.owner.key,
    admin: a.admin.key,
    member: a.member.key,
    reader: await keyOf({}, ['read']),
    application: a.readToken,
    writingApplication: a.writeToken,
    guest: a.guest.key,
    stranger: b.owner.key,
    nobody: undefined,
    revoked: await keyOf({ revokedAt: new Date() }, ['read', 'write']),
    expired: await keyOf({ expiresAt: fromNow(-DAY) }, ['read', 'write']),
  };
  return { db, app, a, b, credentials };
}

/** Milliseconds that making the world may take, on a busy machine. */
export const SETTING_UP = 180_000;

let made: Promise<Scene> | undefined;

/** Two tenants, for all the files that a worker runs; each has to leave it as it was (kept.ts). */
export function scene(): Promise<Scene> {
  made ??= makeScene();
  return made;
}
