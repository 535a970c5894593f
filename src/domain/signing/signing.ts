import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Revision, SignatureRecipient, SignatureSession } from '../../generated/prisma/client.ts';
import { toHex } from '../../lib/text/hex.ts';
import { SIGNING_ROWS, visibleSignings } from '../access/access-signing.ts';
import { revisionUrl } from '../downloads/download.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { presentedLinkVersion } from '../signatures/signature-link.ts';
import { isWithdrawn } from './signing-status.ts';

/**
 * A signer with the session and the document to sign. codeHash: of the access code; null if the session requires none.
 */
export type Signing = Pick<
  SignatureRecipient,
  | 'id'
  | 'organizationId'
  | 'sessionId'
  | 'rank'
  | 'email'
  | 'fullName'
  | 'state'
  | 'completedAt'
  | 'codePassedAt'
  | 'codeLockedAt'
> &
  Pick<
    SignatureSession,
    | 'documentId'
    | 'revisionId'
    | 'formDesignType'
    | 'placeInitials'
    | 'placeFullName'
    | 'placeEmail'
    | 'placeTitle'
  > & {
    sessionState: SignatureSession['state'];
    /** When the time to sign ends: of the link, or of the session before it. */
    endsAt: Date | null;
    codeHash: string | null;
    projectId: string;
    documentName: string;
    projectDisabledAt: Date | null;
  };

const WITHDRAWN = 'The sender withdrew the document: it can no longer be signed.';

export interface SigningKey {
  sessionId: string;
  recipientId: string;
}

/**
 * Returns the signing of the viewer, by account or link. Throws NOT_FOUND, also for a wrong or expired link or a
 * stopped session, and CONFLICT if the sender has withdrawn the document.
 */
export async function requireSigning(
  ctx: Context,
  { sessionId, recipientId }: SigningKey,
  reader: Reader = ctx.db,
): Promise<Signing> {
  const version = await presentedLinkVersion(ctx, recipientId, reader);
  const [signing] = await reader.query<Signing>(sql`SELECT
      r.id, r.organization_id, r.session_id, r.rank, r.email, r.full_name, r.state::text AS state, r.completed_at,
      least(r.link_expires_at, g.expires_at) AS ends_at, r.code_passed_at, r.code_locked_at, g.document_id, g.revision_id, g.state::text AS session_state, g.form_design_type,
      g.place_initials, g.place_full_name, g.place_email, g.place_title,
      CASE WHEN g.use_access_code THEN g.access_code END AS code_hash,
      d.project_id, d.name AS document_name, p.disabled_at AS project_disabled_at
    FROM ${SIGNING_ROWS.r.from}
    JOIN ${SIGNING_ROWS.g.from} ON g.organization_id = r.organization_id AND g.id = r.session_id
    JOIN ${SIGNING_ROWS.d.from} ON d.organization_id = g.organization_id AND d.id = g.document_id
    JOIN projects p ON p.organization_id = d.organization_id AND p.id = d.project_id
    WHERE r.id = ${recipientId} AND r.session_id = ${sessionId} AND ${visibleSignings(ctx.viewer, SIGNING_ROWS, version)}`);
  if (signing) return signing;
  if (await isWithdrawn(ctx, recipientId, reader)) throw conflict(WITHDRAWN);
  throw notFound('Signing request');
}

const MAX_USER_AGENT_LENGTH = 500;

/** Address and user agent of the client, recorded with each action of a signer. */
export const clientOrigin = ({ client }: Context) => ({
  ipAddress: client?.address || null,
  userAgent: client?.userAgent.slice(0, MAX_USER_AGENT_LENGTH) || null,
});

/** Returns an event of the signed document. more: further members of its data. */
export const signingEvent = (ctx: Context, signing: Signing, kind: string, more = {}) => ({
  organizationId: signing.organizationId,
  projectId: signing.projectId,
  subjectId: signing.documentId,
  kind,
  data: {
    sessionId: signing.sessionId,
    recipientId: signing.id,
    email: signing.email,
    ...clientOrigin(ctx),
    ...more,
  },
});

/** The file that signers see: the copy of a PDF on which the session began, also of that of an office file, else the revision. */
export type SignedFile = Pick<
  Revision,
  'organizationId' | 'name' | 'contentType' | 'pageCount' | 'size' | 'blobId'
> & { sha256: Uint8Array };

/** Of an office file, its PDF is signed. */
const SIGNED_NAME = sql`CASE WHEN g.rendition_sha256 IS NULL THEN v.name ELSE v.name || '.pdf' END`;
const SIGNED_TYPE = sql`CASE WHEN g.copy_blob_id IS NULL THEN v.content_type ELSE 'application/pdf' END`;

/** Returns the file that the session signs. Throws NOT_FOUND. */
export async function signedFile(ctx: Context, { sessionId }: Signing): Promise<SignedFile> {
  const [file] = await ctx.db.query<SignedFile>(sql`SELECT v.organization_id, ${SIGNED_NAME} AS name,
      ${SIGNED_TYPE} AS content_type, coalesce(v.page_count, b.page_count) AS page_count, b.size, b.id AS blob_id, b.sha256
    FROM signature_sessions g
    JOIN revisions v ON v.organization_id = g.organization_id AND v.id = g.revision_id
    JOIN blobs b ON b.organization_id = g.organization_id AND b.id = coalesce(g.copy_blob_id, v.blob_id)
    WHERE g.id = ${sessionId}`);
  if (!file) throw notFound('Revision');
  return file;
}

/** Returns the signed URL of the file to sign, with its name, type, number of pages and digest in hex. */
export async function signedContent(ctx: Context, signing: Signing) {
  const file = await signedFile(ctx, signing);
  const { contentType, pageCount } = file;
  return {
    name: signing.documentName,
    contentType,
    pageCount,
    sha256: toHex(file.sha256),
    url: await revisionUrl(ctx, file, true),
  };
}
