import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Field, FormField } from '../../generated/prisma/client.ts';
import { shorten } from '../../lib/text/shorten.js';
import type { AnswerPosition } from '../../pdf/draw/drawn-field.ts';
import { toValueRows } from '../fields/field-value.ts';
import { continuationOf } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import type { ReceivedFile } from '../uploads/upload-inspect.ts';
import { storeFiles } from '../uploads/upload-store.ts';
import { type Pdf, type StoredPdf, storedPdf } from './filing-pdf.ts';
import type { FilingServices } from './filing-state.ts';

/**
 * A submission that is not filed yet. authorId: the author of its document, who is the submitter, or the creator of the
 * form if the submitter has no account (submittedById is null then).
 */
export interface FilledForm {
  submissionId: string;
  organizationId: string;
  projectId: string;
  groupId: string;
  authorId: string;
  submittedById: string | null;
  /** The application that submitted the form for them. */
  clientId: string | null;
  formName: string;
  projectName: string;
  organizationName: string;
  submittedBy: string | null;
  submittedAt: Date;
  /** The PDF on which the answers are drawn; null without one. size: bytes. */
  file: { blobId: string; size: number } | null;
  /** All questions of the form in order, with their answers and their position on that PDF. */
  answers: { fieldId: string; label: string; values: string[]; position?: AnswerPosition }[];
}

/** Reads a submission to file; undefined if it was filed or deleted, or its project is being purged. */
export async function readFilledForm(db: Database, submissionId: string): Promise<FilledForm | undefined> {
  const [filled] = await db.query<Omit<FilledForm, 'answers'> & { formTemplateId: string }>(sql`SELECT
      s.id AS submission_id, s.organization_id, s.project_id, s.group_id, s.form_template_id, s.submitted_by_id, s.client_id,
      coalesce(s.submitted_by_id, t.created_by_id) AS author_id, t.name AS form_name, p.name AS project_name,
      o.name AS organization_name, u.name AS submitted_by, s.created_at AS submitted_at,
      CASE WHEN t.blob_id IS NOT NULL THEN json_build_object('blobId', f.id, 'size', f.size) END AS file
    FROM form_submissions s
    JOIN form_templates t ON t.organization_id = s.organization_id AND t.id = s.form_template_id
    JOIN projects p ON p.organization_id = s.organization_id AND p.id = s.project_id
    JOIN organizations o ON o.id = s.organization_id
    LEFT JOIN users u ON u.id = s.submitted_by_id
    LEFT JOIN blobs f ON f.organization_id = t.organization_id AND f.id = t.blob_id
    WHERE s.id = ${submissionId} AND s.document_id IS NULL AND p.purge_marked_at IS NULL`);
  if (!filled) return undefined;
  const { formTemplateId, ...rest } = filled;
  const answers = await db.query<AnswerRow>(sql`SELECT c.id AS field_id,
      coalesce(nullif(c.label, ''), c.name) AS label, b.page_index, b.x, b.y, b.width, b.font_size,
      coalesce((SELECT array_agg(v.text ORDER BY v.position) FROM form_submission_values v
        WHERE v.organization_id = b.organization_id AND v.form_field_id = b.id AND v.submission_id = ${submissionId}),
        '{}') AS values
    FROM form_fields b JOIN fields c ON c.organization_id = b.organization_id AND c.id = b.field_id
    WHERE b.organization_id = ${rest.organizationId} AND b.form_template_id = ${formTemplateId}
    ORDER BY b.rank, b.id`);
  return {
    ...rest,
    answers: answers.map(({ fieldId, label, values, ...layout }) => ({
      fieldId,
      label,
      values,
      position: answerPosition(layout),
    })),
  };
}

type Layout = Pick<FormField, 'pageIndex' | 'x' | 'y' | 'width' | 'fontSize'>;
type AnswerRow = Omit<FilledForm['answers'][number], 'position'> & Layout;

/** The position of a field on the PDF; undefined for one without a position (0, 0 without a width). */
const answerPosition = ({ x, y, width, ...layout }: Layout): AnswerPosition | undefined =>
  x || y || width
    ? { ...layout, x: Math.max(0, x), y: Math.max(0, y), width: width > 0 ? width : null }
    : undefined;

/**
 * Files the PDF of a submission as a document of the form's project, with the answers as its field values: one transaction
 * creates the document, unless another attempt has. The PDF is drawn once; a later attempt files what an earlier one stored.
 */
export async function fileFilledForm(
  services: FilingServices,
  filled: FilledForm,
  draw: () => Promise<Pdf>,
): Promise<void> {
  const stored = await storedPdf(services, filled, draw);
  if (stored) await inTransaction(services.db, (tx) => fileStored(services, tx, filled, stored));
}

/** Does nothing if the submission is filed already or was deleted, or if another attempt has replaced the PDF. */
async function fileStored(
  services: FilingServices,
  tx: Transaction,
  filled: FilledForm,
  stored: StoredPdf,
): Promise<void> {
  const ctx = contextOf(services, filled.authorId);
  const unfiled = await tx.query(sql`SELECT s.id FROM form_submissions s
    WHERE s.id = ${filled.submissionId} AND s.document_id IS NULL AND s.filing_upload_id = ${stored.upload.id}
    FOR UPDATE`);
  if (unfiled.length === 0) return;
  const file = receivedFile(filled, stored);
  await storeFiles(ctx, tx, filled.projectId, [file], {
    actor: continuationOf({
      userId: filled.submittedById,
      credentialId: null,
      clientId: filled.clientId,
      requestId: ctx.requestId,
    }),
    source: { formSubmissionId: filled.submissionId },
    complete: (documentIds) => completeDocument(tx, filled, documentIds.get(file.upload.id) as string),
  });
}

/** Writes what a document has as that of a submission, and marks the submission as filed. */
async function completeDocument(tx: Transaction, filled: FilledForm, documentId: string): Promise<void> {
  await tx.prisma.document.update({
    where: { id: documentId },
    data: { origin: 'FORM', groupId: filled.groupId },
  });
  await writeAnswers(tx, filled, documentId);
  await tx.prisma.formSubmission.update({
    where: { id: filled.submissionId },
    data: {
      ...{ documentId, filingNextAt: null, filingUploadId: null, filingPageCount: null },
      ...{ filingErrorCode: null, filingError: null, filingFailedAt: null },
    },
  });
}

const receivedFile = (
  { formName, submittedAt }: FilledForm,
  { upload, pageCount }: StoredPdf,
): ReceivedFile => ({
  at: 'files.0',
  uploadId: upload.id,
  name: `${shorten(formName, 200)} ${submittedAt.toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')}.pdf`,
  folderId: null,
  contentType: 'application/pdf',
  pageCount,
  pageStatus: 'READY',
  upload,
});

/** A context of the author without rights: sharing the form allowed the document. */
const contextOf = ({ db, storage, limits }: FilingServices, userId: string): Context => ({
  db,
  storage,
  limits,
  viewer: { userId, email: '', name: '', scopes: new Set(), credentialId: '', memberships: [] },
  requestId: 'form',
});

/** Stores the answers as field values, without the checks of a document: a form may allow other values. */
async function writeAnswers(tx: Transaction, { answers }: FilledForm, documentId: string): Promise<void> {
  const answered = answers.filter(({ values }) => values.length > 0);
  const fields = await tx.prisma.field.findMany({
    where: { id: { in: answered.map(({ fieldId }) => fieldId) }, onDocuments: true },
  });
  const byId = new Map<string, Field>(fields.map((field) => [field.id, field]));
  const answeredFieldIds = new Set<string>();
  const data = answered.flatMap(({ fieldId, values }) => {
    const field = byId.get(fieldId);
    if (!field || answeredFieldIds.has(fieldId)) return [];
    answeredFieldIds.add(fieldId);
    return toValueRows(field, documentId, { fieldId, values }, () => 'answers');
  });
  await tx.prisma.documentFieldValue.createMany({ data });
}
