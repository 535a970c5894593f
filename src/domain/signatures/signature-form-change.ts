import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import type { Document } from '../documents/document.ts';
import { IN_RECYCLE_BIN, requireDocument, requireState } from '../documents/document-batch.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { changedNow, requireVersion } from '../kernel/version.ts';
import { findFormsOfDocuments, findSignatureForms, type SignatureForm } from './signature-form.ts';
import { findCurrentSessions, type SignatureSession } from './signature-session.ts';
import { findSignatureTemplates } from './signature-template.ts';

const opening = z.strictObject({ ...projectPath, documentId: z.string() });

/** Returns the form of a document, creating it if there is none. Requires the role EDITOR and an active document. */
export function ensureSignatureForm(ctx: Context, input: z.input<typeof opening>): Promise<SignatureForm> {
  const { documentId, ...path } = parse(opening, input);
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, path);
    const [existing] = await findFormsOfDocuments(ctx, [documentId], tx);
    if (existing) return existing;
    const { organizationId, projectId } = document;
    const id = newId('SignatureForm');
    await tx.prisma.signatureForm.create({
      data: { organizationId, id, projectId, documentId, createdById: ctx.viewer.userId },
    });
    await recordEvents(ctx, tx, [subjectEvent(document, 'document.signatureFormCreated', { formId: id })]);
    return (await findSignatureForms(ctx, [id], tx))[0] as SignatureForm;
  });
}

/**
 * Returns the document, its row locked until the transaction ends, so that changes of its signatures are serialized.
 * Throws NOT_FOUND, FORBIDDEN, or CONFLICT if it is in the recycle bin or its project is disabled.
 */
export async function requireSignable(
  ctx: Context,
  tx: Transaction,
  documentId: string,
  path: ProjectPath,
  at?: string,
): Promise<Document> {
  const document = await requireDocument(ctx, tx, documentId, path, 'requestSignatures', at);
  requireState([document], 'ACTIVE', IN_RECYCLE_BIN);
  return document;
}

/** Input that identifies a form; every member given must match. */
export const formPath = { ...projectPath, documentId: z.string().nullish(), formId: z.string() };

interface FormPath extends ProjectPath {
  documentId?: string | null;
  formId: string;
  expectedVersion?: number | null;
}

/** Returns the form with its locked document. Throws NOT_FOUND, or CONFLICT for another version than expected. */
async function requireForm(
  ctx: Context,
  tx: Transaction,
  { formId, documentId, expectedVersion, ...path }: FormPath,
): Promise<{ form: SignatureForm; document: Document }> {
  const [unlocked] = await findSignatureForms(ctx, [formId], tx);
  if (!unlocked || (documentId && documentId !== unlocked.documentId))
    throw notFound('Signature form', 'formId');
  const document = await requireSignable(ctx, tx, unlocked.documentId, path, 'formId');
  const [form] = await findSignatureForms(ctx, [formId], tx);
  if (!form) throw notFound('Signature form', 'formId');
  requireVersion(form, expectedVersion);
  return { form, document };
}

/** Returns the form with its locked document and its draft session, if any. Throws CONFLICT once signing has begun. */
export async function requireEditableForm(
  ctx: Context,
  tx: Transaction,
  target: FormPath,
): Promise<{ form: SignatureForm; document: Document; draft: SignatureSession | undefined }> {
  const { form, document } = await requireForm(ctx, tx, target);
  const [draft] = await findCurrentSessions(ctx, [document.id], tx);
  if (draft && draft.state !== 'DRAFT')
    throw conflict('The fields stay as they are once signing has begun; reset the session first.');
  return { form, document, draft };
}

const update = z.strictObject({
  ...formPath,
  templateId: z.string().nullish(),
  lastViewedPageIndex: z.int().min(0).max(100_000).nullish(),
  expectedVersion: z.int().nullish(),
});

/** Members that are absent or null keep their value; an empty templateId removes it. Fields are not changed. */
export function updateSignatureForm(ctx: Context, input: z.input<typeof update>): Promise<SignatureForm> {
  const { templateId, lastViewedPageIndex, ...target } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const { form, document } = await requireForm(ctx, tx, target);
    if (templateId) await requireProjectTemplate(ctx, tx, document, templateId);
    const after = {
      templateId: templateId === '' ? null : (templateId ?? form.templateId),
      lastViewedPageIndex: lastViewedPageIndex ?? form.lastViewedPageIndex,
    };
    await tx.prisma.signatureForm.update({
      where: { id: form.id },
      data: { ...after, ...changedNow() },
    });
    await recordEvents(ctx, tx, [
      subjectEvent(document, 'document.signatureFormUpdated', { formId: form.id, ...changes(form, after) }),
    ]);
    return (await findSignatureForms(ctx, [form.id], tx))[0] as SignatureForm;
  });
}

/**
 * Locks the template against deletion until the transaction ends. Throws NOT_FOUND unless it is of the document's
 * project.
 */
export async function requireProjectTemplate(
  ctx: Context,
  tx: Transaction,
  { projectId }: Document,
  templateId: string,
): Promise<void> {
  await tx.query(sql`SELECT id FROM signature_form_templates WHERE id = ${templateId} FOR KEY SHARE`);
  const [template] = await findSignatureTemplates(ctx, [templateId], tx);
  if (template?.projectId !== projectId) throw notFound('Signature template', 'templateId');
}
