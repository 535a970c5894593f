import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { hashSecret } from '../../lib/secret.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf, type Viewer } from '../kernel/viewer.ts';
import { editsProjectOf, inLiveProject, inVisibleProject, visibleDescriptors } from './access.ts';
import { reachesProjectOf } from './access-limit.ts';

/** Visibility of forms, of what was filled in, and of the fields in them. */

/** On form templates: shared by e-mail with the viewer, who belongs to the organization. */
export const sharedForms = (
  viewer: Viewer,
  t: Rows<'form_templates'>,
): Sql => sql`(${sql.all([sql`${t}.state = 'SHARED'`, inLiveProject(t), reachesProjectOf(viewer, t)])}
  AND ${t}.organization_id = ANY(${organizationsOf(viewer)})
  AND EXISTS (SELECT FROM form_shares h WHERE h.organization_id = ${t}.organization_id
    AND h.form_template_id = ${t}.id AND h.email = ${viewer.email}))`;

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
