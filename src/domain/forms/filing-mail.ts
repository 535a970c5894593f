import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { FormSubmission } from '../../generated/prisma/client.ts';
import { stillEditsProjectOf } from '../access/access-cause.ts';
import { visibleFormSubmissions } from '../access/access-form.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { isInFilingState } from './filing-state.ts';

type FormPath = Pick<FormSubmission, 'organizationId' | 'formTemplateId'>;

/**
 * Queues a mail to who created the form that a submission could not be filed, or, if they do not edit its project any more,
 * to the owners of the organization. One a day for each form: the mail counts all that failed.
 */
export async function queueUnfiledMails(
  tx: Transaction,
  { organizationId, formTemplateId }: FormPath,
): Promise<void> {
  const [form] = await tx.query<{ createdById: string; day: string }>(
    sql`SELECT t.created_by_id, (now() AT TIME ZONE 'UTC')::date::text AS day
      FROM ${tables.formTemplates.from} WHERE t.id = ${formTemplateId}`,
  );
  if (!form) return;
  const { createdById, day } = form;
  const owners = await tx.query<{ id: string; email: string }>(sql`WITH creator AS (
      SELECT u.id, u.email FROM ${tables.formTemplates.from} JOIN users u ON u.id = t.created_by_id
      WHERE t.id = ${formTemplateId} AND ${stillEditsProjectOf(tables.formTemplates, createdById)}
    )
    SELECT id, email FROM creator UNION ALL
    SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND m.role = 'OWNER' AND NOT EXISTS (SELECT FROM creator)`);
  await queueMails(
    tx,
    owners.map(({ id: toUserId, email: to }) => ({
      ...{ kind: 'FORM_NOT_FILED', organizationId, subjectId: formTemplateId, to, toUserId },
      dedupeKey: `form.notFiled:${formTemplateId}:${toUserId}:${day}`,
    })),
  );
}

/** What the mail says: the submissions of a form that have failed, and why the last one did. */
interface UnfiledForm {
  formName: string;
  projectName: string;
  count: number;
  error: string;
}

/** The failed submissions that the reader of the mail sees; undefined if there are none by now. */
export async function findUnfiledForm(
  db: Database,
  viewer: Viewer,
  formTemplateId: string,
): Promise<UnfiledForm | undefined> {
  const [form] =
    await db.query<UnfiledForm>(sql`SELECT t.name AS form_name, p.name AS project_name, x.count, x.error
    FROM ${tables.formTemplates.from}
    JOIN projects p ON p.organization_id = t.organization_id AND p.id = t.project_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, (array_agg(s.filing_error ORDER BY s.filing_failed_at DESC))[1] AS error
      FROM ${tables.formSubmissions.from} WHERE s.organization_id = t.organization_id AND s.form_template_id = t.id
        AND ${isInFilingState(tables.formSubmissions, 'FAILED')} AND ${visibleFormSubmissions(viewer, tables.formSubmissions)}
    ) x WHERE t.id = ${formTemplateId} AND x.count > 0`);
  return form;
}
