import { toHex } from '../../lib/text/hex.ts';
import type { Certificate } from '../../verify/certificate.js';
import { nodeSuite } from '../../verify/node-suite.ts';
import { checkToken, type Stamp, StampBroken } from '../../verify/time-stamp.js';
import { leafHash, rootByInclusion } from './merkle-tree.ts';

/** The state of an organization's log, as a leaf of the tree of a time-stamp. Hashes in hex. */
export interface LogState {
  organizationId: string;
  /** The number of events. */
  size: number;
  /** Root of the tree over their hashes. */
  root: string;
  /** 16 random bytes, so that the leaf says nothing to who does not know the state. */
  salt: string;
}

/** A state with the proof that it was time-stamped, as evidence files have it. Hashes in hex. */
export interface AnchorProof extends Omit<LogState, 'organizationId'> {
  /** Of the leaf, among those of so many organizations. */
  position: number;
  organizations: number;
  /** The hashes that lead from the leaf to the digest. */
  path: string[];
  /** The root over the states of all organizations, which the authority has stamped. */
  digest: string;
  stampedAt: string;
  authority: string;
  /** The token of RFC 3161: DER in base64. */
  token: string;
}

/** The proof that an event is in the tree of an anchor. */
export interface EventProof {
  anchor: AnchorProof;
  sequence: number;
  hash: Uint8Array;
  path: readonly string[];
}

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** The leaf of a state: of the text with its four members, between which are blanks. */
export const stateLeaf = ({ organizationId, size, root, salt }: LogState) =>
  leafHash(Buffer.from(`${organizationId} ${size} ${root} ${salt}`));

/** Whether the path leads from the state of the log to the digest that was stamped. */
export function leadsToDigest(
  organizationId: string,
  anchor: Omit<AnchorProof, 'token' | 'stampedAt' | 'authority'>,
): boolean {
  const { position, organizations, path, digest } = anchor;
  const root = rootByInclusion(
    stateLeaf({ ...anchor, organizationId }),
    position,
    organizations,
    path.map(bytes),
  );
  return root !== undefined && toHex(root) === digest;
}

/** Whether the path leads from the hash of the event to the root of the anchor. */
export function leadsToRoot({ anchor, sequence, hash, path }: EventProof): boolean {
  const root = rootByInclusion(leafHash(hash), sequence - 1, anchor.size, path.map(bytes));
  return root !== undefined && toHex(root) === anchor.root;
}

/** What the time-stamp of an anchor says, or what is wrong with it, in a sentence. `roots`: see checkToken. */
export async function checkAnchor(
  organizationId: string,
  anchor: AnchorProof,
  roots: readonly Certificate[],
): Promise<Stamp | string> {
  const name = `The time-stamp of ${anchor.stampedAt}`;
  if (!leadsToDigest(organizationId, anchor)) return `${name} is not over this state of the log.`;
  try {
    const token = Buffer.from(anchor.token, 'base64');
    const stamp = await checkToken(nodeSuite, token, bytes(anchor.digest), roots);
    return stamp.time.toISOString() === anchor.stampedAt ? stamp : `${name} has another time.`;
  } catch (error) {
    if (!(error instanceof StampBroken)) throw error;
    return `${name} ${error.message}.`;
  }
}
