import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type {
  SignatureRecipient as SignatureRecipientRow,
  SignatureSession as SignatureSessionRow,
  SignatureSessionState,
} from '../../generated/prisma/client.ts';
import { projectRole, visibleSignatures } from '../access/access.ts';
import { involvedDocumentIdsInAnyState } from '../access/access-involved.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';

export type SignatureSession = SignatureSessionRow;

interface SessionFilter {
  state?: SignatureSessionState | null;
}

/** memberId: the signer's project membership, else organization membership; null for somebody else. */
export type SignatureRecipient = SignatureRecipientRow & {
  sessionState: SignatureSessionState;
  memberId: string | null;
  /** The viewer has the role EDITOR or ADMIN in the project. */
  viewerCanEdit: boolean;
  linkUnexpired: boolean;
};

const sorts = {
  CREATED_AT: sortBy(sql`g.id`, sql`g.created_at`, 'timestamptz', (row: SignatureSession) => row.createdAt),
};

/** The sessions of a document. */
export const sessionsOfDocument: Listing<SignatureSession, object, 'CREATED_AT'> = {
  name: 'sessionsOfDocument',
  select: () => sql`g.*`,
  from: tables.signatureSessions.from,
  where: ({ viewer }) =>
    sql`g.organization_id = k.organization_id AND g.document_id = k.id AND ${visibleSignatures(viewer, tables.signatureSessions)}`,
  sorts,
};

/** Literals instead of parameters, so that the index that begins with the state is used. */
const STATES: Record<SignatureSessionState, Sql> = {
  DRAFT: sql`'DRAFT'`,
  ACTIVE: sql`'ACTIVE'`,
  COMPLETED: sql`'COMPLETED'`,
  STOPPED: sql`'STOPPED'`,
};

const inState = ({ state }: SessionFilter): Sql => (state ? sql`g.state = ${STATES[state]}` : sql`true`);

const sessionIdsOfDocuments = (documents: Sql): Sql => sql`SELECT g.id FROM (${documents}) i(id)
  JOIN ${tables.signatureSessions.from} ON g.organization_id = k.organization_id AND g.document_id = i.id`;

/** The sessions of a project's documents. */
export const sessionsOfProject = projectListing<
  SignatureSession,
  SessionFilter,
  'CREATED_AT',
  'signature_sessions'
>(
  { name: 'sessionsOfProject', select: () => sql`g.*`, sorts },
  {
    ...{ rows: tables.signatureSessions, projectId: sql`k.id`, matches: inState, indexCondition: inState },
    parentCondition: sql`g.organization_id = k.organization_id AND g.project_id = k.id`,
    visible: visibleSignatures,
    involvedIds: (viewer) =>
      sessionIdsOfDocuments(involvedDocumentIdsInAnyState(viewer, sql`k.organization_id`)),
  },
);

/** Returns the sessions with these ids that the viewer may see, in any order. */
export const findSignatureSessions = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SignatureSession>(
    sql`SELECT g.* FROM ${tables.signatureSessions.from} WHERE g.id ${sql.any(ids)} AND ${visibleSignatures(ctx.viewer, tables.signatureSessions)}`,
  );

/** Returns for each of these documents its open session (DRAFT or ACTIVE), else its newest. */
export const findCurrentSessions = (ctx: Context, documentIds: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SignatureSession>(sql`SELECT DISTINCT ON (k.id) g.* FROM documents k
    JOIN ${tables.signatureSessions.from} ON g.organization_id = k.organization_id AND g.document_id = k.id
    WHERE k.id ${sql.any(documentIds)} AND ${visibleSignatures(ctx.viewer, tables.signatureSessions)}
    ORDER BY k.id, g.state IN ('DRAFT', 'ACTIVE') DESC, g.created_at DESC, g.id DESC`);

const recipientColumns = ({ viewer }: Context) => sql`r.*, g.state::text AS session_state,
  ${projectRole(viewer, tables.projects)} IN ('EDITOR', 'ADMIN') AS viewer_can_edit, coalesce(r.link_expires_at > now(), false) AS link_unexpired,
  coalesce(
    (SELECT pm.id FROM project_members pm WHERE pm.organization_id = r.organization_id
      AND pm.project_id = p.id AND pm.user_id = r.user_id),
    (SELECT m.id FROM memberships m WHERE m.organization_id = r.organization_id AND m.user_id = r.user_id)) AS member_id`;

const recipientTables = sql`signature_recipients r
  JOIN ${tables.signatureSessions.from} ON g.organization_id = r.organization_id AND g.id = r.session_id
  JOIN documents o ON o.organization_id = g.organization_id AND o.id = g.document_id
  JOIN ${tables.projects.from} ON p.organization_id = o.organization_id AND p.id = o.project_id`;

/** The signers of a session, in signing order. */
export const recipientsOfSession: Listing<SignatureRecipient, object, 'RANK'> = {
  name: 'recipientsOfSession',
  select: recipientColumns,
  from: recipientTables,
  where: ({ viewer }) =>
    sql`r.organization_id = k.organization_id AND r.session_id = k.id AND ${visibleSignatures(viewer, tables.signatureSessions)}`,
  sorts: {
    RANK: sortBy(sql`r.id`, sql`r.rank`, 'int', (row) => row.rank),
  },
};

/** Returns the signers with these ids that the viewer may see, in any order. */
export const findSignatureRecipients = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SignatureRecipient>(
    sql`SELECT ${recipientColumns(ctx)} FROM ${recipientTables}
      WHERE r.id ${sql.any(ids)} AND ${visibleSignatures(ctx.viewer, tables.signatureSessions)}`,
  );
