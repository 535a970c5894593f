import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { FormState, FormTemplate as FormTemplateRow } from '../../generated/prisma/client.ts';
import { editsProjectOf } from '../access/access.ts';
import { fillsForm, sharedForms, visibleFormTemplates } from '../access/access-form.ts';
import { involvedFormIds } from '../access/access-involved.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import type { Listing } from '../kernel/listing.ts';
import { type Sort, sortBy } from '../kernel/page.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';

/**
 * pages: of its file, or as many as its fields need. sharedWith: addresses; viewers who cannot edit see only their own.
 */
export type FormTemplate = FormTemplateRow & {
  pages: number;
  sharedWith: string[];
  viewerCanEdit: boolean;
  viewerCanFill: boolean;
};

export interface FormFilter {
  /** Prefix of the name, in any case. */
  namePrefix?: string | null;
  state?: FormState | null;
}

const columns = ({ viewer }: Context) => sql`t.*,
  greatest(t.page_count, (SELECT max(b.page_index) + 1 FROM form_fields b
    WHERE b.organization_id = t.organization_id AND b.form_template_id = t.id)) AS pages,
  coalesce((SELECT array_agg(h.email ORDER BY h.email) FROM form_shares h
    WHERE h.organization_id = t.organization_id AND h.form_template_id = t.id
    AND (h.email = ${viewer.email} OR ${editsProjectOf(tables.formTemplates, viewer)})), '{}') AS shared_with,
  ${editsProjectOf(tables.formTemplates, viewer)} AS viewer_can_edit,
  ${fillsForm(viewer, tables.formTemplates)} AS viewer_can_fill`;

const sorts: Record<'NAME' | 'CREATED_AT', Sort<FormTemplate>> = {
  NAME: sortBy(sql`t.id`, sql`t.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(sql`t.id`, sql`t.created_at`, 'timestamptz', (row) => row.createdAt),
};

const nameStartsWith = ({ namePrefix }: FormFilter) =>
  namePrefix ? startsWith(sql`t.name_key`, normalizedKey(namePrefix)) : undefined;

const matches = (filter: FormFilter): Sql =>
  sql.all([nameStartsWith(filter), filter.state && sql`t.state::text = ${filter.state}`]);

const common = { select: columns, sorts };

const inProject = sql`t.organization_id = k.organization_id AND t.project_id = k.id`;

/** The forms of a project. */
export const formsOfProject = projectListing<
  FormTemplate,
  FormFilter,
  'NAME' | 'CREATED_AT',
  'form_templates'
>(
  { ...common, name: 'formsOfProject' },
  {
    ...{ rows: tables.formTemplates, parentCondition: inProject, projectId: sql`k.id`, matches },
    indexCondition: (filter, order) => sql.all([order === 'NAME' && nameStartsWith(filter)]),
    visible: visibleFormTemplates,
    involvedIds: (viewer) => involvedFormIds(viewer, sql`k.organization_id`),
    candidateIds: (filter) =>
      nameStartsWith(filter) &&
      sql`SELECT t.id FROM ${tables.formTemplates.from} WHERE ${inProject} AND ${nameStartsWith(filter)}`,
  },
);

/** The forms shared with the viewer, in all projects. */
export const formsSharedWithViewer: Listing<FormTemplate, FormFilter, 'NAME' | 'CREATED_AT'> = {
  ...common,
  name: 'formsSharedWithViewer',
  from: tables.formTemplates.from,
  where: ({ viewer }, filter) => sql`${sharedForms(viewer, tables.formTemplates)} AND ${matches(filter)}`,
};

/** Returns the forms with these ids that the viewer may see, in any order. */
export const findForms = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<FormTemplate>(
    sql`SELECT ${columns(ctx)} FROM ${tables.formTemplates.from} WHERE t.id ${sql.any(ids)} AND ${visibleFormTemplates(ctx.viewer, tables.formTemplates)}`,
  );

/** Returns the secret of a form's public link, null unless it is public. */
export const formLink = ({ storage }: Context, { id, linkSealed }: FormTemplate): string | null =>
  linkSealed && storage.vault.open(linkSealed, id);

/** Returns the URL of a form's public link, null unless it is public. */
export function formUrl(ctx: Context, form: FormTemplate): string | null {
  const secret = formLink(ctx, form);
  return secret && ctx.storage.signedUrls.page(`/forms/${secret}`);
}
