import { z } from 'zod';
import type { Transaction } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { Prisma, type ProjectRole } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';
import { newSecret } from '../lib/secret.ts';
import { changes, record } from './audit.ts';
import type { Context } from './context.ts';
import type { Place } from './document-batch.ts';
import { forbidden, notFound } from './errors.ts';
import { type FormTemplate, findForms } from './form.ts';
import { keyOf, name, parse, requireBatch } from './input.ts';
import { findProjects, inOrder, requireProject } from './project.ts';
import { requireVersion } from './version.ts';

const { sql } = Prisma;

const place = { organizationId: z.string().nullish(), projectId: z.string().nullish() };

/** Width by height of a page. */
const aspect = z.number().min(0).max(100);

const creation = z.strictObject({
  ...place,
  projectId: z.string(),
  formTemplates: z.array(z.strictObject({ name, aspect: aspect.nullish() })),
});

/** All or nothing, in the order given; each starts PRIVATE and empty. Takes the role EDITOR in the project. */
export function createFormTemplates(ctx: Context, input: z.input<typeof creation>): Promise<FormTemplate[]> {
  const { organizationId: within, projectId, formTemplates } = parse(creation, input);
  requireBatch(formTemplates, ctx.limits.batchMax, 'formTemplates');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'EDITOR', within);
    const rows = formTemplates.map(({ name, aspect }) => ({
      organizationId,
      id: newId('FormTemplate'),
      projectId,
      linkId: newSecret('dgl_'),
      name,
      nameKey: keyOf(name),
      aspect: aspect ?? 0,
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.formTemplate.createMany({ data: rows });
    await record(
      ctx,
      tx,
      rows.map((row) => occurrence(row, 'form.created', { after: { name: row.name } })),
    );
    return formsNow(ctx, tx, rows);
  });
}

const update = z.strictObject({
  ...place,
  formTemplateId: z.string(),
  name: name.nullish(),
  aspect: aspect.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Members left out, or null, stay as they are. Takes the role EDITOR in the project. */
export function updateFormTemplate(ctx: Context, input: z.input<typeof update>): Promise<FormTemplate> {
  const { formTemplateId, name, aspect, expectedVersion, ...within } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const [before] = (await requireForms(ctx, tx, [formTemplateId], within, 'EDITOR')) as [FormTemplate];
    requireVersion(before, expectedVersion);
    const after = { name: name ?? before.name, aspect: aspect ?? before.aspect };
    await touch(ctx, tx, before, { ...after, nameKey: keyOf(after.name) });
    await record(ctx, tx, [occurrence(before, 'form.updated', changes(before, after))]);
    return (await formsNow(ctx, tx, [before]))[0] as FormTemplate;
  });
}

const deletion = z.strictObject({ ...place, formTemplateIds: z.array(z.string()) });

/** Deletes forms for good, with what was submitted; all or none. Takes the role ADMIN in the project. */
export function deleteFormTemplates(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { formTemplateIds, ...within } = parse(deletion, input);
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, within, 'ADMIN');
    const ids = forms.map(({ id }) => id);
    await tx.prisma.formTemplate.deleteMany({ where: { id: { in: ids } } });
    await record(
      ctx,
      tx,
      forms.map((form) => occurrence(form, 'form.deleted', { before: { name: form.name } })),
    );
    return ids;
  });
}

/**
 * The forms, each once, in the order given, and held until the transaction ends. Throws NOT_FOUND, FORBIDDEN (also to
 * who sees a form only because it was shared with them), or CONFLICT when their project is disabled.
 */
export async function requireForms(
  ctx: Context,
  tx: Transaction,
  ids: readonly string[],
  { projectId, organizationId }: Place,
  least: ProjectRole,
): Promise<FormTemplate[]> {
  requireBatch(ids, ctx.limits.batchMax, 'formTemplateIds');
  const wanted = [...new Set(ids)];
  await tx.query(sql`SELECT t.id FROM form_templates t WHERE t.id = ANY(${wanted}) ORDER BY t.id FOR UPDATE`);
  const forms = (await findForms(ctx, wanted, tx)).filter(
    (form) =>
      (!projectId || form.projectId === projectId) &&
      (!organizationId || form.organizationId === organizationId),
  );
  if (forms.length < wanted.length) throw notFound('Form', 'formTemplateIds');
  const projectIds = [...new Set(forms.map((form) => form.projectId))];
  const projects = await findProjects(ctx, projectIds, tx);
  if (projects.length < projectIds.length)
    throw forbidden(`This takes the role ${least} in the project of the form.`);
  for (const each of projectIds) await requireProject(ctx, tx, each, least);
  return inOrder(
    forms,
    wanted.map((id) => ({ id })),
  );
}

export const touch = (
  ctx: Context,
  tx: Transaction,
  { id }: FormTemplate,
  data: Prisma.FormTemplateUncheckedUpdateInput = {},
) =>
  tx.prisma.formTemplate.update({
    where: { id },
    data: { ...data, modifiedById: ctx.viewer.userId, modifiedAt: new Date(), version: { increment: 1 } },
  });

export const occurrence = (
  { organizationId, projectId, id }: Pick<FormTemplate, 'organizationId' | 'projectId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
) => ({ organizationId, projectId, subjectId: id, kind, data });

/** The forms as they now are, in the order of these. */
export const formsNow = async (ctx: Context, tx: Transaction, forms: readonly { id: string }[]) =>
  inOrder(
    await findForms(
      ctx,
      forms.map(({ id }) => id),
      tx,
    ),
    forms,
  );
