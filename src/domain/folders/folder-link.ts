import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Folder } from '../../generated/prisma/client.ts';
import type { Vault } from '../../lib/seal.ts';
import type { Context } from '../kernel/context.ts';

type Linked = Pick<Folder, 'id' | 'linkSealed'>;

/** Returns the link of a folder in plain text. */
export const folderLink = ({ storage }: Context, { id, linkSealed }: Linked): string =>
  storage.vault.open(linkSealed, id);

/** Folders per statement. */
const BATCH = 1_000;

/** Seals links that older versions stored in plain text; the links stay valid. Safe to run concurrently. */
export async function sealFolderLinks(db: Database, vault: Vault): Promise<void> {
  while ((await inTransaction(db, (tx) => sealBatch(tx, vault))) > 0);
}

async function sealBatch(tx: Pick<Database, 'query'>, vault: Vault): Promise<number> {
  const unsealed = await tx.query<Linked>(sql`SELECT f.id, f.link_sealed FROM folders f
    WHERE NOT starts_with(f.link_sealed, 'sealed:') ORDER BY f.organization_id, f.id LIMIT ${BATCH} FOR UPDATE`);
  if (unsealed.length === 0) return 0;
  const ids = unsealed.map(({ id }) => id);
  const sealedLinks = unsealed.map(({ id, linkSealed }) => vault.seal(linkSealed, id));
  await tx.query(sql`UPDATE folders f SET link_sealed = x.sealed
    FROM unnest(${sql.texts(ids)}, ${sql.texts(sealedLinks)}) AS x(id, sealed) WHERE f.id = x.id`);
  return unsealed.length;
}
