/** What an evidence file says, before it is signed. Times as RFC 3339, digests in hex. */
export interface EvidenceContent {
  format: typeof EVIDENCE_FORMAT;
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
    /** The numbers of revisions; null for a session that is not sealed. */
    signedRevision: number;
    sealedRevision: number | null;
    signers: object[];
  }[];
  /** What happened to the document, each event with the hash before its own in the chain of the organization. */
  events: { hashBefore: string; hash: string; event: Record<string, unknown> }[];
}

/** By whom: a certificate in PEM, and with its key the signature of signedText over SHA-256, in base64. */
export interface EvidenceSignature {
  certificate: string;
  value: string;
}

export type EvidenceFile = EvidenceContent & { signature: EvidenceSignature };

export const EVIDENCE_FORMAT = 'docgraph-evidence-1';

/** What the signature is over: the file without it, as JSON without any space. */
export const signedText = (content: EvidenceContent): string => JSON.stringify(content);

/** The file, byte for byte: a copy that differs in a space is not it. */
export const writeEvidence = (content: EvidenceContent, signature: EvidenceSignature): string =>
  `${JSON.stringify({ ...content, signature }, null, 2)}\n`;
