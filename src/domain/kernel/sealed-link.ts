import type { Vault } from '../../lib/seal.ts';
import { newSecret } from '../../lib/secret.ts';

/** Creates the secret of a link to the object with this id, sealed for storage. */
export const newSealedLink = (vault: Vault, id: string): string => vault.seal(newSecret('dgl_'), id);
