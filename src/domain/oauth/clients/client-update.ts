import { z } from 'zod';
import type { Transaction } from '../../../db/database.ts';
import { sql } from '../../../db/sql/sql.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { changes, recordEvents } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { badValue } from '../../kernel/errors.ts';
import { parse } from '../../kernel/input.ts';
import { storedScopes } from '../../kernel/scope.ts';
import { changedNow, lockRow, requireVersion } from '../../kernel/version.ts';
import type { Client } from '../client.ts';
import {
  duplicateResourceUri,
  readClient,
  requireClient,
  requireUris,
  settingsInput,
} from '../client-change.ts';
import { endVerifications } from '../verification/verification.ts';
import { type Logo, readLogo, storeLogo } from './client-logo.ts';

const { name, redirectUris, scopes, ...optional } = settingsInput.shape;

const update = z.strictObject({
  ...optional,
  clientId: z.string(),
  name: name.nullish(),
  redirectUris: redirectUris.nullish(),
  scopes: scopes.nullish(),
  logo: z.string().nullish(),
  removeLogo: z.boolean().nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Members that are absent or null stay unchanged; an empty `homePageUrl` or `privacyUrl` is removed. Removed scopes take effect
 * at the next request of every token. A change of what people recognise the application by ends its verification.
 */
export async function updateClient(ctx: Context, input: z.input<typeof update>): Promise<Client> {
  const { clientId, expectedVersion, logo, removeLogo, ...changed } = parse(update, input);
  const newLogo = await logoOf(ctx, { clientId, logo, removeLogo });
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'clients', clientId);
    const before = await requireClient(ctx, tx, clientId);
    requireVersion(before, expectedVersion);
    const after = settingsAfter(before, changed, newLogo);
    requireUris({ ...before, ...after });
    if (after.resourceUri !== before.resourceUri) await requireFreeResource(tx, before, after.resourceUri);
    await store(tx, clientId, after, newLogo);
    await recordChange(ctx, tx, before, after);
    return readClient(ctx, tx, clientId);
  });
}

type Changed = z.output<typeof update>;

/** The new logo; null where it is removed, undefined where it stays. Nothing is decoded for those who may not change it. */
async function logoOf(
  ctx: Context,
  { clientId, logo, removeLogo }: Pick<Changed, 'clientId' | 'logo' | 'removeLogo'>,
): Promise<Logo | null | undefined> {
  if (logo == null) return removeLogo ? null : undefined;
  if (removeLogo) throw badValue('removeLogo', 'a new logo is given as well');
  return readLogo(await inTransaction(ctx.db, (tx) => requireClient(ctx, tx, clientId)), logo);
}

const settingsAfter = (
  before: Client,
  changed: Omit<Changed, 'clientId'>,
  logo: Logo | null | undefined,
) => ({
  name: changed.name ?? before.name,
  redirectUris: changed.redirectUris ?? before.redirectUris,
  scopes: changed.scopes ?? before.scopes,
  tokenFormat: changed.tokenFormat ?? before.tokenFormat,
  resourceUri: changed.resourceUri ?? before.resourceUri,
  homePageUrl: (changed.homePageUrl ?? before.homePageUrl) || null,
  privacyUrl: (changed.privacyUrl ?? before.privacyUrl) || null,
  logoHash: logo === undefined ? before.logoHash : (logo?.hash ?? null),
});

async function store(
  tx: Transaction,
  clientId: string,
  after: ReturnType<typeof settingsAfter>,
  logo: Logo | null | undefined,
): Promise<void> {
  await tx.prisma.client.update({
    where: { id: clientId },
    data: { ...after, scopes: storedScopes(after.scopes), ...changedNow() },
  });
  await tx.query(
    sql`UPDATE users SET name = ${after.name} WHERE service_client_id = ${clientId} AND name <> ${after.name}`,
  );
  if (logo !== undefined) await storeLogo(tx, clientId, logo);
}

/** What the operator looked at. */
const VERIFIED = ['name', 'homePageUrl', 'logoHash', 'redirectUris'];

async function recordChange(ctx: Context, tx: Transaction, before: Client, after: Partial<Client>) {
  const { id, organizationId } = before;
  const data = changes(before, after);
  const concerned = Object.keys(data.after as object).some((member) => VERIFIED.includes(member));
  await recordEvents(ctx, tx, [
    { organizationId, subjectId: id, kind: 'client.updated', data },
    ...(concerned ? await endVerifications(tx, { id }) : []),
  ]);
}

async function requireFreeResource(tx: Transaction, { organizationId }: Client, resourceUri: string | null) {
  const where = { organizationId, resourceUri, deletedAt: null };
  if ((await tx.prisma.client.count({ where })) > 0) throw duplicateResourceUri();
}
