import { Rows } from '../../db/sql/table.ts';

/**
 * The tables with conditions in domain/access, each under the alias that statements have for it. A statement has
 * `${tables.documents.from}` in FROM where it has `visibleDocuments(viewer, tables.documents)` as a condition.
 */
export const tables = {
  accessTokens: new Rows('access_tokens', 't'),
  apiKeys: new Rows('api_keys', 'a'),
  approvals: new Rows('approvals', 'a'),
  authorizationCodes: new Rows('authorization_codes', 'f'),
  bulkOperations: new Rows('bulk_operations', 'b'),
  clients: new Rows('clients', 'c'),
  disposals: new Rows('disposals', 'di'),
  documents: new Rows('documents', 'd'),
  events: new Rows('events', 'e'),
  fields: new Rows('fields', 'c'),
  folders: new Rows('folders', 'f'),
  follows: new Rows('follows', 'w'),
  formSubmissions: new Rows('form_submissions', 's'),
  formTemplates: new Rows('form_templates', 't'),
  grants: new Rows('grants', 'g'),
  groups: new Rows('groups', 'gr'),
  invitations: new Rows('invitations', 'i'),
  logAnchors: new Rows('log_anchors', 'l'),
  logStamps: new Rows('log_stamps', 'st'),
  mails: new Rows('mails', 'm'),
  memberships: new Rows('memberships', 'm'),
  notifications: new Rows('notifications', 'n'),
  openedDocuments: new Rows('opened_documents', 'od'),
  organizationApplications: new Rows('organization_applications', 'x'),
  organizationExports: new Rows('organization_exports', 'ox'),
  organizations: new Rows('organizations', 'o'),
  processes: new Rows('processes', 'c'),
  processRuns: new Rows('process_runs', 'r'),
  projectGroups: new Rows('project_groups', 'pg'),
  projectInvitations: new Rows('project_invitations', 'pi'),
  projectMembers: new Rows('project_members', 'q'),
  projects: new Rows('projects', 'p'),
  pushedRequests: new Rows('pushed_requests', 'p'),
  refreshTokens: new Rows('refresh_tokens', 't'),
  retentionAssignments: new Rows('retention_assignments', 'ra'),
  retentionPolicies: new Rows('retention_policies', 'rp'),
  /** The applications that are resource servers, beside an application. */
  resourceServers: new Rows('clients', 'r'),
  searchEntries: new Rows('search_entries', 'e'),
  /** Pieces of the texts of files. */
  searchTexts: new Rows('search_texts', 'x'),
  searchTemplates: new Rows('search_templates', 's'),
  securityEvents: new Rows('security_events', 's'),
  signIns: new Rows('sign_ins', 's'),
  signatureForms: new Rows('signature_forms', 'g'),
  signatureRecipients: new Rows('signature_recipients', 'r'),
  signatureSessions: new Rows('signature_sessions', 'g'),
  signatureTemplates: new Rows('signature_form_templates', 'c'),
  tags: new Rows('tags', 'c'),
  tasks: new Rows('tasks', 't'),
  uploads: new Rows('uploads', 'u'),
  users: new Rows('users', 'u'),
  webhookReceivers: new Rows('webhook_receivers', 'r'),
  webhooks: new Rows('webhooks', 'w'),
} as const;

/** Tables whose rows are of one project. */
export type InProject =
  | 'approvals'
  | 'documents'
  | 'events'
  | 'fields'
  | 'folders'
  | 'form_submissions'
  | 'form_templates'
  | 'process_runs'
  | 'processes'
  | 'project_groups'
  | 'project_invitations'
  | 'project_members'
  | 'search_templates'
  | 'signature_form_templates'
  | 'signature_forms'
  | 'signature_sessions'
  | 'tags'
  | 'tasks';
