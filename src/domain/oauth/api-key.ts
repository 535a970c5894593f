import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApiKey as ApiKeyRow, Prisma } from '../../generated/prisma/client.ts';
import { newId, typeOfId } from '../../lib/id.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { visibleApiKeys } from '../access/access-credential.ts';
import { closedOrganizations } from '../access/access-second-factor.ts';
import { issuedColumns, issueOfColumns } from '../access/credential-issue.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, DomainError, forbidden } from '../kernel/errors.ts';
import { name, parse, requireBatchSize } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { APPLICATION_SCOPES, allowedBy, SCOPES, type Scope, storedScopes } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { allowedTo, type Viewer } from '../kernel/viewer.ts';
import { inOrderOf } from '../projects/project.ts';
import { recordSecurityEvents } from '../users/security-event.ts';

/** isExpired: its time has passed, by the clock of the database. */
export type ApiKey = Omit<ApiKeyRow, 'secretHash' | 'scopes' | 'authorizedAt' | 'secondFactor'> & {
  scopes: Scope[];
  isExpired: boolean;
};

const columns = sql`a.id, a.user_id, a.name, a.prefix, a.scopes::text[] AS scopes, a.created_at, a.expires_at,
  coalesce(a.expires_at <= now(), false) AS is_expired, a.last_used_at, a.revoked_at, a.ancestor_ids`;

/** The viewer's own keys, expired ones included; never a secret. */
export const apiKeysOfViewer: Listing<ApiKey, object, 'CREATED_AT'> = {
  name: 'apiKeysOfViewer',
  select: () => columns,
  from: tables.apiKeys.from,
  where: ({ viewer }) => visibleApiKeys(viewer, tables.apiKeys),
  sorts: {
    CREATED_AT: sortBy(sql`a.id`, sql`a.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Those of the ids that are the viewer's own, in no particular order. */
export const findApiKeys = ({ db, viewer }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<ApiKey>(
    sql`SELECT ${columns} FROM ${tables.apiKeys.from} WHERE a.id ${sql.any(ids)} AND ${visibleApiKeys(viewer, tables.apiKeys)}`,
  );

/** The row of a new key, and its secret, of which only the hash is stored. */
export function newApiKey(key: {
  userId: string;
  name: string;
  scopes: Scope[];
  expiresAt?: Date | null;
  ancestorIds?: string[];
  authorizedAt?: Date;
  secondFactor: boolean;
}) {
  const secret = newSecret('dgk_');
  const data = { id: newId('ApiKey'), ...key, prefix: secret.slice(0, 12), secretHash: hashSecret(secret) };
  return { data, secret };
}

const creation = z.strictObject({
  keys: z.array(
    z.strictObject({
      name,
      // Not those that concern who the user is, which give no rights.
      scopes: z
        .array(z.enum(APPLICATION_SCOPES).pipe(z.enum(SCOPES)))
        .min(1)
        .nullish(),
      expiresAt: z.date().nullish(),
    }),
  ),
});

/** closedOrganizations: names of those that the key does not reach until its owner has a second factor. */
export interface CreatedApiKey {
  key: ApiKey;
  secret: string;
  closedOrganizations: string[];
}

/**
 * Creates keys for the viewer, all or none; each secret is returned once. A key has at most the scopes and lifetime of
 * the key that creates it, and is revoked with it. Throws FORBIDDEN beyond that, to applications, and without a fresh proof.
 */
export function createApiKeys(ctx: Context, input: z.input<typeof creation>): Promise<CreatedApiKey[]> {
  const { keys } = parse(creation, input);
  requireBatchSize(keys, ctx.limits.batchMax, 'keys');
  const { viewer } = ctx;
  requireNoApplication(viewer, 'apiKeys');
  return inTransaction(ctx.db, async (tx) => {
    await requireFreshProof(tx, viewer);
    const now = await databaseTime(tx);
    const creatingKey = await lockCreatingKey(tx, viewer);
    const issued = await issuedColumns(tx, viewer);
    const newKeys = keys.map(({ name, scopes, expiresAt }, index) => {
      requireScopes(viewer, scopes ?? [], index);
      return newApiKey({
        userId: viewer.userId,
        name,
        scopes: [...new Set(scopes ?? viewer.scopes)],
        expiresAt: expiryOf(
          { requested: expiresAt ?? null, limit: creatingKey?.expiresAt ?? null, now },
          index,
        ),
        ancestorIds: creatingKey ? [...creatingKey.ancestorIds, creatingKey.id] : [],
        ...issued,
      });
    });
    const data = newKeys.map((each) => ({ ...each.data, scopes: storedScopes(each.data.scopes) }));
    await tx.prisma.apiKey.createMany({ data });
    const rows = await findApiKeys(
      ctx,
      data.map(({ id }) => id),
      tx,
    );
    await recordSecurityEvents(
      tx,
      newKeys.map(({ data: { name, prefix } }) => keyEvent(viewer, 'api_key.created', { name, prefix })),
    );
    const closed = await closedOrganizations(tx, viewer.userId, issueOfColumns(issued));
    return inOrderOf(
      rows,
      newKeys.map(({ data }) => data),
    ).map((key, index) => ({
      key,
      secret: newKeys[index]?.secret as string,
      closedOrganizations: closed,
    }));
  });
}

/** Serializes creation and deletion of one user's keys, so that no key is created by one that is being deleted. */
const lockKeysOfUser = (tx: Transaction, { userId }: Viewer) =>
  tx.query(sql`SELECT u.id FROM users u WHERE u.id = ${userId} FOR NO KEY UPDATE`);

/** The API key of this request, read again; undefined for a browser sign-in. Throws UNAUTHENTICATED if it has ended. */
async function lockCreatingKey(tx: Transaction, viewer: Viewer): Promise<ApiKey | undefined> {
  await lockKeysOfUser(tx, viewer);
  if (typeOfId(viewer.credentialId) !== 'ApiKey') return undefined;
  const [creatingKey] =
    await tx.query<ApiKey>(sql`SELECT ${columns} FROM ${tables.apiKeys.from} WHERE a.id = ${viewer.credentialId}
    AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now())`);
  if (!creatingKey) throw new DomainError('UNAUTHENTICATED', 'The API key of this request has ended.');
  return creatingKey;
}

function requireScopes(viewer: Viewer, scopes: Scope[], index: number): void {
  const missingScope = scopes.find((scope) => (allowedBy([scope]) & ~allowedTo(viewer)) !== 0);
  if (missingScope)
    throw forbidden(
      `keys.${index}.scopes: the credential of this request lacks ${missingScope} itself.`,
      `keys.${index}.scopes`,
    );
}

function expiryOf(
  { requested, limit, now }: { requested: Date | null; limit: Date | null; now: Date },
  index: number,
): Date | null {
  const at = `keys.${index}.expiresAt`;
  if (requested && requested <= now) throw badValue(at, 'must be in the future');
  if (limit && requested && requested > limit)
    throw forbidden('The key of this request ends before that.', at);
  return requested ?? limit;
}

const keyEvent = (viewer: Viewer, kind: string, data: Prisma.InputJsonObject) => ({
  userId: viewer.userId,
  kind,
  data,
});

const deletion = z.strictObject({ apiKeyIds: z.array(z.string()) });

/**
 * Revokes keys of the viewer and all keys created with them, all or none; the next request with one fails. Returns the
 * ids of all revoked keys, those of the input first. Throws NOT_FOUND for keys of others.
 */
export function deleteApiKeys(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { apiKeyIds } = parse(deletion, input);
  requireBatchSize(apiKeyIds, ctx.limits.batchMax, 'apiKeyIds');
  requireNoApplication(ctx.viewer, 'apiKeys');
  const ids = [...new Set(apiKeyIds)];
  return inTransaction(ctx.db, async (tx) => {
    await lockKeysOfUser(tx, ctx.viewer);
    const ended = (
      await tx.query<{ id: string }>(sql`UPDATE ${tables.apiKeys.from} SET revoked_at = now()
        WHERE ${visibleApiKeys(ctx.viewer, tables.apiKeys)} AND (a.id ${sql.any(ids)} OR a.ancestor_ids && ${sql.texts(ids)}) RETURNING a.id`)
    ).map(({ id }) => id);
    requireFound(
      'API key',
      ids,
      ended.map((id) => ({ id })),
      positionIn('apiKeyIds', apiKeyIds),
    );
    const all = [...new Set([...ids, ...ended.sort()])];
    await recordSecurityEvents(
      tx,
      all.map((id) => keyEvent(ctx.viewer, 'api_key.revoked', { id })),
    );
    return all;
  });
}
