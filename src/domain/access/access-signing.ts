import { type Sql, sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf, type Viewer } from '../kernel/viewer.ts';
import { inLiveProject } from './access.ts';
import { reachesProjectOf } from './access-limit.ts';

/** What a signer signs: their place, its session and the document. */
interface SigningRows {
  r: Rows<'signature_recipients'>;
  g: Rows<'signature_sessions'>;
  d: Rows<'documents'>;
}

/** These tables under their aliases. */
export const SIGNING_ROWS: SigningRows = {
  r: tables.signatureRecipients,
  g: tables.signatureSessions,
  d: tables.documents,
};

/** On signature sessions: active, though its time has passed; the job that ends it has not run yet. */
export const overdueSession = (g: Rows<'signature_sessions'>): Sql =>
  sql`(${g}.state = 'ACTIVE' AND coalesce(${g}.expires_at <= now(), false))`;

/**
 * On the recipients of a session on a document: the viewer signs here, from the request until the
 * session ends or the document is recycled. By their account, or by a signing link of version `linkVersion`.
 */
export const visibleSignings = (
  viewer: Viewer,
  { r, g, d }: SigningRows,
  linkVersion: number | null,
): Sql => sql`(
  ${r}.requested_at IS NOT NULL AND ${g}.state IN ('ACTIVE', 'COMPLETED') AND NOT ${overdueSession(g)} AND ${d}.state = 'ACTIVE' AND ${inLiveProject(d)} AND ${
    viewer.link === undefined
      ? isSigner(viewer, r)
      : sql`${r}.link_version = ${linkVersion}::int AND ${r}.link_expires_at > now()`
  })`;

/** On recipients: a signer sees the outcome of the request, without the document, also after visibleSignings ends. */
export const visibleSigningStatus = (viewer: Viewer, r: SigningRows['r'], linkVersion: number | null): Sql =>
  viewer.link === undefined
    ? sql`(${r}.requested_at IS NOT NULL AND ${isSigner(viewer, r)})`
    : sql`(${r}.link_version = ${linkVersion}::int)`;

/** The signer can sign now. */
export const awaitedSignings = ({
  r,
  g,
  d,
}: SigningRows): Sql => sql`(${r}.state = 'REQUESTED' AND ${r}.link_expires_at > now() AND ${g}.state = 'ACTIVE'
  AND NOT ${overdueSession(g)} AND ${d}.state = 'ACTIVE' AND ${inLiveProject(d)})`;

/** All have signed, and the document can be shown to its signers. */
export const completedSignings = ({ g, d }: Omit<SigningRows, 'r'>): Sql =>
  sql`(${g}.state = 'COMPLETED' AND ${d}.state = 'ACTIVE' AND ${inLiveProject(d)})`;

/** The signer is the viewer, as a member of the organization. */
const isSigner = (viewer: Viewer, r: SigningRows['r']): Sql =>
  sql.all([
    sql`${r}.user_id = ${viewer.userId} AND ${r}.organization_id = ANY(${organizationsOf(viewer)})`,
    isReached(viewer, r),
  ]);

const sessions = new Rows('signature_sessions', 'y');
const signed = new Rows('documents', 'z');

function isReached(viewer: Viewer, r: SigningRows['r']): Sql | undefined {
  const reached = reachesProjectOf(viewer, signed);
  return (
    reached &&
    sql`EXISTS (SELECT FROM ${sessions.from} JOIN ${signed.from} ON ${signed}.organization_id = ${sessions}.organization_id AND ${signed}.id = ${sessions}.document_id
      WHERE ${sessions}.organization_id = ${r}.organization_id AND ${sessions}.id = ${r}.session_id AND ${reached})`
  );
}
