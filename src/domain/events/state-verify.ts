import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Event } from '../../generated/prisma/client.ts';
import { memoize } from '../../lib/memoize.ts';
import { toHex } from '../../lib/text/hex.ts';
import { dataHash } from '../kernel/record/event-hash.ts';
import { stateHash } from '../kernel/record/state-hash.ts';

interface StoredState {
  subjectId: string;
  fromSequence: bigint;
  body: unknown;
  salt: Uint8Array | null;
  hash: Uint8Array;
}

/**
 * Compares the states that were written with these events, which are a page of the log without a gap, with what the events
 * commit to. Returns the first difference. A purged state has no content, and its hash is compared alone.
 */
export async function alteredState(
  db: Reader,
  organizationId: string,
  rows: readonly Event[],
): Promise<{ text: string } | undefined> {
  const states =
    await db.query<StoredState>(sql`SELECT s.subject_id, s.from_sequence, s.body, s.salt, s.hash FROM states s
    WHERE s.organization_id = ${organizationId} AND s.from_sequence >= ${rows[0]?.sequence}
      AND s.from_sequence <= ${rows.at(-1)?.sequence} AND s.hash IS NOT NULL`);
  const bySequence = new Map<bigint, StoredState[]>();
  for (const state of states) memoize(bySequence, state.fromSequence, () => []).push(state);
  for (const { sequence, kind, stateHash: committed } of rows) {
    const written = bySequence.get(sequence) ?? [];
    const altered = written.find(isAltered);
    if (altered)
      return {
        text: `Event ${sequence} (${kind}) recorded another state of ${altered.subjectId} than is stored.`,
      };
    const hash = stateHash(written.map(({ subjectId, hash }) => ({ subjectId, hash: toHex(hash) })));
    if (toHex(hash ?? NONE) !== toHex(committed ?? NONE))
      return { text: `Event ${sequence} (${kind}) recorded other states than are stored.` };
  }
  return undefined;
}

const NONE = new Uint8Array();

const isAltered = ({ body, salt, hash }: StoredState): boolean =>
  salt !== null && toHex(dataHash(salt, body)) !== toHex(hash);
