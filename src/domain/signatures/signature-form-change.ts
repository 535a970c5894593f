import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import type { Document } from '../documents/document.ts';
import {
  IN_RECYCLE_BIN,
  newEvent,
  type ProjectPath,
  projectPath,
  requireDocuments,
  requireState,
} from '../documents/document-batch.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { changedNow, requireVersion } from '../kernel/version.ts';
import { findFormsOfDocuments, findSignatureForms, type SignatureForm } from './signature-form.ts';
import { findCurrentSessions, type SignatureSession } from './signature-session.ts';
import { findSignatureTemplates } from './signature-template.ts';

const opening = z.strictObject({ ...projectPath, documentId: z.string() });

/** The form of a document; made when there is none, which takes the role EDITOR in the project and an active document. */
export function ensureSignatureForm(ctx: Context, input: z.input<typeof opening>): Promise<SignatureForm> {
  const { documentId, ...within } = parse(opening, input);
  return inTransaction(ctx.db, async (tx) => {
    const document = await requireSignable(ctx, tx, documentId, within);
    const [known] = await findFormsOfDocuments(ctx, [documentId], tx);
    if (known) return known;
    const { organizationId, projectId } = document;
    const id = newId('SignatureForm');
    await tx.prisma.signatureForm.create({
      data: { organizationId, id, projectId, documentId, createdById: ctx.viewer.userId },
    });
    await recordEvents(ctx, tx, [newEvent(document, 'document.signatureFormCreated', { formId: id })]);
    return (await findSignatureForms(ctx, [id], tx))[0] as SignatureForm;
  });
}

/**
 * The document, held until the transaction ends: what happens to its signatures, happens one after the other. Throws
 * NOT_FOUND, FORBIDDEN, or CONFLICT when it is in the recycle bin or its project disabled.
 */
export async function requireSignable(
  ctx: Context,
  tx: Transaction,
  documentId: string,
  within: ProjectPath,
): Promise<Document> {
  const [document] = (await requireDocuments(ctx, tx, [documentId], within, 'EDITOR')) as [Document];
  requireState([document], 'ACTIVE', IN_RECYCLE_BIN);
  return document;
}

/** Where a caller says a form is. */
export const formPath = { ...projectPath, documentId: z.string().nullish(), formId: z.string() };

interface FormPath extends ProjectPath {
  documentId?: string | null;
  formId: string;
  expectedVersion?: number | null;
}

/** The form, and its document, held. */
export async function requireForm(
  ctx: Context,
  tx: Transaction,
  { formId, documentId, expectedVersion, ...within }: FormPath,
): Promise<{ form: SignatureForm; document: Document }> {
  const [found] = await findSignatureForms(ctx, [formId], tx);
  if (!found || (documentId && documentId !== found.documentId)) throw notFound('Signature form');
  const document = await requireSignable(ctx, tx, found.documentId, within);
  const [form] = await findSignatureForms(ctx, [formId], tx);
  if (!form) throw notFound('Signature form');
  requireVersion(form, expectedVersion);
  return { form, document };
}

/** The form with the draft of a session that it is for, if there is one. Throws CONFLICT once signing has begun. */
export async function requireEditableForm(
  ctx: Context,
  tx: Transaction,
  wanted: FormPath,
): Promise<{ form: SignatureForm; document: Document; draft: SignatureSession | undefined }> {
  const { form, document } = await requireForm(ctx, tx, wanted);
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

/** Members left out, or null, stay as they are; an empty templateId takes it away. The fields are left alone. */
export function updateSignatureForm(ctx: Context, input: z.input<typeof update>): Promise<SignatureForm> {
  const { templateId, lastViewedPageIndex, ...wanted } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const { form, document } = await requireForm(ctx, tx, wanted);
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
      newEvent(document, 'document.signatureFormUpdated', { formId: form.id, ...changes(form, after) }),
    ]);
    return (await findSignatureForms(ctx, [form.id], tx))[0] as SignatureForm;
  });
}

/** Throws NOT_FOUND unless the template belongs to the project of the document; it stays until the transaction ends. */
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
