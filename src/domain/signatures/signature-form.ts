import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type {
  SignatureField as SignatureFieldRow,
  SignatureForm as SignatureFormRow,
} from '../../generated/prisma/client.ts';
import { visibleSignatures } from '../access/access.ts';
import { involvedDocumentIds } from '../access/access-involved.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortByExpression } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';

export type SignatureForm = SignatureFormRow & { fieldCount: number };
export type SignatureField = SignatureFieldRow;

export interface RecentFormFilter {
  /** Prefix of the document's name, in any case. */
  namePrefix?: string | null;
  /** Id of a form, or of its document, to leave out. */
  exceptId?: string | null;
}

const columns = sql`g.*, (SELECT count(*)::int FROM signature_fields w
    WHERE w.organization_id = g.organization_id AND w.form_id = g.id) AS field_count`;

/** Returns the forms with these ids that the viewer may see, in any order. */
export const findSignatureForms = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SignatureForm>(
    sql`SELECT ${columns} FROM ${tables.signatureForms.from} WHERE g.id ${sql.any(ids)} AND ${visibleSignatures(ctx.viewer, tables.signatureForms)}`,
  );

/** Returns the forms of these documents that the viewer may see, in any order. */
export const findFormsOfDocuments = (ctx: Context, documentIds: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SignatureForm>(sql`SELECT ${columns} FROM documents k
    JOIN ${tables.signatureForms.from} ON g.organization_id = k.organization_id AND g.document_id = k.id
    WHERE k.id ${sql.any(documentIds)} AND ${visibleSignatures(ctx.viewer, tables.signatureForms)}`);

/** Forms of a project's active documents that have fields, to copy from. */
export const recentForms = projectListing<SignatureForm, RecentFormFilter, 'CHANGED_AT', 'signature_forms'>(
  {
    name: 'recentForms',
    select: () => columns,
    joins: sql`LEFT JOIN documents o ON o.organization_id = g.organization_id AND o.id = g.document_id`,
    sorts: {
      CHANGED_AT: sortByExpression(
        sql`g.id`,
        sql`coalesce(g.modified_at, g.created_at)`,
        'timestamptz',
        (row) => row.modifiedAt ?? row.createdAt,
      ),
    },
  },
  {
    ...{ rows: tables.signatureForms, projectId: sql`k.id`, indexCondition: () => sql`true` },
    parentCondition: sql`g.organization_id = k.organization_id AND g.project_id = k.id`,
    matches: (filter) =>
      sql.all([
        isActiveDocument(filter),
        sql`EXISTS (SELECT FROM signature_fields w WHERE w.organization_id = g.organization_id AND w.form_id = g.id)`,
        filter.exceptId && sql`${filter.exceptId} NOT IN (g.id, o.id)`,
      ]),
    visible: visibleSignatures,
    involvedIds: (viewer) =>
      formIdsOfDocuments(
        involvedDocumentIds(viewer, sql`k.organization_id`, (d) => sql`${d}.state = 'ACTIVE'`),
      ),
    candidateIds: (filter) =>
      filter.namePrefix
        ? formIdsOfDocuments(sql`SELECT o.id FROM documents o
      WHERE o.organization_id = k.organization_id AND o.project_id = k.id AND ${isActiveDocument(filter)}`)
        : undefined,
  },
);

const isActiveDocument = ({ namePrefix }: RecentFormFilter): Sql =>
  sql.all([sql`o.state = 'ACTIVE'`, namePrefix && startsWith(sql`o.name_key`, normalizedKey(namePrefix))]);

const formIdsOfDocuments = (documents: Sql): Sql => sql`SELECT g.id FROM (${documents}) i(id)
  JOIN ${tables.signatureForms.from} ON g.organization_id = k.organization_id AND g.document_id = i.id`;

const isOfVisibleForm = ({ viewer }: Context) => sql`EXISTS (SELECT FROM ${tables.signatureForms.from}
  WHERE g.organization_id = w.organization_id AND g.id = w.form_id AND ${visibleSignatures(viewer, tables.signatureForms)})`;

const byRank = {
  RANK: {
    column: sql`w.rank`,
    id: sql`w.id`,
    type: 'int' as const,
    value: (row: SignatureField) => row.rank,
    idOf: (row: SignatureField) => row.id,
  },
};

/**
 * The fields shown to a signer who has opened their signing request: their own open fields, or with `completed` every
 * field of the session that has been filled in.
 */
export const fieldsOfSigning: Listing<
  SignatureField & { signerRank: number },
  { completed: boolean },
  'RANK'
> = {
  name: 'fieldsOfSigning',
  select: () => sql`w.*, o.rank AS signer_rank`,
  from: sql`signature_recipients r
    JOIN signature_recipients o ON o.organization_id = r.organization_id AND o.session_id = r.session_id
    JOIN signature_fields w ON w.organization_id = o.organization_id AND w.recipient_id = o.id`,
  where: (_, { completed }) => sql`r.organization_id = k.organization_id AND r.id = k.id
    AND ${completed ? sql`w.completed_at IS NOT NULL` : sql`o.id = r.id AND w.completed_at IS NULL`}`,
  sorts: byRank,
};

/** Returns the fields with these ids that the viewer may see, in any order. */
export const findSignatureFields = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SignatureField>(
    sql`SELECT w.* FROM signature_fields w WHERE w.id ${sql.any(ids)} AND ${isOfVisibleForm(ctx)}`,
  );
