import type { DrawnField } from '../draw/drawn-field.ts';

export interface AuditSigner {
  rank: number;
  fullName: string;
  email: string;
  requestedAt: Date | null;
  completedAt: Date | null;
  ipAddress: string | null;
  userAgent: string | null;
}

/** What the last page says. Digests in hex. */
export interface AuditFacts {
  documentName: string;
  documentId: string;
  organizationName: string;
  sessionId: string;
  completedAt: Date;
  /** The revision that was signed. */
  revision: { number: number; name: string; sha256: string };
  signers: readonly AuditSigner[];
  /** The event that the last signature made: its place in the chain of the organization, and its hash. */
  chain: { sequence: string; hash: string };
}

export interface SealJob {
  organizationId: string;
  content: Uint8Array<ArrayBuffer>;
  /** application/pdf, image/png, image/jpeg or text/… */
  contentType: string;
  /** Of a PDF, as another reader counted them; null where that is not known. */
  pages: number | null;
  fields: readonly DrawnField[];
  audit: AuditFacts;
  /** For the signature dictionary: when, as a PDF date, and why. */
  signedAt: Date;
  reason: string;
  /** Bytes to leave room for. */
  signatureBytes: number;
}

/** A PDF with all drawn, and a hole for the signature. */
export interface Prepared {
  bytes: Uint8Array<ArrayBuffer>;
  pageCount: number;
  /** Where `<` of the hole stands, and what comes behind its `>`. */
  hole: { start: number; end: number };
  removed: ActiveContent[];
}

/** What sealing takes out of a PDF: what a reader would run, open, send or play. */
export type ActiveContent =
  | 'JAVASCRIPT'
  | 'LAUNCH'
  | 'FORM_ACTION'
  | 'EXTERNAL_FILE'
  | 'EMBEDDED_FILE'
  | 'MEDIA'
  | 'XFA'
  | 'OTHER_ACTION';
