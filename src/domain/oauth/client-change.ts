import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { DAY } from '../../lib/time.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { applicationName } from '../kernel/display-name.ts';
import { badInput, conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { changedNow, lockRow, requireVersion } from '../kernel/version.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { type Client, findClients } from './client.ts';
import { revokeGrants } from './grant-end.ts';
import { redirectUriFault } from './redirect-uri.ts';
import { resourceUriFault } from './resource-server.ts';

const scopes = z.array(z.enum(['read', 'write'])).transform((list) => [...new Set(list)].sort());
const redirectUris = z.array(z.string()).max(20, 'takes at most 20');
const tokenFormat = z.enum(['OPAQUE', 'JWT']);

const creation = z.strictObject({
  organizationId: z.string(),
  name: applicationName,
  kind: z.enum(['CONFIDENTIAL', 'PUBLIC', 'RESOURCE_SERVER']),
  native: z.boolean().nullish(),
  redirectUris,
  scopes,
  tokenFormat: tokenFormat.nullish(),
  resourceUri: z.string().nullish(),
});

/**
 * `secret` is shown this once; a public client has none. Takes the role OWNER or ADMIN in the organization. With
 * `installationWide`, a resource server serves all organizations: the operator's decision, and no member's.
 */
export function createClient(
  ctx: Context,
  input: z.input<typeof creation>,
  { installationWide = false } = {},
): Promise<{ client: Client; secret: string | null }> {
  const { organizationId, native, tokenFormat, ...facts } = parse(creation, input);
  if (native && facts.kind !== 'PUBLIC')
    throw badInput('native: a native client cannot keep a secret (RFC 8252 §8.4)', 'native');
  requireAddresses({ ...facts, native: native ?? false });
  return inTransaction(ctx.db, async (tx) => {
    await requireClientManager(ctx, tx, organizationId);
    const id = newId('Client');
    const row = {
      ...facts,
      id,
      organizationId,
      native: native ?? false,
      tokenFormat: tokenFormat ?? 'OPAQUE',
      installationWide,
      createdById: ctx.viewer.userId,
    };
    const { count } = await tx.prisma.client.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) throw resourceTaken();
    const secret = facts.kind !== 'PUBLIC' ? await addSecret(tx, id) : null;
    await recordEvents(ctx, tx, [
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
  resourceUri: z.string().nullish(),
  expectedVersion: z.int().nullish(),
});

/** Members left out, or null, stay as they are. Scopes that are taken away count at the next request of every token. */
export function updateClient(ctx: Context, input: z.input<typeof update>): Promise<Client> {
  const { clientId, expectedVersion, ...asked } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'clients', clientId);
    const before = await requireClient(ctx, tx, clientId);
    requireVersion(before, expectedVersion);
    const after = {
      name: asked.name ?? before.name,
      redirectUris: asked.redirectUris ?? before.redirectUris,
      scopes: asked.scopes ?? before.scopes,
      tokenFormat: asked.tokenFormat ?? before.tokenFormat,
      resourceUri: asked.resourceUri ?? before.resourceUri,
    };
    requireAddresses({ ...before, ...after });
    if (after.resourceUri !== before.resourceUri) await requireFreeResource(tx, before, after.resourceUri);
    await tx.prisma.client.update({
      where: { id: clientId },
      data: { ...after, ...changedNow() },
    });
    const { organizationId } = before;
    const data = changes(before, after);
    await recordEvents(ctx, tx, [{ organizationId, subjectId: clientId, kind: 'client.updated', data }]);
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
    await recordEvents(ctx, tx, [{ organizationId, subjectId: clientId, kind: 'client.secret_rotated' }]);
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
  requireBatchSize(clientIds, ctx.limits.batchMax, 'clientIds');
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
    await recordEvents(
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
  requireNoApplication(ctx.viewer, 'clients');
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

type Addresses = Pick<Client, 'kind' | 'native' | 'redirectUris' | 'scopes'> & {
  resourceUri?: string | null;
};

/** An application has addresses to send people back to; a resource server has its own, and asks nobody for anything. */
function requireAddresses({ kind, native, redirectUris, scopes, resourceUri }: Addresses): void {
  if (kind === 'RESOURCE_SERVER') {
    if (redirectUris.length > 0) throw badInput('redirectUris: a resource server has none', 'redirectUris');
    if (scopes.length > 0) throw badInput('scopes: a resource server asks for none', 'scopes');
    const fault = resourceUri ? resourceUriFault(resourceUri) : 'a resource server needs one';
    if (fault) throw badInput(`resourceUri: ${fault}`, 'resourceUri');
  } else {
    if (resourceUri) throw badInput('resourceUri: only a resource server has one', 'resourceUri');
    requireRedirectUris(redirectUris, native);
  }
}

function requireRedirectUris(uris: readonly string[], native: boolean): void {
  if (uris.length === 0) throw badInput('redirectUris: takes at least one', 'redirectUris');
  for (const [index, uri] of uris.entries()) {
    const fault = redirectUriFault(uri, native);
    if (fault) throw badInput(`redirectUris.${index}: ${fault}`, `redirectUris.${index}`);
  }
  if (new Set(uris).size < uris.length) throw badInput('redirectUris: names one twice', 'redirectUris');
}

const resourceTaken = () =>
  conflict('The organization has a resource server with this resourceUri.', 'resourceUri');

async function requireFreeResource(tx: Transaction, { organizationId }: Client, resourceUri: string | null) {
  const where = { organizationId, resourceUri, deletedAt: null };
  if ((await tx.prisma.client.count({ where })) > 0) throw resourceTaken();
}
