import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql/sql.ts';
import type { ClientSecret as ClientSecretRow } from '../../../generated/prisma/client.ts';
import { MINUTE } from '../../../lib/time.ts';
import { adminOrganizations } from '../../access/access.ts';
import type { Context } from '../../kernel/context.ts';
import type { UsedSecret } from '../client.ts';

/** A valid secret of a client, without its text. expiresAt is null for the newest one. */
export type ClientSecret = Pick<ClientSecretRow, 'createdAt' | 'expiresAt' | 'lastUsedAt'>;

interface SecretsOfClient {
  id: string;
  secrets: ClientSecret[];
}

/** The valid secrets, newest first, of the clients among the ids whose organization the viewer manages. */
export async function findClientSecrets(
  { db, viewer }: Context,
  ids: readonly string[],
): Promise<SecretsOfClient[]> {
  const rows = await db.query<ClientSecret & { id: string; secretId: string | null }>(sql`
    SELECT c.id, s.id AS secret_id, s.created_at, s.expires_at, s.last_used_at FROM clients c
    LEFT JOIN client_secrets s ON s.client_id = c.id AND (s.expires_at IS NULL OR s.expires_at > now())
    WHERE c.id ${sql.any(ids)} AND c.organization_id = ANY(${adminOrganizations(viewer)})
    ORDER BY s.created_at DESC, s.id DESC`);
  const secrets = new Map<string, ClientSecret[]>(rows.map(({ id }) => [id, []]));
  for (const row of rows) if (row.secretId !== null) secrets.get(row.id)?.push(row);
  return [...secrets].map(([id, ofClient]) => ({ id, secrets: ofClient }));
}

/** How exact the time of the last use is: not every request writes. */
const PRECISION = 5 * MINUTE;

/** Records that a client has authenticated with a secret. A rotation or deletion at the same time is not waited for. */
export async function recordSecretUse(db: Database, { secretId, secretUsedAt }: UsedSecret): Promise<void> {
  if (secretUsedAt && secretUsedAt.getTime() > Date.now() - PRECISION) return;
  await db.query(sql`UPDATE client_secrets SET last_used_at = now() WHERE id = (
    SELECT s.id FROM client_secrets s WHERE s.id = ${secretId} FOR NO KEY UPDATE SKIP LOCKED)`);
}
