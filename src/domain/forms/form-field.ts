import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { FormField as FormFieldRow } from '../../generated/prisma/client.ts';
import { visibleFormTemplates } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';

/**
 * lowest and highest: its range as text, in decimal notation. mandatory: an answer has to be given, as the form or the
 * project field says.
 */
export type FormField = FormFieldRow & { lowest: string | null; highest: string | null; mandatory: boolean };

const columns = sql`b.*, trim_scale(b.minimum)::text AS lowest, trim_scale(b.maximum)::text AS highest,
  (b.required OR c.required) AS mandatory`;
const from = sql`form_fields b JOIN fields c ON c.organization_id = b.organization_id AND c.id = b.field_id`;

const ofVisibleForm = ({ viewer }: Context) => sql`EXISTS (SELECT FROM form_templates t
  WHERE t.organization_id = b.organization_id AND t.id = b.form_template_id AND ${visibleFormTemplates(viewer)})`;

/** The fields of a form, in their order. */
export const fieldsOfForm: Listing<FormField, object, 'RANK'> = {
  name: 'fieldsOfForm',
  select: () => columns,
  from,
  where: (ctx) =>
    sql`b.organization_id = k.organization_id AND b.form_template_id = k.id AND ${ofVisibleForm(ctx)}`,
  sorts: {
    RANK: sortBy(sql`b.id`, sql`b.rank`, 'int', (row) => row.rank),
  },
};

/** Those of the ids that are visible, in no particular order. */
export const findFormFields = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<FormField>(
    sql`SELECT ${columns} FROM ${from} WHERE b.id = ANY(${ids}) AND ${ofVisibleForm(ctx)}`,
  );
