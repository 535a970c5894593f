import { createHash } from 'node:crypto';

/** A state as far as its event commits to it: `hash` in hexadecimal, null where the item was gone. */
export interface HashedState {
  subjectId: string;
  hash: string | null;
}

/**
 * What the first event of a transaction commits to: SHA-256 over the hashes of the states that the transaction wrote, in order
 * of the ids of their subjects. The hash of a state is SHA-256 over its salt and its content as JSON with sorted members.
 * Null if no state has a hash.
 */
export function stateHash(states: readonly HashedState[]): Uint8Array<ArrayBuffer> | null {
  const hashes = [...states]
    .sort((a, b) => (a.subjectId < b.subjectId ? -1 : 1))
    .flatMap(({ hash }) => hash ?? []);
  if (hashes.length === 0) return null;
  const digest = createHash('sha256');
  for (const hash of hashes) digest.update(hash, 'hex');
  return Uint8Array.from(digest.digest());
}
