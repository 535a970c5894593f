import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma, SignatureRecipient } from '../../generated/prisma/client.ts';
import { SignatureFieldType } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import type { Document } from '../documents/document.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { type PathOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { changedNow } from '../kernel/version.ts';
import { inOrderOf } from '../projects/project.ts';
import {
  findSigners,
  label,
  MAX_FIELDS,
  pageIndex,
  position,
  rank,
  requirePage,
  requireSignerId,
} from './signature-field.ts';
import { findSignatureFields, type SignatureField, type SignatureForm } from './signature-form.ts';
import { formPath, requireEditableForm } from './signature-form-change.ts';
import type { SignatureSession } from './signature-session.ts';

const fieldProperties = {
  recipientId: z.string().nullish(),
  recipientRank: rank.nullish(),
  label: label.nullish(),
  required: z.boolean().nullish(),
  width: position.nullish(),
  height: position.nullish(),
};

const addition = z.strictObject({
  ...formPath,
  clearExisting: z.boolean().nullish(),
  fields: z.array(
    z.strictObject({
      type: z.enum(SignatureFieldType),
      pageIndex,
      x: position,
      y: position,
      ...fieldProperties,
    }),
  ),
});

type NewField = z.output<typeof addition>['fields'][number];

/**
 * Appends fields to a form; with clearExisting they replace its fields, and the list may be empty. A field is assigned
 * to a signer of the draft by id or by rank (the first of that rank), or to nobody yet. Throws BAD_USER_INPUT above
 * MAX_FIELDS or for a page the document does not have, NOT_FOUND for a signer, CONFLICT once signing has begun.
 */
export function addSignatureFields(ctx: Context, input: z.input<typeof addition>): Promise<SignatureField[]> {
  const { fields, clearExisting, ...target } = parse(addition, input);
  if (!clearExisting || fields.length > 0) requireBatchSize(fields, ctx.limits.batchMax, 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const { form, document, draft } = await requireEditableForm(ctx, tx, target);
    const removedIds = clearExisting ? await deleteAllFields(tx, form) : [];
    if (form.fieldCount - removedIds.length + fields.length > MAX_FIELDS)
      throw badValue('fields', `a form has at most ${MAX_FIELDS} fields`);
    const added = await insertFields(tx, { form, document, draft }, fields);
    await recordEvents(ctx, tx, [
      subjectEvent(document, 'document.signatureFieldsAdded', {
        formId: form.id,
        ...(removedIds.length > 0 && { before: { fieldIds: removedIds } }),
        after: { fieldIds: added.map(({ id }) => id) },
      }),
    ]);
    return rereadFields(ctx, tx, added);
  });
}

interface EditableForm {
  form: SignatureForm;
  document: Document;
  draft: SignatureSession | undefined;
}

async function insertFields(
  tx: Transaction,
  { form, document, draft }: EditableForm,
  fields: readonly NewField[],
) {
  const signers = await findSigners(tx, draft);
  const { organizationId, id: formId } = form;
  const { _max } = await tx.prisma.signatureField.aggregate({
    where: { organizationId, formId },
    _max: { rank: true },
  });
  const next = (_max.rank ?? -1) + 1;
  const rows = fields.map(({ recipientId, recipientRank, required, label, ...field }, index) => {
    requirePage(document, field.pageIndex, `fields.${index}.pageIndex`);
    return {
      ...field,
      organizationId,
      formId,
      id: newId('SignatureField'),
      recipientId: requireSignerId(signers, { recipientId, recipientRank }, `fields.${index}.`),
      label: label || null,
      required: required ?? true,
      rank: next + index,
    };
  });
  await tx.prisma.signatureField.createMany({ data: rows });
  await touchForm(tx, formId);
  return rows;
}

/** Updates the version and the time of change of a form. */
const touchForm = (tx: Transaction, id: string) =>
  tx.prisma.signatureForm.update({ where: { id }, data: changedNow() });

/** Deletes the fields of a form, and returns their ids. */
export async function deleteAllFields(
  tx: Transaction,
  { organizationId, id: formId }: SignatureForm,
): Promise<string[]> {
  const where = { organizationId, formId };
  const fields = await tx.prisma.signatureField.findMany({ where, select: { id: true } });
  await tx.prisma.signatureField.deleteMany({ where });
  return fields.map(({ id }) => id);
}

const update = z.strictObject({
  ...formPath,
  fieldId: z.string(),
  type: z.enum(SignatureFieldType).nullish(),
  pageIndex: pageIndex.nullish(),
  x: position.nullish(),
  y: position.nullish(),
  ...fieldProperties,
  expectedVersion: z.int().nullish(),
});

/**
 * Changes a field. Members that are absent or null keep their value; an empty recipientId or label removes it. Throws
 * NOT_FOUND, BAD_USER_INPUT for a page the document does not have, or CONFLICT once signing has begun.
 */
export function updateSignatureField(ctx: Context, input: z.input<typeof update>): Promise<SignatureField> {
  const { organizationId, projectId, documentId, formId, expectedVersion, fieldId, ...change } = parse(
    update,
    input,
  );
  return inTransaction(ctx.db, async (tx) => {
    const target = await requireEditableForm(ctx, tx, {
      organizationId,
      projectId,
      documentId,
      formId,
      expectedVersion,
    });
    const [before] = await requireFields(ctx, tx, target.form, [fieldId], () => 'fieldId');
    const after = applyUpdate(before as SignatureField, change, await findSigners(tx, target.draft));
    requirePage(target.document, after.pageIndex, 'pageIndex');
    await tx.prisma.signatureField.update({ where: { id: fieldId }, data: after });
    await touchForm(tx, formId);
    const data: Prisma.InputJsonObject = { fieldId, ...changes(before as SignatureField, after) };
    await recordEvents(ctx, tx, [subjectEvent(target.document, 'document.signatureFieldUpdated', data)]);
    return (await rereadFields(ctx, tx, [{ id: fieldId }]))[0] as SignatureField;
  });
}

type FieldUpdate = Omit<z.output<typeof update>, keyof typeof formPath | 'fieldId' | 'expectedVersion'>;

const applyUpdate = (
  before: SignatureField,
  change: FieldUpdate,
  signers: readonly SignatureRecipient[],
) => ({
  type: change.type ?? before.type,
  pageIndex: change.pageIndex ?? before.pageIndex,
  x: change.x ?? before.x,
  y: change.y ?? before.y,
  width: change.width ?? before.width,
  height: change.height ?? before.height,
  required: change.required ?? before.required,
  label: change.label == null ? before.label : change.label || null,
  recipientId:
    change.recipientId == null && change.recipientRank == null
      ? before.recipientId
      : requireSignerId(signers, change),
});

const deletion = z.strictObject({ ...formPath, fieldIds: z.array(z.string()).nullish() });

/**
 * Deletes fields of a form, all of them without fieldIds. Returns their ids. Throws NOT_FOUND, or CONFLICT once signing
 * has begun.
 */
export function deleteSignatureFields(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { fieldIds, ...target } = parse(deletion, input);
  if (fieldIds) requireBatchSize(fieldIds, ctx.limits.batchMax, 'fieldIds');
  return inTransaction(ctx.db, async (tx) => {
    const { form, document } = await requireEditableForm(ctx, tx, target);
    const ids = fieldIds ? [...new Set(fieldIds)] : await deleteAllFields(tx, form);
    if (fieldIds) await requireFields(ctx, tx, form, ids, positionIn('fieldIds', fieldIds));
    await tx.prisma.signatureField.deleteMany({ where: { id: { in: ids } } });
    await touchForm(tx, form.id);
    const data = { formId: form.id, before: { fieldIds: ids } };
    await recordEvents(ctx, tx, [subjectEvent(document, 'document.signatureFieldsDeleted', data)]);
    return ids;
  });
}

async function requireFields(
  ctx: Context,
  tx: Transaction,
  form: SignatureForm,
  ids: string[],
  pathOf: PathOf,
) {
  const fields = await findSignatureFields(ctx, ids, tx);
  const own = fields.filter(({ formId }) => formId === form.id);
  requireFound('Signature field', ids, own, pathOf);
  return fields;
}

const rereadFields = async (ctx: Context, tx: Transaction, rows: readonly { id: string }[]) =>
  inOrderOf(
    await findSignatureFields(
      ctx,
      rows.map(({ id }) => id),
      tx,
    ),
    rows,
  );
