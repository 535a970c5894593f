import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { SignatureFieldType } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { changedNow, requireVersion } from '../kernel/version.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { label, MAX_FIELDS, pageIndex, position, rank } from './signature-field.ts';
import { findSignatureRecipients } from './signature-session.ts';
import {
  findSignatureTemplates,
  findTemplateFields,
  type SignatureTemplate,
  type TemplateField,
} from './signature-template.ts';

const creation = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  templates: z.array(z.strictObject({ name })),
});

/** Creates templates without fields, all or nothing, and returns them in input order. Requires the role EDITOR. */
export function createSignatureTemplates(
  ctx: Context,
  input: z.input<typeof creation>,
): Promise<SignatureTemplate[]> {
  const { projectId, organizationId: pathOrganizationId, templates } = parse(creation, input);
  requireBatchSize(templates, ctx.limits.batchMax, 'templates');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(
      ctx,
      tx,
      projectId,
      'changeSignatureTemplates',
      pathOrganizationId,
    );
    const rows = templates.map(({ name }) => ({
      organizationId,
      id: newId('SignatureFormTemplate'),
      projectId,
      name,
      nameKey: normalizedKey(name),
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.signatureFormTemplate.createMany({ data: rows });
    await recordEvents(
      ctx,
      tx,
      rows.map((row) => subjectEvent(row, 'signatureTemplate.created', { after: { name: row.name } })),
    );
    return inOrderOf(
      await findSignatureTemplates(
        ctx,
        rows.map(({ id }) => id),
        tx,
      ),
      rows,
    );
  });
}

const templatePath = { ...projectPath, templateId: z.string() };

/**
 * Returns the template, its row locked until the transaction ends. Throws NOT_FOUND, FORBIDDEN, or CONFLICT for another
 * version.
 */
async function requireTemplate(
  ctx: Context,
  tx: Transaction,
  {
    templateId,
    expectedVersion,
    ...path
  }: ProjectPath & { templateId: string; expectedVersion?: number | null },
): Promise<SignatureTemplate> {
  await tx.query(sql`SELECT id FROM signature_form_templates WHERE id = ${templateId} FOR UPDATE`);
  const [template] = await findSignatureTemplates(ctx, [templateId], tx);
  if (!template || !isInPath(template, path)) throw notFound('Signature template');
  await requireProject(ctx, tx, template.projectId, 'changeSignatureTemplates');
  requireVersion(template, expectedVersion);
  return template;
}

const update = z.strictObject({
  ...templatePath,
  name: name.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Renames a template. Members that are absent or null keep their value. Requires the role EDITOR. */
export function updateSignatureTemplate(
  ctx: Context,
  input: z.input<typeof update>,
): Promise<SignatureTemplate> {
  const { name, ...target } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireTemplate(ctx, tx, target);
    const after = { name: name ?? before.name };
    await tx.prisma.signatureFormTemplate.update({
      where: { id: before.id },
      data: { ...after, nameKey: normalizedKey(after.name), ...changedNow() },
    });
    await recordEvents(ctx, tx, [subjectEvent(before, 'signatureTemplate.updated', changes(before, after))]);
    return (await findSignatureTemplates(ctx, [before.id], tx))[0] as SignatureTemplate;
  });
}

const deletion = z.strictObject(templatePath);

/** Deletes a template and returns its id. Forms that it was applied to keep their fields. Requires the role EDITOR. */
export function deleteSignatureTemplate(ctx: Context, input: z.input<typeof deletion>): Promise<string> {
  const target = parse(deletion, input);
  return inTransaction(ctx.db, async (tx) => {
    const template = await requireTemplate(ctx, tx, target);
    const { organizationId, id } = template;
    await tx.prisma.signatureForm.updateMany({
      where: { organizationId, templateId: id },
      data: { templateId: null },
    });
    await tx.prisma.signatureFormTemplate.delete({ where: { id } });
    const data = { before: { name: template.name } };
    await recordEvents(ctx, tx, [subjectEvent(template, 'signatureTemplate.deleted', data)]);
    return id;
  });
}

const addition = z.strictObject({
  ...templatePath,
  clearExisting: z.boolean().nullish(),
  fields: z.array(
    z.strictObject({
      type: z.enum(SignatureFieldType),
      recipientRank: rank.nullish(),
      recipientId: z.string().nullish(),
      label: label.nullish(),
      rank: z.int().min(0).max(1_000_000).nullish(),
      pageIndex,
      x: position,
      y: position,
      widthPercent: z.number().min(0).max(100).nullish(),
    }),
  ),
});

/**
 * Appends fields to a template; with clearExisting they replace its fields, and the list may be empty. A field belongs
 * to a rank of signers: recipientRank, the rank of the signer recipientId, or 1. Throws BAD_USER_INPUT above
 * MAX_FIELDS.
 */
export function addTemplateFields(ctx: Context, input: z.input<typeof addition>): Promise<TemplateField[]> {
  const { fields, clearExisting, ...target } = parse(addition, input);
  if (!clearExisting || fields.length > 0) requireBatchSize(fields, ctx.limits.batchMax, 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const template = await requireTemplate(ctx, tx, target);
    const where = { organizationId: template.organizationId, templateId: template.id };
    const removedIds = clearExisting ? await deleteAllFields(tx, where) : [];
    const { _max, _count } = await tx.prisma.signatureTemplateField.aggregate({
      where,
      _max: { rank: true },
      _count: true,
    });
    if (_count + fields.length > MAX_FIELDS)
      throw badValue('fields', `a template has at most ${MAX_FIELDS} fields`);
    const ranks = await resolveRanks(ctx, tx, template, fields);
    const rows = fields.map(({ recipientId: _, label, rank, ...field }, index) => ({
      ...field,
      ...where,
      id: newId('SignatureTemplateField'),
      recipientRank: ranks[index] as number,
      label: label || null,
      rank: rank ?? (_max.rank ?? -1) + 1 + index,
    }));
    await tx.prisma.signatureTemplateField.createMany({ data: rows });
    await tx.prisma.signatureFormTemplate.update({
      where: { id: template.id },
      data: changedNow(),
    });
    const fieldIds = rows.map(({ id }) => id);
    const data = {
      ...(removedIds.length > 0 && { before: { fieldIds: removedIds } }),
      after: { fieldIds },
    };
    await recordEvents(ctx, tx, [subjectEvent(template, 'signatureTemplate.fieldsAdded', data)]);
    return inOrderOf(await findTemplateFields(ctx, fieldIds, tx), rows);
  });
}

/** Deletes the fields of a template, and returns their ids. */
async function deleteAllFields(
  tx: Transaction,
  where: { organizationId: string; templateId: string },
): Promise<string[]> {
  const fields = await tx.prisma.signatureTemplateField.findMany({ where, select: { id: true } });
  await tx.prisma.signatureTemplateField.deleteMany({ where });
  return fields.map(({ id }) => id);
}

type NewField = z.output<typeof addition>['fields'][number];

/** Returns the rank of each field. Throws NOT_FOUND for a signer of another organization. */
async function resolveRanks(
  ctx: Context,
  tx: Transaction,
  { organizationId }: SignatureTemplate,
  fields: readonly NewField[],
): Promise<number[]> {
  const recipientIds = [...new Set(fields.flatMap(({ recipientId }) => recipientId || []))];
  const recipients = await findSignatureRecipients(ctx, recipientIds, tx);
  return fields.map(({ recipientId, recipientRank }, index) => {
    if (!recipientId) return recipientRank ?? 1;
    const recipient = recipients.find(({ id }) => id === recipientId);
    if (recipient?.organizationId !== organizationId)
      throw notFound('Signature recipient', `fields.${index}.recipientId`);
    return recipient.rank;
  });
}
