import type { Database } from '../db/database.ts';
import type { Viewer } from '../domain/viewer.ts';
import { type OrganizationRole, Prisma, type Scope } from '../generated/prisma/client.ts';
import { hashSecret } from '../lib/secret.ts';
import { MINUTE } from '../lib/time.ts';

const { sql } = Prisma;

interface Found {
  credentialId: string;
  scopes: Scope[];
  lastUsedAt: Date | null;
  userId: string;
  email: string;
  name: string;
  memberships: { organizationId: string; role: OrganizationRole }[];
}

const memberships = sql`coalesce((
  SELECT json_agg(json_build_object('organizationId', m.organization_id, 'role', m.role) ORDER BY m.organization_id)
  FROM memberships m WHERE m.user_id = u.id), '[]') AS memberships`;

/** Live credentials of each kind, by the prefix of their secret: one statement loads all that a request has to know. */
const LOOKUPS: Record<string, (hash: Uint8Array) => Prisma.Sql> = {
  dgk_: (hash) => sql`
    SELECT c.id AS credential_id, c.scopes::text[] AS scopes, c.last_used_at, u.id AS user_id, u.email, u.name, ${memberships}
    FROM api_keys c JOIN users u ON u.id = c.user_id
    WHERE c.secret_hash = ${hash} AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
    AND u.disabled_at IS NULL`,
  dgs_: (hash) => sql`
    SELECT c.id AS credential_id, '{read,write}'::text[] AS scopes, now() AS last_used_at, u.id AS user_id, u.email, u.name, ${memberships}
    FROM sign_ins c JOIN users u ON u.id = c.user_id
    WHERE c.secret_hash = ${hash} AND c.expires_at > now() AND u.disabled_at IS NULL`,
};

async function load(db: Database, secret: string, prefixes: readonly string[]): Promise<Viewer | undefined> {
  const prefix = secret.slice(0, 4);
  const lookup = prefixes.includes(prefix) ? LOOKUPS[prefix] : undefined;
  if (!lookup || secret.length > 100) return undefined;
  const [found] = await db.query<Found>(lookup(hashSecret(secret)));
  if (!found) return undefined;
  if (prefix === 'dgk_') await noteUse(db, found);
  return { ...found, scopes: new Set(found.scopes) };
}

/** The viewer behind a bearer credential (RFC 6750 §2.1), or undefined: unknown, expired, revoked and malformed alike. */
export const viewerOfBearer = (db: Database, secret: string) => load(db, secret, ['dgk_']);

/** The viewer behind the cookie of a browser sign-in. */
export const viewerOfSignIn = (db: Database, secret: string) => load(db, secret, ['dgs_']);

/** Last use is kept to the minute: a read need not become a write each time. */
async function noteUse(db: Database, { credentialId, lastUsedAt }: Found): Promise<void> {
  if (lastUsedAt && lastUsedAt.getTime() > Date.now() - MINUTE) return;
  await db.prisma.apiKey.updateMany({ where: { id: credentialId }, data: { lastUsedAt: new Date() } });
}

/** The credential of an Authorization header: undefined when there is none, '' when it is no usable bearer. */
export function bearerOf(header: string | null | undefined): string | undefined {
  if (!header) return undefined;
  return /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(header)?.[1] ?? '';
}
