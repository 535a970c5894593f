import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma, ProjectRole } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { findDocuments } from '../documents/document.ts';
import type { ProjectPath } from '../documents/document-batch.ts';
import { requirePageCount } from '../documents/file-pages.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, forbidden, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { changedBy, requireVersion } from '../kernel/version.ts';
import { findProjects, inOrderOf, requireProject } from '../projects/project.ts';
import { type FormTemplate, findForms } from './form.ts';

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
  requireBatchSize(formTemplates, ctx.limits.batchMax, 'formTemplates');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'EDITOR', within);
    const rows = formTemplates.map(({ name, aspect }) => ({
      organizationId,
      id: newId('FormTemplate'),
      projectId,
      name,
      nameKey: normalizedKey(name),
      aspect: aspect ?? 0,
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.formTemplate.createMany({ data: rows });
    await recordEvents(
      ctx,
      tx,
      rows.map((row) => newEvent(row, 'form.created', { after: { name: row.name } })),
    );
    return rereadForms(ctx, tx, rows);
  });
}

const update = z.strictObject({
  ...place,
  formTemplateId: z.string(),
  name: name.nullish(),
  aspect: aspect.nullish(),
  documentId: z.string().nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Members left out, or null, stay as they are. documentId: a document of the project, whose PDF, as it now is, becomes what
 * the form is filled in on; '' for none. Takes the role EDITOR in the project.
 */
export function updateFormTemplate(ctx: Context, input: z.input<typeof update>): Promise<FormTemplate> {
  const { formTemplateId, name, aspect, documentId, expectedVersion, ...within } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const [before] = (await requireForms(ctx, tx, [formTemplateId], within, 'EDITOR')) as [FormTemplate];
    requireVersion(before, expectedVersion);
    const after = { name: name ?? before.name, aspect: aspect ?? before.aspect };
    const file = await fileOf(ctx, tx, before, documentId);
    await touchForm(ctx, tx, before, { ...after, ...file, nameKey: normalizedKey(after.name) });
    const changed = changes(before, { ...after, ...file });
    await recordEvents(ctx, tx, [newEvent(before, 'form.updated', changed)]);
    return (await rereadForms(ctx, tx, [before]))[0] as FormTemplate;
  });
}

/** All of a file is in memory while a form is filled in on it. */
const LARGEST = 50 * 2 ** 20;

async function fileOf(
  ctx: Context,
  tx: Transaction,
  form: FormTemplate,
  documentId: string | null | undefined,
): Promise<{ blobId: string | null; pageCount: number } | undefined> {
  if (documentId == null) return undefined;
  if (documentId === '') return { blobId: null, pageCount: 0 };
  const [document] = await findDocuments(ctx, [documentId], tx);
  if (document?.projectId !== form.projectId) throw notFound('Document', 'documentId');
  const { contentType, pageCount, size, revisionNumber: number } = document;
  if (contentType !== 'application/pdf')
    throw badInput('documentId: a form is filled in on a PDF that opens without a password', 'documentId');
  await requirePageCount(tx, document, 'no form can be filled in on it');
  if (size > LARGEST)
    throw badInput(`documentId: the file of a form may have ${LARGEST / 2 ** 20} MiB at most`, 'documentId');
  const { blobId } = await tx.prisma.revision.findFirstOrThrow({ where: { documentId, number } });
  return { blobId, pageCount: pageCount ?? 0 };
}

const deletion = z.strictObject({ ...place, formTemplateIds: z.array(z.string()) });

/** Deletes forms for good, with what was submitted; all or none. Takes the role ADMIN in the project. */
export function deleteFormTemplates(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { formTemplateIds, ...within } = parse(deletion, input);
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, within, 'ADMIN');
    const ids = forms.map(({ id }) => id);
    await tx.prisma.formTemplate.deleteMany({ where: { id: { in: ids } } });
    await recordEvents(
      ctx,
      tx,
      forms.map((form) => newEvent(form, 'form.deleted', { before: { name: form.name } })),
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
  { projectId, organizationId }: ProjectPath,
  least: ProjectRole,
): Promise<FormTemplate[]> {
  requireBatchSize(ids, ctx.limits.batchMax, 'formTemplateIds');
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
  return inOrderOf(
    forms,
    wanted.map((id) => ({ id })),
  );
}

export const touchForm = (
  ctx: Context,
  tx: Transaction,
  { id }: FormTemplate,
  data: Prisma.FormTemplateUncheckedUpdateInput = {},
) =>
  tx.prisma.formTemplate.update({
    where: { id },
    data: { ...data, ...changedBy(ctx) },
  });

export const newEvent = (
  { organizationId, projectId, id }: Pick<FormTemplate, 'organizationId' | 'projectId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
) => ({ organizationId, projectId, subjectId: id, kind, data });

/** The forms as they now are, in the order of these. */
export const rereadForms = async (ctx: Context, tx: Transaction, forms: readonly { id: string }[]) =>
  inOrderOf(
    await findForms(
      ctx,
      forms.map(({ id }) => id),
      tx,
    ),
    forms,
  );
