import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { LogStamp } from '../../generated/prisma/client.ts';
import { toHex } from '../../lib/text/hex.ts';
import { nodeSuite } from '../../verify/node-suite.ts';
import { checkToken, StampBroken } from '../../verify/time-stamp.js';
import { tables } from '../kernel/tables.ts';
import { ANCHORED } from './anchor.ts';
import { type AnchorProof, leadsToDigest } from './anchor-proof.ts';
import { ANCHORS, type AnchorRow, anchorColumns, proofOf } from './anchor-row.ts';
import { TILE } from './log-tree.ts';
import { leafHash, nodeHash } from './merkle-tree.ts';

/** A hash of the given number of entries, which is a power of two. */
interface Subtree {
  size: number;
  hash: Uint8Array;
}

/** Builds the tree over the events of an organization row by row, and compares it with the stamped roots and the stored tiles. */
export class AnchorWalk {
  readonly #organizationId: string;
  readonly #anchors: readonly AnchorProof[];
  readonly #tiles: readonly Uint8Array[];
  #subtrees: Subtree[] = [];
  #size = 0;
  #valid = 0;
  #tileFault: string | undefined;

  private constructor(organizationId: string, anchors: AnchorProof[], tiles: Uint8Array[]) {
    this.#organizationId = organizationId;
    this.#anchors = anchors;
    this.#tiles = tiles;
  }

  static async load(db: Reader, organizationId: string): Promise<AnchorWalk> {
    const tiles = await db.query<{ hash: Uint8Array }>(
      sql`SELECT t.hash FROM log_tiles t WHERE t.organization_id = ${organizationId} ORDER BY t.position`,
    );
    return new AnchorWalk(
      organizationId,
      await anchorsOf(db, organizationId),
      tiles.map(({ hash }) => hash),
    );
  }

  /** The last anchor of which all events were compared. */
  get last(): AnchorProof | undefined {
    return this.#anchors[this.#valid - 1];
  }

  /** Adds the hash of the next event. What is wrong, in a sentence; undefined if nothing is. */
  step(hash: Uint8Array): string | undefined {
    this.#size++;
    this.#add({ size: 1, hash: leafHash(hash) });
    const anchor = this.#anchors[this.#valid];
    return anchor?.size === this.#size ? this.#compare(anchor) : undefined;
  }

  /** After the last event: what is missing, or a stored hash that is wrong, in a sentence. */
  async end(db: Reader): Promise<string | undefined> {
    const next = this.#anchors[this.#valid];
    if (next) return `Event ${this.#size + 1} is missing: ${next.size} were stamped on ${next.stampedAt}.`;
    const [unknown] = await db.query<{ sequence: bigint }>(sql`SELECT e.sequence FROM ${tables.events.from}
      WHERE e.organization_id || ' ' || e.kind = ${`${this.#organizationId} ${ANCHORED}`} AND e.redacted_by_id IS NULL
        AND NOT EXISTS (SELECT FROM ${tables.logAnchors.from} WHERE l.organization_id = e.organization_id
          AND l.id = e.data #>> '{after,anchorId}' AND encode(l.root, 'hex') = e.data #>> '{after,root}')
      ORDER BY e.sequence LIMIT 1`);
    if (unknown) return `Event ${unknown.sequence} is of a time-stamp that is not stored any more.`;
    return this.#tileFault;
  }

  #compare(anchor: AnchorProof): string | undefined {
    if (this.#root !== anchor.root)
      return `The events up to ${anchor.size} are not those that were stamped on ${anchor.stampedAt}: some were written anew, with their hashes.`;
    if (!leadsToDigest(this.#organizationId, anchor))
      return `What is stored of the time-stamp of ${anchor.stampedAt} is not what was stamped.`;
    this.#valid++;
    return undefined;
  }

  #add(subtree: Subtree): void {
    if (subtree.size === TILE) this.#compareTile(subtree.hash);
    const left = this.#subtrees.at(-1);
    if (left?.size !== subtree.size) this.#subtrees.push(subtree);
    else {
      this.#subtrees.pop();
      this.#add({ size: 2 * left.size, hash: nodeHash(left.hash, subtree.hash) });
    }
  }

  #compareTile(hash: Uint8Array): void {
    const stored = this.#tiles[this.#size / TILE - 1];
    if (stored && toHex(stored) !== toHex(hash))
      this.#tileFault ??= `The stored hash of the events ${this.#size - TILE + 1} to ${this.#size} (log_tiles) is another one.`;
  }

  get #root(): string {
    const subtrees = this.#subtrees.map(({ hash }) => hash);
    return toHex(subtrees.reduceRight((right, left) => nodeHash(left, right)));
  }
}

/** Without the tokens, which are checked once for all organizations. */
async function anchorsOf(db: Reader, organizationId: string): Promise<AnchorProof[]> {
  const rows = await db.query<AnchorRow>(sql`SELECT ${anchorColumns}, '' AS token FROM ${ANCHORS}
    WHERE l.organization_id = ${organizationId} ORDER BY l.size`);
  return rows.map(proofOf);
}

/** The time-stamps of an installation that were checked, and what is wrong with some. */
export interface StampReport {
  count: number;
  findings: string[];
}

/** Checks the token of each time-stamp, or of those over the log of `only`. */
export async function verifyStamps(db: Reader, only?: string): Promise<StampReport> {
  const isWanted = only
    ? sql`EXISTS (SELECT FROM ${tables.logAnchors.from} WHERE l.digest = st.digest AND l.organization_id = ${only})`
    : sql`true`;
  const report: StampReport = { count: 0, findings: [] };
  for (let after = new Uint8Array(); ; ) {
    const [stamp] = await db.query<LogStamp>(
      sql`SELECT st.* FROM ${tables.logStamps.from} WHERE st.digest > ${after} AND ${isWanted} ORDER BY st.digest LIMIT 1`,
    );
    if (!stamp) return report;
    after = Uint8Array.from(stamp.digest);
    report.count++;
    const fault = await stampFault(stamp);
    if (fault) report.findings.push(`The time-stamp of ${stamp.stampedAt.toISOString()} ${fault}.`);
  }
}

async function stampFault({ token, digest, stampedAt }: LogStamp): Promise<string | undefined> {
  try {
    const { time } = await checkToken(nodeSuite, token, digest, []);
    return time.getTime() === stampedAt.getTime() ? undefined : 'has another time';
  } catch (error) {
    if (error instanceof StampBroken) return error.message;
    throw error;
  }
}
