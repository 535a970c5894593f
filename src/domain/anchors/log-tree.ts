import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { toHex } from '../../lib/text/hex.ts';
import { leafHash, type RangeHash, rangeHash } from './merkle-tree.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Events of a tile, whose hash is stored once all of them exist. */
export const TILE = 256;

/** Tiles that one statement reads the events of. */
const TILES_AT_ONCE = 64;

/**
 * The tree over the hashes of an organization's first `size` events, whose entry at index 0 is the event 1. It has the
 * hashes that the root takes, and the proofs of the entries in `indexes`. Tiles up to `size` must be stored.
 */
export async function loadLogTree(
  db: Reader,
  organizationId: string,
  size: number,
  indexes: readonly number[] = [],
): Promise<RangeHash> {
  const tiles = await db.query<{ hash: Bytes }>(sql`SELECT t.hash FROM log_tiles t
    WHERE t.organization_id = ${organizationId} AND t.position < ${Math.floor(size / TILE)} ORDER BY t.position`);
  if (tiles.length < Math.floor(size / TILE))
    throw new Error(`log_tiles has too few rows of ${organizationId}`);
  const opened = new Set([...indexes, size - 1].map((index) => Math.floor(index / TILE)));
  const leaves = await leavesOf(db, organizationId, [...opened]);
  return rangeHash(
    (index) => leaves.get(index) as Bytes,
    (start, end) => (end - start === TILE && start % TILE === 0 ? tiles[start / TILE]?.hash : undefined),
  );
}

/** The hashes of the entries in these tiles, by index. */
async function leavesOf(db: Reader, organizationId: string, tiles: number[]): Promise<Map<number, Bytes>> {
  const rows = await db.query<{ sequence: bigint; hash: Bytes }>(sql`SELECT e.sequence, e.hash
    FROM unnest(${tiles}::int[]) t(position) JOIN events e ON e.organization_id = ${organizationId}
      AND e.sequence > t.position::bigint * ${TILE} AND e.sequence <= (t.position::bigint + 1) * ${TILE}`);
  return new Map(rows.map(({ sequence, hash }) => [Number(sequence) - 1, leafHash(hash)]));
}

/** Stores the tiles among the first `size` events that are not stored yet. */
export async function storeTiles(db: Reader, organizationId: string, size: number): Promise<void> {
  const [stored] = await db.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM log_tiles t WHERE t.organization_id = ${organizationId}`,
  );
  const end = Math.floor(size / TILE);
  for (let from = stored?.count ?? 0; from < end; from += TILES_AT_ONCE) {
    const positions = Array.from({ length: Math.min(TILES_AT_ONCE, end - from) }, (_, index) => from + index);
    const leaves = await leavesOf(db, organizationId, positions);
    const hashOf = rangeHash((index) => leaves.get(index) as Bytes);
    const hashes = positions.map((each) => toHex(hashOf(each * TILE, (each + 1) * TILE)));
    await db.query(sql`INSERT INTO log_tiles (organization_id, position, hash)
      SELECT ${organizationId}, x.position, decode(x.hash, 'hex')
      FROM unnest(${positions}::int[], ${sql.texts(hashes)}) x(position, hash) ON CONFLICT DO NOTHING`);
  }
}
