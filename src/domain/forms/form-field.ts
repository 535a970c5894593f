import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { FormField as FormFieldRow } from '../../generated/prisma/client.ts';
import { visibleFormTemplates } from '../access/access-form.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';

export type FormField = FormFieldRow;

const isOfVisibleForm = ({ viewer }: Context) => sql`EXISTS (SELECT FROM ${tables.formTemplates.from}
  WHERE t.organization_id = b.organization_id AND t.id = b.form_template_id AND ${visibleFormTemplates(viewer, tables.formTemplates)})`;

/** Returns the fields with these ids that the viewer may see, in any order. */
export const findFormFields = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<FormField>(
    sql`SELECT b.* FROM form_fields b WHERE b.id ${sql.any(ids)} AND ${isOfVisibleForm(ctx)}`,
  );
