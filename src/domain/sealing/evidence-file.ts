import type { AnchorProof } from '../anchors/anchor-proof.ts';

/** The content of an evidence file without its signature. Times in RFC 3339, digests in hex. */
export interface EvidenceContent {
  format: (typeof EVIDENCE_FORMATS)[number];
  createdAt: string;
  document: { id: string; name: string; organizationId: string; projectId: string };
  revisions: {
    number: number;
    name: string;
    contentType: string;
    size: number;
    sha256: string;
    createdAt: string;
  }[];
  sessions: {
    id: string;
    state: string;
    /** Revision numbers; sealedRevision is null for a session that is not sealed. */
    signedRevision: number;
    sealedRevision: number | null;
    /** Of the copy that signers saw; null for a file that is no PDF. Absent in files of earlier servers. */
    copySha256?: string | null;
    /** Of the PDF of an office file, of which that copy was made. Absent in files of earlier servers. */
    renditionSha256?: string | null;
    signers: object[];
  }[];
  /** The events of the document, each with the hash of the event before it in the organization's chain; see kernel/record/event-hash.ts. */
  events: {
    hashBefore: string;
    hash: string;
    event: Record<string, unknown>;
    /** The hashes that lead to the root of one of `anchors`; absent for events that are not stamped. */
    proof?: { anchor: number; path: string[] };
  }[];
  /** States of the organization's log that have a time-stamp, in order; absent without any. */
  anchors?: AnchorProof[];
}

/** The signer's certificate in PEM, and the base64 signature of signedText with its key, over SHA-256. */
export interface EvidenceSignature {
  certificate: string;
  value: string;
}

export type EvidenceFile = EvidenceContent & { signature: EvidenceSignature };

/** The second, which servers write now, has events with `hashVersion`, with `salt` from version 2 on, redacted ones, and proofs of their time. */
export const EVIDENCE_FORMATS = ['docgraph-evidence-1', 'docgraph-evidence-2'] as const;

/** The signed text: the content as JSON without white space. */
export const signedText = (content: EvidenceContent): string => JSON.stringify(content);

/** Returns the text of the file. Its bytes are canonical: a copy with other white space is rejected. */
export const writeEvidence = (content: EvidenceContent, signature: EvidenceSignature): string =>
  `${JSON.stringify({ ...content, signature }, null, 2)}\n`;
