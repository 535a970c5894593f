import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { parse } from '../kernel/input.ts';
import { changedNow } from '../kernel/version.ts';
import { findSigners, requirePage } from './signature-field.ts';
import { deleteAllFields } from './signature-field-change.ts';
import { findSignatureForms, type SignatureForm } from './signature-form.ts';
import { formPath, requireEditableForm, requireProjectTemplate } from './signature-form-change.ts';

const application = z.strictObject({ ...formPath, templateId: z.string() });

/**
 * Replaces the fields of a form with those of a template. A field is assigned to the first signer of its rank, or to
 * nobody if the draft has none. Throws NOT_FOUND, BAD_USER_INPUT for a missing page, CONFLICT once signing has begun.
 */
export function applySignatureTemplate(
  ctx: Context,
  input: z.input<typeof application>,
): Promise<SignatureForm> {
  const { templateId, ...target } = parse(application, input);
  return inTransaction(ctx.db, async (tx) => {
    const { form, document, draft } = await requireEditableForm(ctx, tx, target);
    await requireProjectTemplate(ctx, tx, document, templateId);
    const { organizationId, id: formId } = form;
    const signers = await findSigners(tx, draft);
    const fields = await tx.prisma.signatureTemplateField.findMany({
      where: { organizationId, templateId },
      orderBy: [{ rank: 'asc' }, { id: 'asc' }],
    });
    for (const { pageIndex } of fields) requirePage(document, pageIndex, 'templateId');
    const removedIds = await deleteAllFields(tx, form);
    const rows = fields.map(({ type, recipientRank, label, pageIndex, x, y, widthPercent }, rank) => ({
      ...{ organizationId, id: newId('SignatureField'), formId },
      recipientId: signers.find((signer) => signer.rank === recipientRank)?.id ?? null,
      ...{ type, label, rank, pageIndex, x, y, width: widthPercent },
    }));
    await tx.prisma.signatureField.createMany({ data: rows });
    await tx.prisma.signatureForm.update({
      where: { id: formId },
      data: { templateId, ...changedNow() },
    });
    const data = {
      formId,
      before: { templateId: form.templateId, fieldIds: removedIds },
      after: { templateId, fieldIds: rows.map(({ id }) => id) },
    };
    await recordEvents(ctx, tx, [subjectEvent(document, 'document.signatureTemplateApplied', data)]);
    return (await findSignatureForms(ctx, [formId], tx))[0] as SignatureForm;
  });
}
