import { z } from 'zod';
import { databaseTime } from '../db/clock.ts';
import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import { newId } from '../lib/id.ts';
import { hashSecret, newSecret } from '../lib/secret.ts';
import { DAY } from '../lib/time.ts';
import { changes, record } from './audit.ts';
import { type Client, findClients } from './client.ts';
import type { Context } from './context.ts';
import { applicationName } from './display-name.ts';
import { badInput, conflict, notFound } from './errors.ts';
import { revokeGrants } from './grant-end.ts';
import { parse, requireBatch } from './input.ts';
import { requireOrganizationAdmin } from './organization.ts';
import { redirectUriFault } from './redirect-uri.ts';
import { requireNoApplication } from './role.ts';
import { changedNow, holdRow, requireVersion } from './version.ts';

const scopes = z.array(z.enum(['read', 'write'])).transform((list) => [...new Set(list)].sort());
const redirectUris = z.array(z.string()).min(1, 'takes at least one').max(20, 'takes at most 20');
const tokenFormat = z.enum(['OPAQUE', 'JWT']);

const creation = z.strictObject({
  organizationId: z.string(),
  name: applicationName,
  kind: z.enum(['CONFIDENTIAL', 'PUBLIC']),
  native: z.boolean().nullish(),
  redirectUris,
  scopes,
  tokenFormat: tokenFormat.nullish(),
});

/** `secret` is shown this once; a public client has none. Takes the role OWNER or ADMIN in the organization. */
export function createClient(
  ctx: Context,
  input: z.input<typeof creation>,
): Promise<{ client: Client; secret: string | null }> {
  const { organizationId, native, tokenFormat, ...facts } = parse(creation, input);
  if (native && facts.kind === 'CONFIDENTIAL')
    throw badInput('native: a native client cannot keep a secret (RFC 8252 §8.4)', 'native');
  requireRedirectUris(facts.redirectUris, native ?? false);
  return inTransaction(ctx.db, async (tx) => {
    await requireClientManager(ctx, tx, organizationId);
    const id = newId('Client');
    await tx.prisma.client.create({
      data: {
        ...facts,
        id,
        organizationId,
        native: native ?? false,
        tokenFormat: tokenFormat ?? 'OPAQUE',
        createdById: ctx.viewer.userId,
      },
    });
    const secret = facts.kind === 'CONFIDENTIAL' ? await addSecret(tx, id) : null;
    await record(ctx, tx, [
      { organizationId, subjectId: id, kind: 'client.created', data: { after: facts } },
    ]);
    return { client: await reread(ctx, tx, id), secret };
  });
}

const update = z.strictObject({
  clientId: z.string(),
  name: applicationName.nullish(),
  redirectUris: redirectUris.nullish(),
  scopes: scopes.nullish(),
  tokenFormat: tokenFormat.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Members left out, or null, stay as they are. Scopes that are taken away count at the next request of every token. */
export function updateClient(ctx: Context, input: z.input<typeof update>): Promise<Client> {
  const { clientId, expectedVersion, ...asked } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await holdRow(tx, 'clients', clientId);
    const before = await requireClient(ctx, tx, clientId);
    requireVersion(before, expectedVersion);
    const after = {
      name: asked.name ?? before.name,
      redirectUris: asked.redirectUris ?? before.redirectUris,
      scopes: asked.scopes ?? before.scopes,
      tokenFormat: asked.tokenFormat ?? before.tokenFormat,
    };
    requireRedirectUris(after.redirectUris, before.native);
    await tx.prisma.client.update({
      where: { id: clientId },
      data: { ...after, ...changedNow() },
    });
    const { organizationId } = before;
    const data = changes(before, after);
    await record(ctx, tx, [{ organizationId, subjectId: clientId, kind: 'client.updated', data }]);
    return reread(ctx, tx, clientId);
  });
}

/** How long the secret before the newest stays good, unless said otherwise, and at most. */
const OVERLAP = 7 * DAY;
const OVERLAP_MAX = 90 * DAY;

const rotation = z.strictObject({ clientId: z.string(), previousExpiresAt: z.date().nullish() });

/** A second secret, so that a client can be given it before the first one ends. A third one ends at once. */
export function rotateClientSecret(
  ctx: Context,
  input: z.input<typeof rotation>,
): Promise<{ client: Client; secret: string }> {
  const { clientId, previousExpiresAt } = parse(rotation, input);
  return inTransaction(ctx.db, async (tx) => {
    const end = previousExpiresAt ?? (await databaseTime(tx, OVERLAP));
    if (end > (await databaseTime(tx, OVERLAP_MAX)))
      throw badInput('previousExpiresAt: at most 90 days from now', 'previousExpiresAt');
    const { kind, organizationId } = await requireClient(ctx, tx, clientId);
    if (kind === 'PUBLIC') throw conflict('A public client has no secret.');
    await holdClients(tx, [clientId]);
    await endSecrets(tx, clientId, end);
    const secret = await addSecret(tx, clientId);
    await record(ctx, tx, [{ organizationId, subjectId: clientId, kind: 'client.secret_rotated' }]);
    return { client: await reread(ctx, tx, clientId), secret };
  });
}

/** The newest secret, the only one without an end, is good until `end`; the one before it no longer. */
async function endSecrets(tx: Transaction, clientId: string, end: Date): Promise<void> {
  await tx.prisma.clientSecret.deleteMany({ where: { clientId, NOT: { expiresAt: null } } });
  await tx.prisma.clientSecret.updateMany({ where: { clientId }, data: { expiresAt: end } });
}

async function addSecret(tx: Transaction, clientId: string): Promise<string> {
  const secret = newSecret('dgb_');
  const data = { id: newId('ClientSecret'), clientId, secretHash: hashSecret(secret) };
  await tx.prisma.clientSecret.create({ data });
  return secret;
}

const deletion = z.strictObject({ clientIds: z.array(z.string()) });

/** All or nothing; their tokens end with them. Gives the ids. */
export function deleteClients(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { clientIds } = parse(deletion, input);
  requireBatch(clientIds, ctx.limits.batchMax, 'clientIds');
  const ids = [...new Set(clientIds)];
  if (ids.length < clientIds.length) throw badInput('clientIds: names one twice', 'clientIds');
  return inTransaction(ctx.db, async (tx) => {
    await holdClients(tx, ids);
    const found = await findClients(ctx, ids, tx);
    if (found.length < ids.length) throw notFound('Client');
    for (const each of new Set(found.map(({ organizationId }) => organizationId)))
      await requireClientManager(ctx, tx, each);
    await tx.prisma.client.updateMany({ where: { id: { in: ids } }, data: { deletedAt: new Date() } });
    await tx.prisma.clientSecret.deleteMany({ where: { clientId: { in: ids } } });
    await revokeGrants(tx, sql`g.client_id = ANY(${ids})`, 'app_deleted');
    await record(
      ctx,
      tx,
      found.map(({ organizationId, id, name }) => ({
        organizationId,
        subjectId: id,
        kind: 'client.deleted',
        data: { before: { name } },
      })),
    );
    return ids;
  });
}

const holdClients = (tx: Transaction, ids: string[]) =>
  tx.query(sql`SELECT id FROM clients WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);

/** An application that changed applications could send the codes of others to itself. */
async function requireClientManager(ctx: Context, tx: Transaction, organizationId: string): Promise<void> {
  await requireOrganizationAdmin(ctx, tx, organizationId);
  requireNoApplication(ctx.viewer, 'Applications are managed');
}

async function requireClient(ctx: Context, tx: Transaction, id: string): Promise<Client> {
  const client = await reread(ctx, tx, id);
  await requireClientManager(ctx, tx, client.organizationId);
  return client;
}

async function reread(ctx: Context, tx: Transaction, id: string): Promise<Client> {
  const [client] = await findClients(ctx, [id], tx);
  if (!client) throw notFound('Client');
  return client;
}

function requireRedirectUris(uris: readonly string[], native: boolean): void {
  for (const [index, uri] of uris.entries()) {
    const fault = redirectUriFault(uri, native);
    if (fault) throw badInput(`redirectUris.${index}: ${fault}`, `redirectUris.${index}`);
  }
  if (new Set(uris).size < uris.length) throw badInput('redirectUris: names one twice', 'redirectUris');
}
