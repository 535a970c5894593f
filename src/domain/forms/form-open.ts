import { Decimal } from '@prisma/client-runtime-utils';
import { sql } from '../../db/sql/sql.ts';
import type { Field } from '../../generated/prisma/client.ts';
import { visibleFormTemplates } from '../access/access-form.ts';
import { findFields } from '../fields/field.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';
import { type PublicFace, SETTINGS_COLUMNS } from '../projects/project-settings.ts';
import { type FormTemplate, findForms } from './form.ts';
import type { Question } from './form-answer.ts';

/** Choices shown for one question. */
const MAX_CHOICES = 1_000;

/** A choice of a question. */
interface OfferedChoice {
  value: string;
  /** The value of the parent field for which it is offered; '' for any. */
  parentValue: string;
}

/** A question as shown to the person who answers. offered: its choices; acceptsOther: other values are allowed too. */
export type OpenQuestion = Question & {
  id: string;
  field: Field;
  defaultValues: string[];
  offered: OfferedChoice[];
  acceptsOther: boolean;
};

/** A form opened by its public link. */
export interface OpenForm {
  form: FormTemplate;
  organizationName: string;
  /** It takes no answers now: it is not shared any more, or its project is disabled. */
  closed: boolean;
  questions: OpenQuestion[];
  /** How the project looks to people without an account. */
  face: PublicFace;
}

/** Returns the form of the viewer's public link, with its questions in order. Throws NOT_FOUND. */
export async function openLinkedForm(ctx: Context): Promise<OpenForm> {
  if (!ctx.viewer.link) throw notFound('Form');
  const [linked] = await ctx.db.query<
    {
      id: string;
      organizationName: string;
      closed: boolean;
    } & PublicFace
  >(sql`SELECT t.id, o.name AS organization_name, p.disabled_at IS NOT NULL OR t.state <> 'SHARED' AS closed,
      ${SETTINGS_COLUMNS}
    FROM ${tables.formTemplates.from} JOIN organizations o ON o.id = t.organization_id
    JOIN projects p ON p.organization_id = t.organization_id AND p.id = t.project_id
    LEFT JOIN project_settings x ON x.organization_id = p.organization_id AND x.project_id = p.id
    WHERE ${visibleFormTemplates(ctx.viewer, tables.formTemplates)}`);
  const [form] = linked ? await findForms(ctx, [linked.id]) : [];
  if (!linked || !form) throw notFound('Form');
  const { organizationName, closed } = linked;
  return { form, organizationName, closed, face: linked, questions: await findQuestions(ctx, form) };
}

type QuestionRow = Pick<OpenQuestion, 'id' | 'possibleValues' | 'defaultValues' | 'required'> & {
  fieldId: string;
  minimum: string | null;
  maximum: string | null;
};

async function findQuestions(ctx: Context, { organizationId, id }: FormTemplate): Promise<OpenQuestion[]> {
  const rows = await ctx.db.query<QuestionRow>(sql`SELECT b.id, b.field_id, b.minimum::text AS minimum,
      b.maximum::text AS maximum, b.possible_values, b.default_values, b.required FROM form_fields b
    WHERE b.organization_id = ${organizationId} AND b.form_template_id = ${id} ORDER BY b.rank, b.id`);
  const fieldIds = [...new Set(rows.map(({ fieldId }) => fieldId))];
  const fields = new Map((await findFields(ctx, fieldIds)).map((field) => [field.id, field]));
  const choices = await findChoices(ctx, organizationId, fieldIds);
  return rows.flatMap((row) => {
    const field = fields.get(row.fieldId);
    return field ? [toQuestion(row, field, choices.get(field.id) ?? [])] : [];
  });
}

function toQuestion(
  { fieldId: _, ...row }: QuestionRow,
  field: Field,
  choices: OfferedChoice[],
): OpenQuestion {
  const { name, type, multipleValues, required, newChoicesAllowed } = field;
  const narrowed = row.possibleValues.length > 0;
  return {
    ...row,
    name,
    type,
    multipleValues,
    field,
    minimum: row.minimum === null ? null : new Decimal(row.minimum),
    maximum: row.maximum === null ? null : new Decimal(row.maximum),
    required: row.required || required,
    offered: narrowed
      ? row.possibleValues.map((value) => ({ value, parentValue: '' }))
      : field.choices
        ? choices
        : [],
    acceptsOther: !narrowed && (!field.choices || newChoicesAllowed),
  };
}

async function findChoices(
  ctx: Context,
  organizationId: string,
  fieldIds: readonly string[],
): Promise<Map<string, OfferedChoice[]>> {
  const rows = await ctx.db.query<
    OfferedChoice & { fieldId: string }
  >(sql`SELECT k.id AS field_id, x.value, x.parent_value
    FROM unnest(${sql.texts(fieldIds)}) AS k(id) CROSS JOIN LATERAL (
      SELECT i.value, i.parent_value, i.rank, i.id FROM field_list_items i
      WHERE i.organization_id = ${organizationId} AND i.field_id = k.id ORDER BY i.rank, i.id LIMIT ${MAX_CHOICES}) x
    ORDER BY k.id, x.rank, x.id`);
  const byField = new Map<string, OfferedChoice[]>();
  for (const { fieldId, ...choice } of rows)
    byField.get(fieldId)?.push(choice) ?? byField.set(fieldId, [choice]);
  return byField;
}
