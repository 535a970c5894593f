import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { ID_PREFIXES, type IdType } from '../../lib/id.ts';
import { mayRead, type Scope } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf, organizationsWith, type Viewer } from '../kernel/viewer.ts';
import {
  adminOrganizations,
  editsProjectOf,
  inVisibleProject,
  NO_SEMI_JOIN,
  projectRole,
  visibleApprovals,
  visibleDeletedProjects,
  visibleDocuments,
  visibleFolders,
  visibleProjects,
  visibleSearchTemplates,
  visibleTasks,
} from './access.ts';

/**
 * Who may see an event, for every reader of it: the feed, subscriptions, webhooks, comments, notifications, their mails, and
 * evidence. An event is visible while its subject is, by the rules of access.ts. Of a deleted subject only the deletion is
 * visible, to viewers who see all content of the project. Events of
 * members, invitations and applications are for owners and admins.
 */

type Events = Rows<'events'>;

/** A condition on events. */
type Rule = (viewer: Viewer, e: Events) => Sql;

const noneRule: Rule = () => sql`false`;

/** Events of settings: for everyone who sees the project. */
const settingRule: Rule = (viewer, e) => inVisibleProject(e, viewer);

/** Events of members, invitations, applications, webhooks and retention: for owners and admins. */
const managementRule: Rule = (viewer, e) => sql`${e}.organization_id = ANY(${adminOrganizations(viewer)})`;

/** Events of a visible row; and the event `deletion`, if the viewer sees all content of the project. */
const contentRule =
  <Table extends string>(
    rows: Rows<Table>,
    visible: (viewer: Viewer, rows: Rows<Table>) => Sql,
    deletion: string,
  ): Rule =>
  (viewer, e) =>
    sql`(EXISTS (SELECT FROM ${rows.from}
    WHERE ${rows}.organization_id = ${e}.organization_id AND ${rows}.id = ${e}.subject_id AND ${visible(viewer, rows)} ${NO_SEMI_JOIN})
    OR (${e}.kind = ${deletion} AND ${inVisibleProject(e, viewer, sql`false`)}))`;

/** Events of forms: not of forms only shared with the viewer. Submissions are for editors, who may read the answers. */
const formRule: Rule = (viewer, e) =>
  sql`(${contentRule(
    tables.formTemplates,
    (_, t) => inVisibleProject(t, viewer, sql`${t}.created_by_id = ${viewer.userId}`),
    'form.deleted',
  )(viewer, e)} AND (${e}.kind <> 'form.submitted' OR ${editsProjectOf(e, viewer)}))`;

/** Events of a project; of a deleted one for owners and admins, who can restore it. A purge stays visible to them. */
const projectRule: Rule = (viewer, e) => sql`(EXISTS (SELECT FROM ${tables.projects.from}
  WHERE p.organization_id = ${e}.organization_id AND p.id = ${e}.subject_id
  AND (${visibleProjects(viewer, tables.projects)} OR ${visibleDeletedProjects(viewer, tables.projects)}))
  OR (${e}.kind = 'project.purged' AND ${managementRule(viewer, e)}))`;

/** Events of a user: for owners and admins; in a project, also for its admins. */
const personRule: Rule = (
  viewer,
  e,
) => sql`(${managementRule(viewer, e)} OR EXISTS (SELECT FROM ${tables.projects.from}
  WHERE p.organization_id = ${e}.organization_id AND p.id = ${e}.project_id AND ${visibleProjects(viewer, tables.projects)}
  AND ${projectRole(viewer, tables.projects)} = 'ADMIN'))`;

/** Events of a group: for owners and admins; in a project, also for its admins, who see the groups of the organization. */
const groupRule: Rule = (viewer, e) =>
  sql`(${personRule(viewer, e)} AND ${e}.organization_id = ANY(${organizationsWith(viewer, 'OWNER', 'ADMIN', 'MEMBER')}))`;

/** By the type of the subject. Events of other types are invisible. */
const RULES: Partial<Record<IdType, Rule>> = {
  Organization: () => sql`true`,
  User: personRule,
  Group: groupRule,
  Invitation: managementRule,
  Client: managementRule,
  Webhook: managementRule,
  Mail: managementRule,
  RetentionPolicy: managementRule,
  Disposal: managementRule,
  Project: projectRule,
  Field: settingRule,
  Process: settingRule,
  SignatureFormTemplate: settingRule,
  Folder: contentRule(tables.folders, visibleFolders, 'folder.deleted'),
  Document: contentRule(tables.documents, visibleDocuments, 'document.purged'),
  Task: contentRule(tables.tasks, visibleTasks, ''),
  Approval: contentRule(tables.approvals, visibleApprovals, ''),
  FormTemplate: formRule,
  SearchTemplate: contentRule(tables.searchTemplates, visibleSearchTemplates, ''),
};

/** What it takes to read events of subjects of a type, in addition to `events:read`. */
const SUBJECT_SCOPES: Partial<Record<IdType, Scope>> = {
  Project: 'organizations:read',
  Field: 'organizations:read',
  SearchTemplate: 'organizations:read',
  Organization: 'organizations:read',
  User: 'organizations:read',
  Group: 'organizations:read',
  Invitation: 'organizations:read',
  Client: 'organizations:read',
  Mail: 'organizations:read',
  RetentionPolicy: 'organizations:read',
  Disposal: 'documents:read',
  Webhook: 'events:read',
  Process: 'approvals:read',
  Approval: 'approvals:read',
  SignatureFormTemplate: 'signatures:read',
  Folder: 'documents:read',
  Document: 'documents:read',
  Task: 'tasks:read',
  FormTemplate: 'forms:read',
};

/** On events, by the type of the subject, which is the prefix of its id; only of subjects that the credential may read. */
export function visibleEvents(viewer: Viewer, e: Events): Sql {
  const rules = Object.entries(RULES).filter(([type]) =>
    mayRead(viewer.scopes, SUBJECT_SCOPES[type as IdType] ?? 'read'),
  );
  if (rules.length === 0) return sql`false`;
  const cases = rules.map(
    ([type, rule = noneRule]) => sql`WHEN ${`${ID_PREFIXES[type as IdType]}_`} THEN ${rule(viewer, e)}`,
  );
  return sql`(${e}.organization_id = ANY(${organizationsOf(viewer)})
    AND CASE left(${e}.subject_id, 4) ${sql.join(cases, ' ')} ELSE false END)`;
}

/** On the time-stamped states of logs, of which everyone in the organization has an event. */
export const visibleLogAnchors = (viewer: Viewer, l: Rows<'log_anchors'>): Sql =>
  mayRead(viewer.scopes, 'events:read')
    ? sql`${l}.organization_id = ANY(${organizationsOf(viewer)})`
    : sql`false`;
