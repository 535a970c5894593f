import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Prisma, SignatureFieldType, type SignatureRecipient } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import type { Document } from '../documents/document.ts';
import { newEvent } from '../documents/document-batch.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { name, parse, requireBatchSize } from '../kernel/input.ts';
import { changedNow } from '../kernel/version.ts';
import { inOrderOf } from '../projects/project.ts';
import { findSignatureFields, type SignatureField, type SignatureForm } from './signature-form.ts';
import { formPath, requireEditableForm } from './signature-form-change.ts';
import type { SignatureSession } from './signature-session.ts';

export const MAX_FIELDS = 1_000;

export const position = z.number().min(0).max(100_000);
export const pageIndex = z.int().min(0).max(100_000);
export const rank = z.int().min(0).max(1_000);
export const label = z.union([z.literal(''), name]);

const traits = {
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
      ...traits,
    }),
  ),
});

type NewField = z.output<typeof addition>['fields'][number];

/**
 * Places fields behind those there are, or in their stead with clearExisting, which then may be none at all. Each is
 * for a signer of the draft, named by id or by rank (the first of that rank); without one, for nobody yet.
 */
export function addSignatureFields(ctx: Context, input: z.input<typeof addition>): Promise<SignatureField[]> {
  const { fields, clearExisting, ...wanted } = parse(addition, input);
  if (!clearExisting || fields.length > 0) requireBatchSize(fields, ctx.limits.batchMax, 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const { form, document, draft } = await requireEditableForm(ctx, tx, wanted);
    const gone = clearExisting ? await clear(tx, form) : [];
    if (form.fieldCount - gone.length + fields.length > MAX_FIELDS)
      throw badInput(`fields: a form has at most ${MAX_FIELDS} fields`, 'fields');
    const made = await place(tx, { form, document, draft }, fields);
    await recordEvents(ctx, tx, [
      newEvent(document, 'document.signatureFieldsAdded', {
        formId: form.id,
        fieldIds: made.map(({ id }) => id),
        ...(gone.length > 0 && { removedFieldIds: gone }),
      }),
    ]);
    return reread(ctx, tx, made);
  });
}

interface Design {
  form: SignatureForm;
  document: Document;
  draft: SignatureSession | undefined;
}

async function place(tx: Transaction, { form, document, draft }: Design, fields: readonly NewField[]) {
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
      recipientId: signerFor(signers, { recipientId, recipientRank }, `fields.${index}`),
      label: label || null,
      required: required ?? true,
      rank: next + index,
    };
  });
  await tx.prisma.signatureField.createMany({ data: rows });
  await touchForm(tx, formId);
  return rows;
}

/** The signers of a draft, in the order in which they sign. */
export const findSigners = (
  tx: Transaction,
  draft: SignatureSession | undefined,
): Promise<SignatureRecipient[]> =>
  tx.prisma.signatureRecipient.findMany({
    where: { organizationId: draft?.organizationId ?? '', sessionId: draft?.id ?? '' },
    orderBy: [{ rank: 'asc' }, { id: 'asc' }],
  });

/** Throws NOT_FOUND for who is no signer of the draft. */
function signerFor(
  signers: readonly SignatureRecipient[],
  { recipientId, recipientRank }: Pick<NewField, 'recipientId' | 'recipientRank'>,
  at: string,
): string | null {
  if (!recipientId && recipientRank == null) return null;
  const found = signers.find(({ id, rank }) => (recipientId ? id === recipientId : rank === recipientRank));
  if (!found) throw notFound('Signature recipient', `${at}.${recipientId ? 'recipientId' : 'recipientRank'}`);
  return found.id;
}

/** Only where the number of pages is known. */
export function requirePage({ pageCount }: Document, index: number, at: string): void {
  if (pageCount !== null && index >= Math.max(pageCount, 1))
    throw badInput(`${at}: the document has ${pageCount} pages, counted from 0`, at);
}

export const touchForm = (tx: Transaction, id: string) =>
  tx.prisma.signatureForm.update({ where: { id }, data: changedNow() });

async function clear(tx: Transaction, { organizationId, id: formId }: SignatureForm): Promise<string[]> {
  const where = { organizationId, formId };
  const gone = await tx.prisma.signatureField.findMany({ where, select: { id: true } });
  await tx.prisma.signatureField.deleteMany({ where });
  return gone.map(({ id }) => id);
}

const update = z.strictObject({
  ...formPath,
  fieldId: z.string(),
  type: z.enum(SignatureFieldType).nullish(),
  pageIndex: pageIndex.nullish(),
  x: position.nullish(),
  y: position.nullish(),
  ...traits,
  expectedVersion: z.int().nullish(),
});

/** Members left out, or null, stay as they are; an empty recipientId or label takes it away. */
export function updateSignatureField(ctx: Context, input: z.input<typeof update>): Promise<SignatureField> {
  const { organizationId, projectId, documentId, formId, expectedVersion, fieldId, ...said } = parse(
    update,
    input,
  );
  return inTransaction(ctx.db, async (tx) => {
    const design = await requireEditableForm(ctx, tx, {
      organizationId,
      projectId,
      documentId,
      formId,
      expectedVersion,
    });
    const [before] = await requireFields(ctx, tx, design.form, [fieldId], 'fieldId');
    const after = changed(before as SignatureField, said, await findSigners(tx, design.draft));
    requirePage(design.document, after.pageIndex, 'pageIndex');
    await tx.prisma.signatureField.update({ where: { id: fieldId }, data: after });
    await touchForm(tx, formId);
    const data: Prisma.InputJsonObject = { fieldId, ...changes(before as SignatureField, after) };
    await recordEvents(ctx, tx, [newEvent(design.document, 'document.signatureFieldUpdated', data)]);
    return (await reread(ctx, tx, [{ id: fieldId }]))[0] as SignatureField;
  });
}

type Said = Omit<z.output<typeof update>, keyof typeof formPath | 'fieldId' | 'expectedVersion'>;

const changed = (before: SignatureField, said: Said, signers: readonly SignatureRecipient[]) => ({
  type: said.type ?? before.type,
  pageIndex: said.pageIndex ?? before.pageIndex,
  x: said.x ?? before.x,
  y: said.y ?? before.y,
  width: said.width ?? before.width,
  height: said.height ?? before.height,
  required: said.required ?? before.required,
  label: said.label == null ? before.label : said.label || null,
  recipientId:
    said.recipientId == null && said.recipientRank == null
      ? before.recipientId
      : signerFor(signers, said, 'field'),
});

const deletion = z.strictObject({ ...formPath, fieldIds: z.array(z.string()).nullish() });

/** Takes fields off a form; without fieldIds, all of them. Gives their ids. */
export function deleteSignatureFields(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { fieldIds, ...wanted } = parse(deletion, input);
  if (fieldIds) requireBatchSize(fieldIds, ctx.limits.batchMax, 'fieldIds');
  return inTransaction(ctx.db, async (tx) => {
    const { form, document } = await requireEditableForm(ctx, tx, wanted);
    const ids = fieldIds ? [...new Set(fieldIds)] : await clear(tx, form);
    if (fieldIds) await requireFields(ctx, tx, form, ids, 'fieldIds');
    await tx.prisma.signatureField.deleteMany({ where: { id: { in: ids } } });
    await touchForm(tx, form.id);
    const data = { formId: form.id, fieldIds: ids };
    await recordEvents(ctx, tx, [newEvent(document, 'document.signatureFieldsDeleted', data)]);
    return ids;
  });
}

async function requireFields(ctx: Context, tx: Transaction, form: SignatureForm, ids: string[], at: string) {
  const found = await findSignatureFields(ctx, ids, tx);
  if (found.filter(({ formId }) => formId === form.id).length < ids.length)
    throw notFound('Signature field', at);
  return found;
}

const reread = async (ctx: Context, tx: Transaction, rows: readonly { id: string }[]) =>
  inOrderOf(
    await findSignatureFields(
      ctx,
      rows.map(({ id }) => id),
      tx,
    ),
    rows,
  );
