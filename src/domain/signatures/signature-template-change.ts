import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Prisma, SignatureFieldType } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { type ProjectPath, projectPath } from '../documents/document-batch.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { changedNow, requireVersion } from '../kernel/version.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { label, MAX_FIELDS, pageIndex, position, rank } from './signature-field-change.ts';
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

/** All or nothing, in the order given; each starts without fields. Takes the role EDITOR in the project. */
export function createSignatureTemplates(
  ctx: Context,
  input: z.input<typeof creation>,
): Promise<SignatureTemplate[]> {
  const { projectId, organizationId: within, templates } = parse(creation, input);
  requireBatchSize(templates, ctx.limits.batchMax, 'templates');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'EDITOR', within);
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
      rows.map((row) => occurrence(row, 'signatureTemplate.created', { after: { name: row.name } })),
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

const occurrence = (
  { organizationId, projectId, id }: Pick<SignatureTemplate, 'organizationId' | 'projectId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
) => ({ organizationId, projectId, subjectId: id, kind, data });

const templatePlace = { ...projectPath, templateId: z.string() };

/** The template, held until the transaction ends. */
export async function requireTemplate(
  ctx: Context,
  tx: Transaction,
  {
    templateId,
    organizationId,
    projectId,
    expectedVersion,
  }: ProjectPath & { templateId: string; expectedVersion?: number | null },
): Promise<SignatureTemplate> {
  await tx.query(sql`SELECT id FROM signature_form_templates WHERE id = ${templateId} FOR UPDATE`);
  const [template] = await findSignatureTemplates(ctx, [templateId], tx);
  if (
    !template ||
    (projectId && projectId !== template.projectId) ||
    (organizationId && organizationId !== template.organizationId)
  )
    throw notFound('Signature template');
  await requireProject(ctx, tx, template.projectId, 'EDITOR');
  requireVersion(template, expectedVersion);
  return template;
}

const update = z.strictObject({
  ...templatePlace,
  name: name.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Members left out, or null, stay as they are. */
export function updateSignatureTemplate(
  ctx: Context,
  input: z.input<typeof update>,
): Promise<SignatureTemplate> {
  const { name, ...wanted } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireTemplate(ctx, tx, wanted);
    const after = { name: name ?? before.name };
    await tx.prisma.signatureFormTemplate.update({
      where: { id: before.id },
      data: { ...after, nameKey: normalizedKey(after.name), ...changedNow() },
    });
    await recordEvents(ctx, tx, [occurrence(before, 'signatureTemplate.updated', changes(before, after))]);
    return (await findSignatureTemplates(ctx, [before.id], tx))[0] as SignatureTemplate;
  });
}

const deletion = z.strictObject(templatePlace);

/** Deletes a template; what was copied from it stays. Gives its id. */
export function deleteSignatureTemplate(ctx: Context, input: z.input<typeof deletion>): Promise<string> {
  const wanted = parse(deletion, input);
  return inTransaction(ctx.db, async (tx) => {
    const template = await requireTemplate(ctx, tx, wanted);
    const { organizationId, id } = template;
    await tx.prisma.signatureForm.updateMany({
      where: { organizationId, templateId: id },
      data: { templateId: null },
    });
    await tx.prisma.signatureFormTemplate.delete({ where: { id } });
    const data = { before: { name: template.name } };
    await recordEvents(ctx, tx, [occurrence(template, 'signatureTemplate.deleted', data)]);
    return id;
  });
}

const addition = z.strictObject({
  ...templatePlace,
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
 * Adds fields behind those there are, or in their stead with clearExisting, which then may be none at all. A field is
 * for a rank of signers: the one that is given, that of the signer who is named, or 1.
 */
export function addTemplateFields(ctx: Context, input: z.input<typeof addition>): Promise<TemplateField[]> {
  const { fields, clearExisting, ...wanted } = parse(addition, input);
  if (!clearExisting || fields.length > 0) requireBatchSize(fields, ctx.limits.batchMax, 'fields');
  return inTransaction(ctx.db, async (tx) => {
    const template = await requireTemplate(ctx, tx, wanted);
    const where = { organizationId: template.organizationId, templateId: template.id };
    if (clearExisting) await tx.prisma.signatureTemplateField.deleteMany({ where });
    const { _max, _count } = await tx.prisma.signatureTemplateField.aggregate({
      where,
      _max: { rank: true },
      _count: true,
    });
    if (_count + fields.length > MAX_FIELDS)
      throw badInput(`fields: a template has at most ${MAX_FIELDS} fields`, 'fields');
    const ranks = await ranksOf(ctx, tx, template, fields);
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
    const data = { fieldIds: rows.map(({ id }) => id), cleared: clearExisting ?? false };
    await recordEvents(ctx, tx, [occurrence(template, 'signatureTemplate.fieldsAdded', data)]);
    return inOrderOf(await findTemplateFields(ctx, data.fieldIds, tx), rows);
  });
}

type NewField = z.output<typeof addition>['fields'][number];

async function ranksOf(
  ctx: Context,
  tx: Transaction,
  { organizationId }: SignatureTemplate,
  fields: readonly NewField[],
): Promise<number[]> {
  const named = [...new Set(fields.flatMap(({ recipientId }) => recipientId || []))];
  const found = await findSignatureRecipients(ctx, named, tx);
  return fields.map(({ recipientId, recipientRank }, index) => {
    if (!recipientId) return recipientRank ?? 1;
    const recipient = found.find(({ id }) => id === recipientId);
    if (recipient?.organizationId !== organizationId)
      throw notFound('Signature recipient', `fields.${index}.recipientId`);
    return recipient.rank;
  });
}
