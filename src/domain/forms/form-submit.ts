import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Field, FormField } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { newChoices } from '../fields/field-value.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict, forbidden, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { type FormTemplate, findForms } from './form.ts';
import { checkAnswer } from './form-answer.ts';
import { newEvent } from './form-change.ts';
import type { FormSubmission } from './form-submission.ts';

/** Whoever has a link may submit: no more than this at once, and no more values in all of it. */
const MOST = 100;
const MOST_VALUES = 2_000;

const filling = z.strictObject({
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  formTemplateId: z.string(),
  submissions: z.array(
    z.strictObject({
      answers: z
        .array(z.strictObject({ formFieldId: z.string(), values: z.array(z.string()).max(100) }))
        .max(MOST),
    }),
  ),
});

type Filling = z.output<typeof filling>;
type Asked = FormField & { field: Field };

/** The answer to one field of the form. */
interface FormAnswer {
  formFieldId: string;
  values: string[];
}

/**
 * Fills in a form, once for each of the submissions: all are stored, or none. They share a groupId, and so will the
 * documents that they make, in the background. Takes a SHARED form, and a viewer whom it is shared with, an editor of its project, or its
 * public link. BAD_USER_INPUT names the field whose answer is missing or not what it asks for.
 */
export function submitForm(ctx: Context, input: z.input<typeof filling>): Promise<FormSubmission[]> {
  const { submissions, ...target } = parse(filling, input);
  requireBatchSize(submissions, MOST, 'submissions');
  if (submissions.flatMap(({ answers }) => answers.flatMap(({ values }) => values)).length > MOST_VALUES)
    throw badInput(`submissions: at most ${MOST_VALUES} values at once`, 'submissions');
  return inTransaction(ctx.db, async (tx) => {
    const form = await requireFillable(ctx, tx, target);
    const asked = await heldQuestions(tx, form);
    const filled = submissions.map(({ answers }, index) =>
      completed(asked, answers, `submissions.${index}.answers`),
    );
    await requireOffered(tx, asked, filled);
    const rows = await store(ctx, tx, form, filled);
    const [{ groupId }] = rows as [FormSubmission];
    tx.wake('fileForm');
    await recordEvents(ctx, tx, [
      newEvent(form, 'form.submitted', { after: { groupId, submissionIds: rows.map(({ id }) => id) } }),
    ]);
    return rows;
  });
}

/** The form, which stays as it is until the transaction ends; others may fill it in meanwhile. */
async function requireFillable(
  ctx: Context,
  tx: Transaction,
  { formTemplateId, projectId, organizationId }: Omit<Filling, 'submissions'>,
): Promise<FormTemplate> {
  await tx.query(sql`SELECT t.id FROM form_templates t WHERE t.id = ${formTemplateId} FOR SHARE`);
  const [form] = await findForms(ctx, [formTemplateId], tx);
  if (
    !form ||
    (projectId && projectId !== form.projectId) ||
    (organizationId && organizationId !== form.organizationId)
  )
    throw notFound('Form');
  if (!form.viewerCanFill) throw forbidden('The form is not shared with you.');
  if (form.state !== 'SHARED') throw conflict('The form is not shared, and so takes no answers.');
  const project = await tx.prisma.project.findUniqueOrThrow({ where: { id: form.projectId } });
  if (project.disabledAt) throw conflict('The project is disabled.');
  return form;
}

/** What the form asks, which nobody deletes meanwhile: neither the form's fields nor those of the project. */
async function heldQuestions(tx: Transaction, { id }: FormTemplate): Promise<Asked[]> {
  await tx.query(
    sql`SELECT b.id FROM form_fields b WHERE b.form_template_id = ${id} ORDER BY b.id FOR KEY SHARE`,
  );
  return tx.prisma.formField.findMany({
    where: { formTemplateId: id },
    include: { field: true },
    orderBy: [{ rank: 'asc' }, { id: 'asc' }],
  });
}

/** An answer for each question, in the order of the form; one without values for what was left open. */
function completed(asked: Asked[], given: FormAnswer[], at: string): FormAnswer[] {
  const places = new Map<string, number>();
  for (const [index, { formFieldId }] of given.entries()) {
    const question = asked.find(({ id }) => id === formFieldId);
    if (!question) throw notFound('Form field', `${at}.${index}.formFieldId`);
    if (places.has(formFieldId))
      throw badInput(`${question.field.name}: is answered twice`, `${at}.${index}.formFieldId`);
    places.set(formFieldId, index);
  }
  return asked.map((each) => {
    const index = places.get(each.id);
    const { name, type, multipleValues, required } = each.field;
    const question = { ...each, name, type, multipleValues, required: each.required || required };
    const values = index === undefined ? [] : (given[index]?.values ?? []);
    return {
      formFieldId: each.id,
      values: checkAnswer(question, values, index === undefined ? at : `${at}.${index}.values`),
    };
  });
}

/**
 * Answers to a field with choices are among them, or it takes new ones. These are not kept: whoever fills in a form does
 * not add to what a project offers. Possible values of the form stand in the place of the field's choices.
 */
async function requireOffered(tx: Transaction, asked: Asked[], filled: FormAnswer[][]): Promise<void> {
  const fieldIdOf = new Map(asked.map(({ id, fieldId }) => [id, fieldId]));
  const closed = asked
    .filter(({ field, possibleValues }) => possibleValues.length === 0 && !field.newChoicesAllowed)
    .map(({ field }) => ({
      ...field,
      choicesDependOnParent:
        field.choicesDependOnParent && asked.some(({ fieldId }) => fieldId === field.parentId),
    }));
  const [fault] = await newChoices(
    tx,
    closed,
    filled.map((answers) =>
      answers.map(({ formFieldId, values }) => ({ fieldId: fieldIdOf.get(formFieldId) as string, values })),
    ),
  );
  if (fault)
    throw badInput(
      `${fault.field.name}: an answer is not among its choices`,
      `submissions.${fault.index}.answers`,
    );
}

async function store(
  ctx: Context,
  tx: Transaction,
  { organizationId, projectId, id: formTemplateId }: FormTemplate,
  filled: FormAnswer[][],
): Promise<FormSubmission[]> {
  const ids = filled.map(() => newId('FormSubmission'));
  const createdAt = new Date();
  const rows = ids.map((id) => ({
    organizationId,
    id,
    projectId,
    formTemplateId,
    groupId: ids[0] as string,
    submittedById: ctx.viewer.userId || null,
    clientId: ctx.viewer.clientId ?? null,
    ipAddress: ctx.client?.address || null,
    documentId: null,
    createdAt,
  }));
  const submissions = await tx.prisma.formSubmission.createManyAndReturn({ data: rows });
  await tx.prisma.formSubmissionValue.createMany({
    data: filled.flatMap((answers, index) =>
      answers.flatMap(({ formFieldId, values }) =>
        values.map((text, position) => ({
          organizationId,
          submissionId: ids[index] as string,
          formFieldId,
          position,
          text,
        })),
      ),
    ),
  });
  return submissions;
}
