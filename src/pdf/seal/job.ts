import type { PageBox } from '../../files/content/pdf/comparison.ts';
import type { ActiveContent } from '../copy/signing-copy.ts';
import type { DrawnField } from '../draw/drawn-field.ts';

export interface AuditSigner {
  rank: number;
  fullName: string;
  email: string;
  requestedAt: Date | null;
  /** When the mail server accepted the mail with the request. */
  requestSentAt: Date | null;
  completedAt: Date | null;
  ipAddress: string | null;
  userAgent: string | null;
  /** The day of their signature where they were, with the time zone. */
  day: string | null;
}

/** Content of the audit pages. Digests in hex. */
export interface AuditFacts {
  documentName: string;
  documentId: string;
  organizationName: string;
  sessionId: string;
  completedAt: Date;
  /** The revision that was signed. */
  revision: { number: number; name: string; sha256: string };
  /** Of the copy that people saw; null for a file that is no PDF, and where a session began without a copy. */
  copySha256: string | null;
  /** Of the PDF that was made of an office file, of which that copy was made; null for other files. */
  renditionSha256: string | null;
  signers: readonly AuditSigner[];
  /** The event of the last signature: its sequence in the organization's chain of events, and its hash. */
  chain: { sequence: string; hash: string };
  /** The page that says whether a document was sealed in this session, and checks files. */
  checkUrl: string;
}

export interface SealJob {
  organizationId: string;
  /** Of a PDF, the copy on which people signed (pdf/copy/signing-copy.ts). */
  content: Uint8Array<ArrayBuffer>;
  /** A PDF with digital signatures as it was uploaded; they are not valid in `content`, which was made of it. */
  original?: Uint8Array<ArrayBuffer>;
  /** application/pdf, image/png, image/jpeg or text/… */
  contentType: string;
  /** What that copy leaves out. */
  removed: readonly ActiveContent[];
  fields: readonly DrawnField[];
  audit: AuditFacts;
  /** For the signature dictionary, with `reason`. */
  signedAt: Date;
  reason: string;
  /** Bytes to reserve for the signature. */
  signatureBytes: number;
}

/** A PDF with everything drawn, and space reserved for the signature. */
export interface Prepared {
  bytes: Uint8Array<ArrayBuffer>;
  pageCount: number;
  /** Offsets of the reserved space: of its `<`, and after its `>`. */
  hole: { start: number; end: number };
  /** By page: where fields were filled in. */
  boxes: PageBox[][];
  /** Signatures of the file as it was uploaded. */
  earlier: EarlierSignature[];
}

/** A digital signature that the file had before; the trust in its issuer is not judged. */
export interface EarlierSignature {
  /** `VALID_BEFORE_CHANGES`: the file was changed or signed again after it. */
  state: 'VALID' | 'VALID_BEFORE_CHANGES' | 'INVALID' | 'UNREADABLE';
  kind: 'SIGNATURE' | 'CERTIFICATION' | 'TIME_STAMP';
  /** Names in the certificate, and what the signature says; empty if not known. */
  signer: string;
  organization: string;
  reason: string;
  /** As the program of the signer wrote it, in ISO 8601. */
  time: string | null;
}
