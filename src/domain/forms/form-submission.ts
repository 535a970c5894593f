import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { FormSubmission as FormSubmissionRow } from '../../generated/prisma/client.ts';
import { editsProjectOf } from '../access/access.ts';
import { visibleFormSubmissions, visibleFormTemplates } from '../access/access-form.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { type FilingState, isInFilingState } from './filing-state.ts';

export type FormSubmission = FormSubmissionRow;

export interface SubmissionFilter {
  filing?: FilingState | null;
}

const ofForm = sql`s.organization_id = k.organization_id AND s.form_template_id = k.id`;

const isInState = ({ filing }: SubmissionFilter): Sql =>
  filing ? isInFilingState(tables.formSubmissions, filing) : sql`true`;

/** The submissions of a form. */
export const submissionsOfForm = projectListing<
  FormSubmission,
  SubmissionFilter,
  'CREATED_AT',
  'form_submissions'
>(
  {
    name: 'submissionsOfForm',
    select: () => sql`s.*`,
    sorts: { CREATED_AT: sortBy(sql`s.id`, sql`s.created_at`, 'timestamptz', (row) => row.createdAt) },
  },
  {
    ...{
      rows: tables.formSubmissions,
      parentCondition: ofForm,
      matches: isInState,
      indexCondition: () => sql`true`,
    },
    projectId: sql`(SELECT t.project_id FROM ${tables.formTemplates.from} WHERE t.id = k.id)`,
    visible: visibleFormSubmissions,
    seesAll: (viewer) => sql`EXISTS (SELECT FROM ${tables.formTemplates.from}
      WHERE t.id = k.id AND ${visibleFormTemplates(viewer, tables.formTemplates)} AND ${editsProjectOf(tables.formTemplates, viewer)})`,
    involvedIds: ({ userId }) =>
      sql`SELECT s.id FROM ${tables.formSubmissions.from} WHERE ${ofForm} AND s.submitted_by_id = ${userId}`,
    candidateIds: (filter) =>
      filter.filing && filter.filing !== 'FILED'
        ? sql`SELECT s.id FROM ${tables.formSubmissions.from} WHERE ${ofForm} AND ${isInState(filter)}`
        : undefined,
  },
);

/** Returns the submissions with these ids that the viewer may see, in any order. */
export const findSubmissions = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<FormSubmission>(
    sql`SELECT s.* FROM ${tables.formSubmissions.from} WHERE s.id ${sql.any(ids)} AND ${visibleFormSubmissions(ctx.viewer, tables.formSubmissions)}`,
  );

/** Returns the visible submissions from which these documents were created. */
export const findSubmissionsOfDocuments = ({ db, viewer }: Context, documentIds: readonly string[]) =>
  db.query<FormSubmission>(
    sql`SELECT s.* FROM ${tables.formSubmissions.from} WHERE s.document_id = ANY(${documentIds}) AND ${visibleFormSubmissions(viewer, tables.formSubmissions)}`,
  );
