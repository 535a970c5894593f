import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type {
  SignatureFormTemplate as SignatureTemplateRow,
  SignatureTemplateField as TemplateFieldRow,
} from '../../generated/prisma/client.ts';
import { visibleSignatureTemplates } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';

export type SignatureTemplate = SignatureTemplateRow;
export type TemplateField = TemplateFieldRow;

export interface SignatureTemplateFilter {
  /** Prefix of the name, in any case. */
  namePrefix?: string | null;
}

/** The signature form templates of a project. */
export const signatureTemplatesOfProject: Listing<
  SignatureTemplate,
  SignatureTemplateFilter,
  'NAME' | 'CREATED_AT'
> = {
  name: 'signatureTemplatesOfProject',
  select: () => sql`c.*`,
  from: tables.signatureTemplates.from,
  where: ({ viewer }, { namePrefix }) => sql`c.organization_id = k.organization_id AND c.project_id = k.id
    AND ${namePrefix ? startsWith(sql`c.name_key`, normalizedKey(namePrefix)) : sql`true`}
    AND ${visibleSignatureTemplates(viewer, tables.signatureTemplates)}`,
  sorts: {
    NAME: sortBy(sql`c.id`, sql`c.name_key`, 'text', (row) => row.nameKey),
    CREATED_AT: sortBy(sql`c.id`, sql`c.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Returns the templates with these ids that the viewer may see, in any order. */
export const findSignatureTemplates = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<SignatureTemplate>(sql`SELECT c.* FROM ${tables.signatureTemplates.from}
    WHERE c.id ${sql.any(ids)} AND ${visibleSignatureTemplates(ctx.viewer, tables.signatureTemplates)}`);

const isOfVisibleTemplate = ({ viewer }: Context) => sql`EXISTS (SELECT FROM ${tables.signatureTemplates.from}
  WHERE c.organization_id = w.organization_id AND c.id = w.template_id AND ${visibleSignatureTemplates(viewer, tables.signatureTemplates)})`;

/** Returns the fields with these ids that the viewer may see, in any order. */
export const findTemplateFields = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<TemplateField>(sql`SELECT w.* FROM signature_template_fields w
    WHERE w.id ${sql.any(ids)} AND ${isOfVisibleTemplate(ctx)}`);
