import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { visibleDocuments } from '../access/access.ts';
import { stillEditsProjectOf } from '../access/access-cause.ts';
import { awaitedSignings, completedSignings, SIGNING_ROWS } from '../access/access-signing.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** What a mail to a signer says. */
export interface MailedSigning {
  id: string;
  linkVersion: number;
  requestedAt: Date;
  /** When the link or the session ends. */
  endsAt: Date;
  remindersOffAt: Date | null;
  sessionId: string;
  documentName: string;
  organizationName: string;
  senderEmail: string;
  senderName: string;
  /** The words that the sender chose; null without. */
  customSubject: string | null;
  customBody: string | null;
  usesAccessCode: boolean;
}

const columns = sql`r.id, r.link_version, r.requested_at, least(r.link_expires_at, g.expires_at) AS ends_at,
  r.reminders_off_at, g.id AS session_id, d.name AS document_name,
  o.name AS organization_name, u.email AS sender_email, u.name AS sender_name, g.use_access_code AS uses_access_code,
  CASE WHEN g.use_custom_mail THEN nullif(g.custom_subject, '') END AS custom_subject,
  CASE WHEN g.use_custom_mail THEN nullif(g.custom_body, '') END AS custom_body`;

const joined = sql`${tables.signatureRecipients.from}
  JOIN ${tables.signatureSessions.from} ON g.organization_id = r.organization_id AND g.id = r.session_id
  JOIN ${tables.documents.from} ON d.organization_id = g.organization_id AND d.id = g.document_id
  JOIN organizations o ON o.id = r.organization_id
  JOIN users u ON u.id = g.created_by_id`;

const findSigning = async (reader: Reader, condition: Sql): Promise<MailedSigning | undefined> =>
  (await reader.query<MailedSigning>(sql`SELECT ${columns} FROM ${joined} WHERE ${condition}`))[0];

/** A request that its signer can answer now; undefined also if who caused the mail may not ask for signatures any more. */
export const findAwaitedSigning = (reader: Reader, recipientId: string, causedById: string | null) =>
  findSigning(
    reader,
    sql`r.id = ${recipientId} AND ${awaitedSignings(SIGNING_ROWS)} AND ${causedById ? stillEditsProjectOf(tables.documents, causedById) : sql`true`}`,
  );

/** A completed signing, with a link that still opens. */
export const findCompletedSigning = (reader: Reader, recipientId: string) =>
  findSigning(
    reader,
    sql`r.id = ${recipientId} AND r.link_expires_at > now() AND ${completedSignings(SIGNING_ROWS)}`,
  );

/** The signing of a session whose sealing has failed for good. */
export const findUnsealedSigning = (reader: Reader, recipientId: string) =>
  findSigning(
    reader,
    sql`r.id = ${recipientId} AND g.sealing = 'FAILED' AND ${completedSignings(SIGNING_ROWS)}`,
  );

/** What a mail to the sender says; `signer…` is the signer whom it is about. */
export interface MailedSession {
  sessionId: string;
  documentName: string;
  signerEmail: string;
  signerName: string;
  declinedReason: string | null;
  /** Why it is not sealed. */
  sealingError: string | null;
}

/** A session of a document that its sender still sees, by one of its signers; `recipientId` null for any. */
export async function findSentSession(
  reader: Reader,
  viewer: Viewer,
  sessionId: string,
  recipientId: string | null,
): Promise<MailedSession | undefined> {
  const [session] = await reader.query<MailedSession>(sql`SELECT g.id AS session_id, d.name AS document_name,
      r.email AS signer_email, r.full_name AS signer_name, r.declined_reason, g.sealing_error
    FROM signature_sessions g
    JOIN ${tables.documents.from} ON d.organization_id = g.organization_id AND d.id = g.document_id
    JOIN signature_recipients r ON r.organization_id = g.organization_id AND r.session_id = g.id
    WHERE g.id = ${sessionId} AND ${recipientId ? sql`r.id = ${recipientId}` : sql`true`} AND ${visibleDocuments(viewer, tables.documents)}
    LIMIT 1`);
  return session;
}

/** A session that has expired, of a document that its sender still sees; `missing`: those who have not signed. */
export async function findExpiredSession(
  reader: Reader,
  viewer: Viewer,
  sessionId: string,
): Promise<ExpiredSession | undefined> {
  const [session] = await reader.query<
    Omit<ExpiredSession, 'missing'>
  >(sql`SELECT g.id AS session_id, d.name AS document_name
    FROM signature_sessions g
    JOIN ${tables.documents.from} ON d.organization_id = g.organization_id AND d.id = g.document_id
    WHERE g.id = ${sessionId} AND g.stop_reason = 'EXPIRED' AND ${visibleDocuments(viewer, tables.documents)}`);
  if (!session) return undefined;
  const missing = await reader.query<ExpiredSession['missing'][number]>(sql`SELECT r.email, r.full_name
    FROM signature_recipients r WHERE r.session_id = ${sessionId} AND r.state <> 'COMPLETED' ORDER BY r.rank, r.id`);
  return { ...session, missing };
}

interface ExpiredSession {
  sessionId: string;
  documentName: string;
  missing: { email: string; fullName: string }[];
}
