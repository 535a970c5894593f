import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { hashSecret } from '../../lib/secret.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf, type Viewer } from '../kernel/viewer.ts';
import { editsProjectOf, inLiveProject, inVisibleProject, visibleDescriptors } from './access.ts';
import { reachesProjectOf } from './access-limit.ts';

/** Visibility of forms, of what was filled in, and of the fields in them. */

/** The ids of forms that are shared with the viewer, by e-mail or through a group, as rows (organization_id, form_template_id). */
export const formSharesOf = (viewer: Viewer, organizationId: Sql): Sql => sql`
  SELECT h.organization_id, h.form_template_id FROM form_shares h
    WHERE h.organization_id = ${organizationId} AND h.email = ${viewer.email}
  UNION ALL SELECT h.organization_id, h.form_template_id FROM group_members gm
    JOIN form_group_shares h ON h.organization_id = gm.organization_id AND h.group_id = gm.group_id
    WHERE gm.organization_id = ${organizationId} AND gm.user_id = ${viewer.userId}`;

/** On form templates: shared with the viewer, who belongs to the organization. */
export const sharedForms = (
  viewer: Viewer,
  t: Rows<'form_templates'>,
): Sql => sql`(${sql.all([sql`${t}.state = 'SHARED'`, inLiveProject(t), reachesProjectOf(viewer, t)])}
  AND ${t}.organization_id = ANY(${organizationsOf(viewer)})
  AND EXISTS (SELECT FROM (${formSharesOf(viewer, sql`${t}.organization_id`)}) h WHERE h.form_template_id = ${t}.id))`;

/** On form templates: those of visible projects, and those shared with the viewer; by a public link, its one form. */
export const visibleFormTemplates = (viewer: Viewer, t: Rows<'form_templates'>): Sql =>
  viewer.link === undefined
    ? sql`(${inVisibleProject(t, viewer, sql`${t}.created_by_id = ${viewer.userId}`)} OR ${sharedForms(viewer, t)})`
    : sql`(${t}.is_public AND ${t}.link_hash = ${hashSecret(viewer.link)} AND ${inLiveProject(t)})`;

/** Whether the viewer may fill in the form, which must be visible: a value to select. */
export const fillsForm = (viewer: Viewer, t: Rows<'form_templates'>): Sql =>
  sql`(${t}.is_public OR ${sharedForms(viewer, t)} OR ${editsProjectOf(t, viewer)})`;

/** On form submissions: the viewer's own, and for editors of the project those of all forms they see. */
export const visibleFormSubmissions = (viewer: Viewer, s: Rows<'form_submissions'>): Sql => sql`(
  (${s}.submitted_by_id = ${viewer.userId} OR ${editsProjectOf(s, viewer)})
  AND EXISTS (SELECT FROM ${tables.formTemplates.from} WHERE t.organization_id = ${s}.organization_id
    AND t.id = ${s}.form_template_id AND ${visibleFormTemplates(viewer, tables.formTemplates)}))`;

/** On fields: those of visible projects, and those of visible forms. */
export const visibleFields = (
  viewer: Viewer,
  c: Rows<'fields'>,
): Sql => sql`(${visibleDescriptors(viewer, c)} OR EXISTS (
  SELECT FROM form_fields b JOIN ${tables.formTemplates.from} ON t.organization_id = b.organization_id AND t.id = b.form_template_id
  WHERE b.organization_id = ${c}.organization_id AND b.field_id = ${c}.id AND ${visibleFormTemplates(viewer, tables.formTemplates)}))`;
