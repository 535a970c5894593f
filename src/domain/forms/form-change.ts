import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { type ProjectAction, roleRefusal } from '../access/project-action.ts';
import { findDocuments } from '../documents/document.ts';
import { requirePageCount } from '../documents/file-pages.ts';
import { withPageCount } from '../documents/pending-pages.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { changedBy, requireVersion } from '../kernel/version.ts';
import { findProjects, inOrderOf, requireProject } from '../projects/project.ts';
import { type FormTemplate, findForms } from './form.ts';

/** Width of a page divided by its height; 0 if unknown. */
const aspect = z.number().min(0).max(100);

const creation = z.strictObject({
  ...projectPath,
  projectId: z.string(),
  formTemplates: z.array(z.strictObject({ name, aspect: aspect.nullish() })),
});

/**
 * Creates forms, all or nothing, PRIVATE and without fields, and returns them in input order. Requires the role EDITOR.
 */
export function createFormTemplates(ctx: Context, input: z.input<typeof creation>): Promise<FormTemplate[]> {
  const { organizationId: pathOrganizationId, projectId, formTemplates } = parse(creation, input);
  requireBatchSize(formTemplates, ctx.limits.batchMax, 'formTemplates');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'changeForms', pathOrganizationId);
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
      rows.map((row) => subjectEvent(row, 'form.created', { after: { name: row.name } })),
    );
    return rereadForms(ctx, tx, rows);
  });
}

const update = z.strictObject({
  ...projectPath,
  formTemplateId: z.string(),
  name: name.nullish(),
  aspect: aspect.nullish(),
  documentId: z.string().nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Changes a form. Members that are absent or null keep their value. documentId: a document of the project whose current
 * PDF becomes the form's file; '' removes it. Requires the role EDITOR. Throws NOT_FOUND, BAD_USER_INPUT for a file
 * that cannot be used, CONFLICT for another version.
 */
export function updateFormTemplate(ctx: Context, input: z.input<typeof update>): Promise<FormTemplate> {
  const change = parse(update, input);
  return withPageCount(ctx, () => inTransaction(ctx.db, (tx) => saveForm(ctx, tx, change)));
}

async function saveForm(
  ctx: Context,
  tx: Transaction,
  { formTemplateId, name, aspect, documentId, expectedVersion, ...path }: z.output<typeof update>,
): Promise<FormTemplate> {
  const before = await requireForm(ctx, tx, formTemplateId, path, 'changeForms');
  requireVersion(before, expectedVersion);
  const after = { name: name ?? before.name, aspect: aspect ?? before.aspect };
  const file = await findFile(ctx, tx, before, documentId);
  await touchForm(ctx, tx, before, { ...after, ...file, nameKey: normalizedKey(after.name) });
  const changed = changes(before, { ...after, ...file });
  await recordEvents(ctx, tx, [subjectEvent(before, 'form.updated', changed)]);
  return (await rereadForms(ctx, tx, [before]))[0] as FormTemplate;
}

/** Bytes of a form's file: all of it is in memory while answers are drawn on it. */
const MAX_FILE_BYTES = 50 * 2 ** 20;

/** The columns of the form's file: undefined to keep it. Throws NOT_FOUND, BAD_USER_INPUT. */
async function findFile(
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
    throw badValue('documentId', 'a form is filled in on a PDF that opens without a password');
  await requirePageCount(tx, document, 'no form can be filled in on it');
  if (size > MAX_FILE_BYTES)
    throw badValue('documentId', `the file of a form may have ${MAX_FILE_BYTES / 2 ** 20} MiB at most`);
  const { blobId } = await tx.prisma.revision.findFirstOrThrow({ where: { documentId, number } });
  return { blobId, pageCount: pageCount ?? 0 };
}

const deletion = z.strictObject({ ...projectPath, formTemplateIds: z.array(z.string()) });

/** Deletes forms with their submissions, all or nothing, and returns their ids. Requires the role ADMIN. */
export function deleteFormTemplates(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { formTemplateIds, ...path } = parse(deletion, input);
  return inTransaction(ctx.db, async (tx) => {
    const forms = await requireForms(ctx, tx, formTemplateIds, path, 'deleteForms');
    const ids = forms.map(({ id }) => id);
    await tx.prisma.formTemplate.deleteMany({ where: { id: { in: ids } } });
    await recordEvents(
      ctx,
      tx,
      forms.map((form) => subjectEvent(form, 'form.deleted', { before: { name: form.name } })),
    );
    return ids;
  });
}

/**
 * Returns the forms, each once, in input order, their rows locked until the transaction ends. Throws NOT_FOUND, FORBIDDEN
 * (also if a form is visible only because it is shared with the viewer), CONFLICT if a project is disabled.
 */
export async function requireForms(
  ctx: Context,
  tx: Transaction,
  ids: readonly string[],
  path: ProjectPath,
  action: ProjectAction,
  pathOf = positionIn('formTemplateIds', ids),
): Promise<FormTemplate[]> {
  requireBatchSize(ids, ctx.limits.batchMax, 'formTemplateIds');
  const distinctIds = [...new Set(ids)];
  await tx.query(
    sql`SELECT t.id FROM form_templates t WHERE t.id ${sql.any(distinctIds)} ORDER BY t.id FOR UPDATE`,
  );
  const forms = (await findForms(ctx, distinctIds, tx)).filter((form) => isInPath(form, path));
  requireFound('Form', distinctIds, forms, pathOf);
  const projectIds = [...new Set(forms.map((form) => form.projectId))];
  const projects = await findProjects(ctx, projectIds, tx);
  if (projects.length < projectIds.length) throw roleRefusal(action, ' of the form.');
  for (const each of projectIds) await requireProject(ctx, tx, each, action);
  return inOrderOf(
    forms,
    distinctIds.map((id) => ({ id })),
  );
}

/** Updates columns of a form, its version and its time of change. */
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

/** Reads forms again, in the same order. */
export const rereadForms = async (ctx: Context, tx: Transaction, forms: readonly { id: string }[]) =>
  inOrderOf(
    await findForms(
      ctx,
      forms.map(({ id }) => id),
      tx,
    ),
    forms,
  );

/** Like requireForms, for the one form that the input names at `formTemplateId`. */
export async function requireForm(
  ctx: Context,
  tx: Transaction,
  id: string,
  path: ProjectPath,
  action: ProjectAction,
): Promise<FormTemplate> {
  const [form] = await requireForms(ctx, tx, [id], path, action, () => 'formTemplateId');
  return form as FormTemplate;
}
