import { sql } from '../../db/sql/sql.ts';
import { tables } from '../kernel/tables.ts';
import type { AnchorProof } from './anchor-proof.ts';

/** An anchor as it is read: the hashes that lead to the digest are one text. */
export interface AnchorRow extends Omit<AnchorProof, 'path' | 'stampedAt' | 'size'> {
  organizationId: string;
  id: string;
  size: bigint;
  path: string;
  stampedAt: Date;
}

const { logAnchors: anchor, logStamps: stamp } = tables;

/** Without the token, which takes several KB. Hashes in hex. */
export const anchorColumns = sql`${anchor}.organization_id, ${anchor}.id, ${anchor}.size, encode(${anchor}.root, 'hex') AS root,
  encode(${anchor}.salt, 'hex') AS salt, ${anchor}.position, ${stamp}.size AS organizations, encode(${anchor}.path, 'hex') AS path,
  encode(${anchor}.digest, 'hex') AS digest, ${stamp}.authority, ${stamp}.stamped_at`;

/** The token in base64. */
export const tokenColumn = sql`translate(encode(${stamp}.token, 'base64'), E'\\n', '') AS token`;

export const ANCHORS = sql`${anchor.from} JOIN ${stamp.from} ON ${stamp}.digest = ${anchor}.digest`;

/** Characters of a hash in hex. */
const HEX_HASH = 64;

/** The hashes of a path that is one text. */
export const hashesOf = (path: string): string[] => path.match(new RegExp(`.{${HEX_HASH}}`, 'g')) ?? [];

/** An anchor as its proof, with the members in the order in which evidence files have them. */
export const proofOf = (row: AnchorRow): AnchorProof => ({
  size: Number(row.size),
  root: row.root,
  salt: row.salt,
  position: row.position,
  organizations: row.organizations,
  path: hashesOf(row.path),
  digest: row.digest,
  stampedAt: row.stampedAt.toISOString(),
  authority: row.authority,
  token: row.token,
});
