import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { DAY } from '../../lib/time.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { applicationName } from '../kernel/display-name.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { APPLICATION_SCOPES, storedScopes } from '../kernel/scope.ts';
import { requireOrganizationAdmin } from '../organizations/organization.ts';
import { type Client, findClients } from './client.ts';
import { pageUrlError, redirectUriError } from './redirect-uri.ts';
import { resourceUriError } from './resource-server.ts';

/** The URL of a page of the application; an empty text stands for none. */
const pageUrl = z.string().superRefine((url, { addIssue }) => {
  const fault = url === '' ? undefined : pageUrlError(url);
  if (fault) addIssue(fault);
});

/** The settings that are given at the creation and can be changed. */
export const settingsInput = z.strictObject({
  name: applicationName,
  redirectUris: z.array(z.string()).max(20, 'takes at most 20'),
  scopes: z
    .array(z.enum(APPLICATION_SCOPES))
    .transform((list) => APPLICATION_SCOPES.filter((scope) => list.includes(scope))),
  tokenFormat: z.enum(['OPAQUE', 'JWT']).nullish(),
  resourceUri: z.string().nullish(),
  homePageUrl: pageUrl.nullish(),
  privacyUrl: pageUrl.nullish(),
});

const creation = settingsInput.extend({
  organizationId: z.string(),
  kind: z.enum(['CONFIDENTIAL', 'PUBLIC', 'RESOURCE_SERVER']),
  native: z.boolean().nullish(),
});

/**
 * Registers an application or a resource server. `secret` is shown once; a public client has none. Requires the role
 * OWNER or ADMIN. `installationWide` makes a resource server serve all organizations, and is for the operator alone.
 */
export function createClient(
  ctx: Context,
  input: z.input<typeof creation>,
  { installationWide = false } = {},
): Promise<{ client: Client; secret: string | null }> {
  const { organizationId, native, tokenFormat, homePageUrl, privacyUrl, ...rest } = parse(creation, input);
  const settings = { ...rest, homePageUrl: homePageUrl || null, privacyUrl: privacyUrl || null };
  if (native && settings.kind !== 'PUBLIC')
    throw badValue('native', 'a native client cannot keep a secret (RFC 8252 §8.4)');
  requireUris({ ...settings, native: native ?? false });
  return inTransaction(ctx.db, async (tx) => {
    await requireClientManager(ctx, tx, organizationId);
    const id = newId('Client');
    const row = {
      ...settings,
      id,
      organizationId,
      native: native ?? false,
      tokenFormat: tokenFormat ?? 'OPAQUE',
      installationWide,
      createdById: ctx.viewer.userId,
    };
    const { count } = await tx.prisma.client.createMany({
      data: [{ ...row, scopes: storedScopes(row.scopes) }],
      skipDuplicates: true,
    });
    if (count === 0) throw duplicateResourceUri();
    if (settings.kind !== 'PUBLIC') await requireFreshProof(tx, ctx.viewer);
    const secret = settings.kind !== 'PUBLIC' ? await addSecret(tx, id) : null;
    await recordEvents(ctx, tx, [
      { organizationId, subjectId: id, kind: 'client.created', data: { after: settings } },
    ]);
    return { client: await readClient(ctx, tx, id), secret };
  });
}

/** How long the previous secret stays valid after a rotation, in ms: by default, and at most. */
const SECRET_OVERLAP = 7 * DAY;
const MAX_SECRET_OVERLAP = 90 * DAY;

const rotation = z.strictObject({ clientId: z.string(), previousExpiresAt: z.date().nullish() });

/**
 * Issues a new secret, shown once; the current one stays valid until `previousExpiresAt`, an even older one ends at once.
 * Throws BAD_USER_INPUT beyond 90 days, and CONFLICT for a public client.
 */
export function rotateClientSecret(
  ctx: Context,
  input: z.input<typeof rotation>,
): Promise<{ client: Client; secret: string }> {
  const { clientId, previousExpiresAt } = parse(rotation, input);
  return inTransaction(ctx.db, async (tx) => {
    const now = (await databaseTime(tx)).getTime();
    const end = previousExpiresAt ?? new Date(now + SECRET_OVERLAP);
    if (end.getTime() > now + MAX_SECRET_OVERLAP)
      throw badValue('previousExpiresAt', 'at most 90 days from now');
    const { kind, organizationId } = await requireClient(ctx, tx, clientId);
    if (kind === 'PUBLIC') throw conflict('A public client has no secret.');
    await requireFreshProof(tx, ctx.viewer);
    await lockClients(tx, [clientId]);
    await expireSecrets(tx, clientId, end);
    const secret = await addSecret(tx, clientId);
    await recordEvents(ctx, tx, [{ organizationId, subjectId: clientId, kind: 'client.secret_rotated' }]);
    return { client: await readClient(ctx, tx, clientId), secret };
  });
}

/** The current secret, the only one without an expiry, is valid until `end`; an older one is deleted. */
async function expireSecrets(tx: Transaction, clientId: string, end: Date): Promise<void> {
  await tx.prisma.clientSecret.deleteMany({ where: { clientId, NOT: { expiresAt: null } } });
  await tx.prisma.clientSecret.updateMany({ where: { clientId }, data: { expiresAt: end } });
}

async function addSecret(tx: Transaction, clientId: string): Promise<string> {
  const secret = newSecret('dgb_');
  const data = { id: newId('ClientSecret'), clientId, secretHash: hashSecret(secret) };
  await tx.prisma.clientSecret.create({ data });
  return secret;
}

/** Locks applications until the transaction ends: changes of one application take turns. */
export const lockClients = (tx: Transaction, ids: string[]) =>
  tx.query(sql`SELECT id FROM clients WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);

/** No application may change applications: it could redirect the authorization codes of others to itself. */
async function requireClientManager(ctx: Context, tx: Transaction, organizationId: string): Promise<void> {
  requireNoApplication(ctx.viewer, 'clients');
  await requireOrganizationAdmin(ctx, tx, organizationId);
}

/** An application that the viewer may change. Throws NOT_FOUND, or FORBIDDEN. */
export async function requireClient(ctx: Context, tx: Transaction, id: string): Promise<Client> {
  requireNoApplication(ctx.viewer, 'clients');
  const client = await readClient(ctx, tx, id);
  await requireOrganizationAdmin(ctx, tx, client.organizationId);
  return client;
}

export async function readClient(ctx: Context, tx: Transaction, id: string): Promise<Client> {
  const [client] = await findClients(ctx, [id], tx);
  if (!client) throw notFound('Client');
  return client;
}

type UriSettings = Pick<Client, 'kind' | 'native' | 'redirectUris' | 'scopes'> & {
  resourceUri?: string | null;
};

/** An application has redirect URIs; a resource server has its own URI, and neither redirect URIs nor scopes. */
export function requireUris({ kind, native, redirectUris, scopes, resourceUri }: UriSettings): void {
  if (kind === 'RESOURCE_SERVER') {
    if (redirectUris.length > 0) throw badValue('redirectUris', 'a resource server has none');
    if (scopes.length > 0) throw badValue('scopes', 'a resource server asks for none');
    const fault = resourceUri ? resourceUriError(resourceUri) : 'a resource server needs one';
    if (fault) throw badValue('resourceUri', fault);
  } else {
    if (resourceUri) throw badValue('resourceUri', 'only a resource server has one');
    requireRedirectUris(redirectUris, native);
  }
}

function requireRedirectUris(uris: readonly string[], native: boolean): void {
  if (uris.length === 0) throw badValue('redirectUris', 'takes at least one');
  for (const [index, uri] of uris.entries()) {
    const fault = redirectUriError(uri, native);
    if (fault) throw badValue(`redirectUris.${index}`, fault);
  }
  if (new Set(uris).size < uris.length) throw badValue('redirectUris', 'names one twice');
}

export const duplicateResourceUri = () =>
  conflict('The organization has a resource server with this resourceUri.', 'resourceUri');
