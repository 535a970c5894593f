import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Folder } from '../../generated/prisma/client.ts';
import type { Vault } from '../../lib/seal.ts';
import { newSecret } from '../../lib/secret.ts';
import type { Context } from '../kernel/context.ts';

type Linked = Pick<Folder, 'id' | 'linkSealed'>;

/** A new link of a folder, as it is stored. */
export const newFolderLink = ({ storage }: Context, id: string): string =>
  storage.vault.seal(newSecret('dgl_'), id);

/** The link of a folder in clear. */
export const folderLink = ({ storage }: Context, { id, linkSealed }: Linked): string =>
  storage.vault.open(linkSealed, id);

/** Folders that one statement seals. */
const BATCH = 1_000;

/** Seals the links that were once stored in clear; the links stay the same. Several processes may do so at once. */
export async function sealFolderLinks(db: Database, vault: Vault): Promise<void> {
  while ((await inTransaction(db, (tx) => sealSome(tx, vault))) > 0);
}

async function sealSome(tx: Pick<Database, 'query'>, vault: Vault): Promise<number> {
  const open = await tx.query<Linked>(sql`SELECT f.id, f.link_sealed FROM folders f
    WHERE NOT starts_with(f.link_sealed, 'sealed:') ORDER BY f.organization_id, f.id LIMIT ${BATCH} FOR UPDATE`);
  if (open.length === 0) return 0;
  const ids = open.map(({ id }) => id);
  const sealed = open.map(({ id, linkSealed }) => vault.seal(linkSealed, id));
  await tx.query(sql`UPDATE folders f SET link_sealed = x.sealed
    FROM unnest(${ids}::text[], ${sealed}::text[]) AS x(id, sealed) WHERE f.id = x.id`);
  return open.length;
}
