import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Field, FormField } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { hashSecret } from '../../lib/secret.ts';
import { findTextFaults } from '../../pdf/font/text-faults.js';
import { findNewChoices } from '../fields/field-value.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, forbidden, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, projectPath } from '../kernel/project-path.ts';
import { type FormTemplate, findForms } from './form.ts';
import { checkAnswer, type TextFaults } from './form-answer.ts';
import type { FormSubmission } from './form-submission.ts';

/** Limits of one call, since everyone with the link may submit: submissions, and values in all of them. */
const MAX_SUBMISSIONS = 100;
const MAX_VALUES = 2_000;

const filling = z.strictObject({
  ...projectPath,
  formTemplateId: z.string(),
  submissions: z.array(
    z.strictObject({
      answers: z
        .array(z.strictObject({ formFieldId: z.string(), values: z.array(z.string()).max(100) }))
        .max(MAX_SUBMISSIONS),
    }),
  ),
});

type Filling = z.output<typeof filling>;
type FormQuestion = FormField & { field: Field };

/** The answer to one field of the form. */
interface FormAnswer {
  formFieldId: string;
  values: string[];
}

/**
 * Submits a form, all or nothing. The submissions share a groupId, as will their documents, which are created in the
 * background. The form must be SHARED, and the viewer be shared with, edit its project or have its link. Throws
 * NOT_FOUND, FORBIDDEN, CONFLICT, and BAD_USER_INPUT naming the field of a missing or invalid answer.
 */
export const submitForm = async (ctx: Context, input: z.input<typeof filling>): Promise<FormSubmission[]> =>
  (await submit(ctx, input)).rows;

/** A token of a page: made when the page is, and stored with the submission only. */
const pageToken = z.uuid();

/**
 * The same with one submission, once for each token however often it is sent. `isRepeat`: the token has made this submission
 * before, whose answers stay as they are.
 */
export async function submitFormOnce(
  ctx: Context,
  { token, answers, formTemplateId }: { token: string; answers: FormAnswer[]; formTemplateId: string },
): Promise<{ submission: FormSubmission; isRepeat: boolean }> {
  if (!pageToken.safeParse(token).success) throw badValue('token', 'is not one of this page');
  const { rows, isRepeat } = await submit(
    ctx,
    { formTemplateId, submissions: [{ answers }] },
    hashSecret(token),
  );
  return { submission: rows[0] as FormSubmission, isRepeat };
}

async function submit(
  ctx: Context,
  input: z.input<typeof filling>,
  tokenHash?: Uint8Array<ArrayBuffer>,
): Promise<{ rows: FormSubmission[]; isRepeat: boolean }> {
  const { submissions, ...target } = parse(filling, input);
  requireBatchSize(submissions, MAX_SUBMISSIONS, 'submissions');
  const values = submissions.flatMap(({ answers }) => answers.flatMap((answer) => answer.values));
  if (values.length > MAX_VALUES) throw badValue('submissions', `at most ${MAX_VALUES} values at once`);
  const faults = await findTextFaults(values);
  return inTransaction(ctx.db, async (tx) => {
    const form = await requireFillable(ctx, tx, target);
    const questions = await lockQuestions(tx, form);
    const checked = submissions.map(({ answers }, index) =>
      checkAnswers(questions, answers, { faults, at: `submissions.${index}.answers` }),
    );
    await requireOffered(tx, questions, checked);
    const rows = await insertSubmissions(ctx, tx, form, checked, tokenHash);
    if (rows.length === 0) return { rows: await findByToken(tx, form, tokenHash), isRepeat: true };
    const [{ groupId }] = rows as [FormSubmission];
    tx.wake('fileForm');
    await recordEvents(ctx, tx, [
      subjectEvent(form, 'form.submitted', { after: { groupId, submissionIds: rows.map(({ id }) => id) } }),
    ]);
    return { rows, isRepeat: false };
  });
}

const findByToken = (
  tx: Transaction,
  { organizationId, id: formTemplateId }: FormTemplate,
  tokenHash: Uint8Array<ArrayBuffer> | undefined,
): Promise<FormSubmission[]> =>
  tx.prisma.formSubmission.findMany({ where: { organizationId, formTemplateId, tokenHash } });

/** Returns the form, its row share-locked: it cannot change until the transaction ends, but can be submitted. */
async function requireFillable(
  ctx: Context,
  tx: Transaction,
  { formTemplateId, ...path }: Omit<Filling, 'submissions'>,
): Promise<FormTemplate> {
  await tx.query(sql`SELECT t.id FROM form_templates t WHERE t.id = ${formTemplateId} FOR SHARE`);
  const [form] = await findForms(ctx, [formTemplateId], tx);
  if (!form || !isInPath(form, path)) throw notFound('Form');
  if (!form.viewerCanFill) throw forbidden('The form is not shared with you.');
  if (form.state !== 'SHARED') throw conflict('The form is not shared, and so takes no answers.');
  const project = await tx.prisma.project.findUniqueOrThrow({ where: { id: form.projectId } });
  if (project.disabledAt) throw conflict('The project is disabled.');
  return form;
}

/** Returns the fields of a form, locked against deletion with their project fields. */
async function lockQuestions(tx: Transaction, { id }: FormTemplate): Promise<FormQuestion[]> {
  await tx.query(
    sql`SELECT b.id FROM form_fields b WHERE b.form_template_id = ${id} ORDER BY b.id FOR KEY SHARE`,
  );
  return tx.prisma.formField.findMany({
    where: { formTemplateId: id },
    include: { field: true },
    orderBy: [{ rank: 'asc' }, { id: 'asc' }],
  });
}

/** Returns a checked answer for each question in form order, without values where none is given. */
function checkAnswers(
  questions: FormQuestion[],
  answers: FormAnswer[],
  { faults, at }: { faults: TextFaults; at: string },
): FormAnswer[] {
  const indexes = new Map<string, number>();
  for (const [index, { formFieldId }] of answers.entries()) {
    const question = questions.find(({ id }) => id === formFieldId);
    if (!question) throw notFound('Form field', `${at}.${index}.formFieldId`);
    if (indexes.has(formFieldId))
      throw badValue(`${at}.${index}.formFieldId`, 'is answered twice', { subject: question.field.name });
    indexes.set(formFieldId, index);
  }
  return questions.map((each) => {
    const index = indexes.get(each.id);
    const { name, type, multipleValues, required } = each.field;
    const question = { ...each, name, type, multipleValues, required: each.required || required };
    const values = index === undefined ? [] : (answers[index]?.values ?? []);
    return {
      formFieldId: each.id,
      values: checkAnswer(question, values, {
        faults,
        at: index === undefined ? at : `${at}.${index}.values`,
      }),
    };
  });
}

/**
 * Throws BAD_USER_INPUT for an answer that is not among the choices of its field, unless the field allows new ones; a
 * submission does not add those to the field. Possible values of the form replace the choices.
 */
async function requireOffered(
  tx: Transaction,
  questions: FormQuestion[],
  checked: FormAnswer[][],
): Promise<void> {
  const fieldIdOf = new Map(questions.map(({ id, fieldId }) => [id, fieldId]));
  const closed = questions
    .filter(({ field, possibleValues }) => possibleValues.length === 0 && !field.newChoicesAllowed)
    .map(({ field }) => ({
      ...field,
      choicesDependOnParent:
        field.choicesDependOnParent && questions.some(({ fieldId }) => fieldId === field.parentId),
    }));
  const [rejected] = await findNewChoices(
    tx,
    closed,
    checked.map((answers) =>
      answers.map(({ formFieldId, values }) => ({ fieldId: fieldIdOf.get(formFieldId) as string, values })),
    ),
  );
  if (rejected)
    throw badValue(`submissions.${rejected.index}.answers`, 'an answer is not among its choices', {
      subject: rejected.field.name,
    });
}

/** None if the token has made a submission already. */
async function insertSubmissions(
  ctx: Context,
  tx: Transaction,
  { organizationId, projectId, id: formTemplateId }: FormTemplate,
  checked: FormAnswer[][],
  tokenHash: Uint8Array<ArrayBuffer> | undefined,
): Promise<FormSubmission[]> {
  const ids = checked.map(() => newId('FormSubmission'));
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
    tokenHash: tokenHash ?? null,
    createdAt,
  }));
  const submissions = await tx.prisma.formSubmission.createManyAndReturn({
    data: rows,
    skipDuplicates: tokenHash !== undefined,
  });
  if (submissions.length === 0) return [];
  await tx.prisma.formSubmissionValue.createMany({
    data: checked.flatMap((answers, index) =>
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
