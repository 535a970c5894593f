import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { FormSubmission as FormSubmissionRow } from '../../generated/prisma/client.ts';
import { editsProjectOf, visibleFormSubmissions, visibleFormTemplates } from '../access/access.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import { sortBy } from '../kernel/page.ts';

export type FormSubmission = FormSubmissionRow;

const ofForm = sql`s.organization_id = k.organization_id AND s.form_template_id = k.id`;

/** The submissions of a form. */
export const submissionsOfForm = projectListing<FormSubmission, object, 'CREATED_AT'>(
  {
    name: 'submissionsOfForm',
    select: () => sql`s.*`,
    sorts: { CREATED_AT: sortBy(sql`s.id`, sql`s.created_at`, 'timestamptz', (row) => row.createdAt) },
  },
  {
    ...{
      table: sql`form_submissions`,
      row: sql`s`,
      parentCondition: ofForm,
      matches: () => sql`true`,
      indexCondition: () => sql`true`,
    },
    projectId: sql`(SELECT t.project_id FROM form_templates t WHERE t.id = k.id)`,
    visible: visibleFormSubmissions,
    seesAll: (viewer) => sql`EXISTS (SELECT FROM form_templates t
      WHERE t.id = k.id AND ${visibleFormTemplates(viewer)} AND ${editsProjectOf(sql`t`, viewer)})`,
    involvedIds: ({ userId }) =>
      sql`SELECT s.id FROM form_submissions s WHERE ${ofForm} AND s.submitted_by_id = ${userId}`,
  },
);

/** Returns the submissions with these ids that the viewer may see, in any order. */
export const findSubmissions = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<FormSubmission>(
    sql`SELECT s.* FROM form_submissions s WHERE s.id = ANY(${ids}) AND ${visibleFormSubmissions(ctx.viewer)}`,
  );

/** Returns the visible submissions from which these documents were created. */
export const findSubmissionsOfDocuments = ({ db, viewer }: Context, documentIds: readonly string[]) =>
  db.query<FormSubmission>(
    sql`SELECT s.* FROM form_submissions s WHERE s.document_id = ANY(${documentIds}) AND ${visibleFormSubmissions(viewer)}`,
  );
