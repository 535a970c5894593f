import type { Reader } from '../../db/database.ts';
import type { BlobStore } from '../../files/store/store.ts';
import { typeOfId } from '../../lib/id.ts';
import { toHex } from '../../lib/text/hex.ts';
import { badInput, conflict } from '../kernel/errors.ts';
import { findReferencedKeys } from '../maintenance/stored-objects.ts';
import { filePath } from './bag.ts';
import type { Bag } from './bag-check.ts';

/** Files that are looked up at once. */
const BATCH = 500;

const PREFIX = filePath('');

/** Throws CONFLICT if a file of a bag has the id of one that is stored here, and BAD_USER_INPUT for an id of nothing. */
export async function requireNewFiles(reader: Reader, { payload }: Bag): Promise<void> {
  const ids = [...payload.keys()]
    .filter((path) => path.startsWith(PREFIX))
    .map((path) => path.slice(PREFIX.length));
  const other = ids.find((id) => typeOfId(id) !== 'Blob');
  if (other !== undefined) throw badInput(`${filePath(other)} is no file of an organization.`);
  for (let at = 0; at < ids.length; at += BATCH) {
    const [present] = await findReferencedKeys(reader, ids.slice(at, at + BATCH));
    if (present !== undefined) throw conflict(`The file ${present} is here already.`);
  }
}

/** Stores the files of a bag. What an import that failed has left of them is replaced. */
export async function importFiles(store: BlobStore, bag: Bag, blobIds: readonly string[]): Promise<void> {
  for (const id of blobIds) {
    const content = bag.payload.get(filePath(id));
    if (!content) throw badInput(`The archive has no ${filePath(id)}.`);
    await store.remove(id);
    const { sha256 } = await store.write(id, bag.bytes(content));
    if (toHex(sha256) !== content.sha256) throw badInput(`${filePath(id)} was changed during the import.`);
  }
}
