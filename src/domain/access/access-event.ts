import { type Sql, sql } from '../../db/sql/sql.ts';
import { ID_PREFIXES, type IdType } from '../../lib/id.ts';
import { organizationsOf, type Viewer } from '../kernel/viewer.ts';
import {
  adminOrganizations,
  editsProjectOf,
  inVisibleProject,
  NO_SEMI_JOIN,
  visibleApprovals,
  visibleDeletedProjects,
  visibleDocuments,
  visibleFolders,
  visibleProjects,
  visibleSearchTemplates,
  visibleTasks,
} from './access.ts';

/**
 * Who may see which events of an organization, for its feed, its subscriptions and its webhooks: what happened to things
 * that one sees now, under the rules of access.ts. What is gone has no more to tell than that it went, and that to those
 * who saw all around it. What says who belongs to the organization, and with which rights, is for those who manage that.
 */

type Rule = (viewer: Viewer) => Sql;

const noneRule: Rule = () => sql`false`;

/** Who sees a project sees its settings. */
const settingRule: Rule = (viewer) => inVisibleProject(sql`e`, viewer);

/** Who manages the organization sees what happens to its members, invitations, applications and webhooks. */
const managementRule: Rule = (viewer) => sql`e.organization_id = ANY(${adminOrganizations(viewer)})`;

/** A thing that is there and visible; or that went, as `ending` says, from a project that the viewer sees all of. */
const contentRule =
  (table: string, row: string, visible: Rule, ending: string): Rule =>
  (viewer) =>
    sql`(EXISTS (SELECT FROM ${sql.raw(`${table} ${row}`)}
    WHERE ${sql.raw(row)}.organization_id = e.organization_id AND ${sql.raw(row)}.id = e.subject_id AND ${visible(viewer)} ${NO_SEMI_JOIN})
    OR (e.kind = ${ending} AND ${inVisibleProject(sql`e`, viewer, sql`false`)}))`;

/** Not those that were only shared with the viewer; who filled one in is for those who may read the answers. */
const formRule: Rule = (viewer) =>
  sql`(${contentRule(
    'form_templates',
    't',
    () => inVisibleProject(sql`t`, viewer, sql`t.created_by_id = ${viewer.userId}`),
    'form.deleted',
  )(viewer)} AND (e.kind <> 'form.submitted' OR ${editsProjectOf(sql`e`, viewer)}))`;

/** What became of a project that is deleted is for those who can restore it; once it is purged, that it was. */
const projectRule: Rule = (viewer) => sql`(EXISTS (SELECT FROM projects p
  WHERE p.organization_id = e.organization_id AND p.id = e.subject_id
  AND (${visibleProjects(viewer)} OR ${visibleDeletedProjects(viewer)}))
  OR (e.kind = 'project.purged' AND ${managementRule(viewer)}))`;

/** Of an organization, to all its members. Of someone in a project, to its admins. */
const personRule: Rule = (viewer) => sql`(${managementRule(viewer)} OR EXISTS (SELECT FROM projects p
  JOIN project_members pm ON pm.organization_id = p.organization_id AND pm.project_id = p.id
  WHERE p.organization_id = e.organization_id AND p.id = e.project_id AND ${visibleProjects(viewer)}
  AND pm.user_id = ${viewer.userId} AND pm.role = 'ADMIN'
  AND e.organization_id = ANY(${viewer.memberships.filter(({ role }) => role === 'MEMBER').map((each) => each.organizationId)})))`;

/** By the type of what it happened to. A type that is not named is seen by nobody. */
const RULES: Partial<Record<IdType, Rule>> = {
  Organization: () => sql`true`,
  User: personRule,
  Invitation: managementRule,
  Client: managementRule,
  Webhook: managementRule,
  Project: projectRule,
  Field: settingRule,
  Process: settingRule,
  SignatureFormTemplate: settingRule,
  Folder: contentRule('folders', 'f', visibleFolders, 'folder.deleted'),
  Document: contentRule('documents', 'd', visibleDocuments, 'document.purged'),
  Task: contentRule('tasks', 't', visibleTasks, ''),
  Approval: contentRule('approvals', 'a', visibleApprovals, ''),
  FormTemplate: formRule,
  SearchTemplate: contentRule('search_templates', 's', visibleSearchTemplates, ''),
};

/** On events as `e`. */
export function visibleFeedEvents(viewer: Viewer): Sql {
  const cases = Object.entries(RULES).map(
    ([type, rule = noneRule]) => sql`WHEN ${`${ID_PREFIXES[type as IdType]}_`} THEN ${rule(viewer)}`,
  );
  return sql`(e.organization_id = ANY(${organizationsOf(viewer)})
    AND CASE left(e.subject_id, 4) ${sql.join(cases, ' ')} ELSE false END)`;
}
