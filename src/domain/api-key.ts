import { z } from 'zod';
import { databaseTime } from '../db/clock.ts';
import { sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import { type ApiKey as ApiKeyRow, type Prisma, Scope } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';
import { hashSecret, newSecret } from '../lib/secret.ts';
import { visibleApiKeys } from './access.ts';
import { requireNoApplication } from './access-application.ts';
import type { Context } from './context.ts';
import { badInput, forbidden, notFound } from './errors.ts';
import { name, parse, requireBatch } from './input.ts';
import type { Listing } from './listing.ts';
import { sortBy } from './page.ts';
import { inOrder } from './project.ts';
import { noteSecurity } from './security-event.ts';
import type { Viewer } from './viewer.ts';

export type ApiKey = Omit<ApiKeyRow, 'secretHash'>;

const columns = sql`a.id, a.user_id, a.name, a.prefix, a.scopes::text[] AS scopes, a.created_at, a.expires_at,
  a.last_used_at, a.revoked_at`;

/** The viewer's own keys, expired ones included; never a secret. */
export const apiKeysOfViewer: Listing<ApiKey, object, 'CREATED_AT'> = {
  name: 'apiKeysOfViewer',
  select: () => columns,
  from: sql`api_keys a`,
  where: ({ viewer }) => visibleApiKeys(viewer),
  sorts: {
    CREATED_AT: sortBy(sql`a.id`, sql`a.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** The data of a new key, and its secret, which is stored nowhere. */
export function newApiKey(key: { userId: string; name: string; scopes: Scope[]; expiresAt?: Date | null }) {
  const secret = newSecret('dgk_');
  const data = { id: newId('ApiKey'), ...key, prefix: secret.slice(0, 12), secretHash: hashSecret(secret) };
  return { data, secret };
}

const creation = z.strictObject({
  keys: z.array(
    z.strictObject({
      name,
      scopes: z.array(z.enum(Scope)).min(1).nullish(),
      expiresAt: z.date().nullish(),
    }),
  ),
});

/**
 * Makes keys for the viewer, all or none; each secret is in this answer and nowhere else. A key is never stronger than
 * the credential that makes it: its scopes are among those, it lives no longer, and applications make none at all.
 */
export function createApiKeys(
  ctx: Context,
  input: z.input<typeof creation>,
): Promise<{ key: ApiKey; secret: string }[]> {
  const { keys } = parse(creation, input);
  requireBatch(keys, ctx.limits.batchMax, 'keys');
  const { viewer } = ctx;
  requireNoApplication(viewer, 'apiKeys');
  return inTransaction(ctx.db, async (tx) => {
    const now = await databaseTime(tx);
    const maker = await tx.prisma.apiKey.findUnique({ where: { id: viewer.credentialId } });
    const made = keys.map(({ name, scopes, expiresAt }, index) => {
      requireScopes(viewer, scopes ?? [], index);
      return newApiKey({
        userId: viewer.userId,
        name,
        scopes: [...new Set(scopes ?? viewer.scopes)],
        expiresAt: endOf({ asked: expiresAt ?? null, most: maker?.expiresAt ?? null, now }, index),
      });
    });
    const rows = await tx.prisma.apiKey.createManyAndReturn({ data: made.map(({ data }) => data) });
    await noteSecurity(
      tx,
      made.map(({ data: { name, prefix } }) => note(viewer, 'api_key.created', { name, prefix })),
    );
    return inOrder(
      rows,
      made.map(({ data }) => data),
    ).map((key, index) => ({
      key,
      secret: made[index]?.secret as string,
    }));
  });
}

function requireScopes(viewer: Viewer, scopes: Scope[], index: number): void {
  const beyond = scopes.find((scope) => !viewer.scopes.has(scope));
  if (beyond) throw forbidden(`keys.${index}.scopes: the credential of this request lacks ${beyond} itself.`);
}

function endOf(
  { asked, most, now }: { asked: Date | null; most: Date | null; now: Date },
  index: number,
): Date | null {
  const at = `keys.${index}.expiresAt`;
  if (asked && asked <= now) throw badInput(`${at}: must be in the future`, at);
  if (most && asked && asked > most) throw forbidden(`${at}: the key of this request ends before that.`);
  return asked ?? most;
}

const note = (viewer: Viewer, kind: string, data: Prisma.InputJsonObject) => ({
  userId: viewer.userId,
  kind,
  data,
});

const deletion = z.strictObject({ apiKeyIds: z.array(z.string()) });

/** Revokes keys of the viewer, all or none; the next request with one fails. Throws NOT_FOUND for other people's. */
export function deleteApiKeys(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { apiKeyIds } = parse(deletion, input);
  requireBatch(apiKeyIds, ctx.limits.batchMax, 'apiKeyIds');
  requireNoApplication(ctx.viewer, 'apiKeys');
  const ids = [...new Set(apiKeyIds)];
  return inTransaction(ctx.db, async (tx) => {
    const { count } = await tx.prisma.apiKey.updateMany({
      where: { id: { in: ids }, userId: ctx.viewer.userId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count < ids.length) throw notFound('API key', 'apiKeyIds');
    await noteSecurity(
      tx,
      ids.map((id) => note(ctx.viewer, 'api_key.revoked', { id })),
    );
    return ids;
  });
}
