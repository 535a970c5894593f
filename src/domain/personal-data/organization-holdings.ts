import { sql } from '../../db/sql/sql.ts';
import type { Holding, Person } from './holding.ts';

const words = (text: string): string[] => text.split(' ');

const ofMember = { by: { user_id: 'ID' }, end: 'MEMBERSHIP' } as const;
const ofAddress = { by: { email: 'ADDRESS' }, end: 'ADDRESS' } as const;

/** Nothing proves who signed, or is to, in a session that never began or was stopped. */
const isUnneeded = sql`EXISTS (SELECT FROM signature_sessions g
  WHERE g.organization_id = signature_recipients.organization_id AND g.id = session_id AND g.state IN ('DRAFT', 'STOPPED'))`;

const signer = {
  kind: 'signatureRecipient',
  table: 'signature_recipients',
  by: { user_id: 'ID', email: 'ADDRESS' },
  cursor: 'id',
  columns: words(
    'organization_id id session_id rank email full_name state requested_at request_sent_at mailed_at reminders reminders_sent reminders_off_at completed_at declined_reason ip_address user_agent time_zone created_at',
  ),
  withheld: words(
    'user_id link_version link_expires_at code_tries code_tries_from code_passed_at code_failures code_locked_at next_reminder_at reminders_end_at',
  ),
} as const;

const ofSigner = ({ userId, address }: Person) => sql`(organization_id, recipient_id) IN (
  SELECT r.organization_id, r.id FROM signature_recipients r WHERE r.user_id = ${userId} OR r.email = ${address})`;

/** What organizations hold about a person, except events. */
export const ORGANIZATION_HOLDINGS: readonly Holding[] = [
  {
    ...ofMember,
    kind: 'membership',
    table: 'memberships',
    cursor: 'id',
    columns: words('organization_id id role created_by_id created_at'),
    withheld: words('user_id name_key'),
  },
  {
    ...ofMember,
    byOrganization: ['user_id'],
    kind: 'groupMembership',
    table: 'group_members',
    cursor: 'group_id',
    columns: words('organization_id group_id'),
    withheld: ['user_id'],
  },
  {
    ...ofMember,
    byOrganization: ['user_id'],
    kind: 'projectMembership',
    table: 'project_members',
    cursor: 'id',
    columns: words('organization_id id project_id role own_role created_by_id created_at'),
    withheld: words('user_id name_key'),
  },
  {
    ...ofMember,
    byOrganization: ['user_id'],
    kind: 'approverOfStep',
    table: 'process_step_approvers',
    cursor: 'step_id',
    columns: words('organization_id step_id'),
    withheld: ['user_id'],
  },
  {
    ...ofMember,
    byOrganization: ['user_id'],
    kind: 'escalationOfStep',
    table: 'process_step_escalations',
    cursor: 'step_id',
    columns: words('organization_id step_id'),
    withheld: ['user_id'],
  },
  {
    by: { user_id: 'ID', to_id: 'ID' },
    end: 'MEMBERSHIP',
    byOrganization: ['user_id', 'to_id'],
    kind: 'substitute',
    table: 'substitutes',
    cursor: 'user_id',
    columns: words('organization_id user_id to_id starts_at ends_at'),
  },
  {
    ...ofMember,
    byOrganization: ['user_id'],
    kind: 'informedOfTask',
    table: 'task_stakeholders',
    cursor: 'task_id',
    columns: words('organization_id task_id'),
    withheld: ['user_id'],
  },
  {
    ...ofMember,
    byOrganization: ['user_id'],
    kind: 'openedDocument',
    table: 'opened_documents',
    cursor: 'id',
    columns: words('organization_id id document_id opened_at'),
    withheld: ['user_id'],
  },
  {
    ...ofAddress,
    kind: 'invitation',
    table: 'invitations',
    cursor: 'id',
    columns: words('organization_id id email role created_by_id created_at expires_at sent_at resends'),
    withheld: words('client_id resent_by_id'),
  },
  {
    ...ofAddress,
    byOrganization: ['email'],
    kind: 'folderAssignment',
    table: 'folder_assignments',
    cursor: 'folder_id',
    columns: words('organization_id folder_id email'),
  },
  {
    ...ofAddress,
    byOrganization: ['email'],
    kind: 'documentAssignment',
    table: 'document_assignments',
    cursor: 'document_id',
    columns: words('organization_id document_id email'),
  },
  {
    ...ofAddress,
    byOrganization: ['email'],
    kind: 'assigneeInHistory',
    table: 'state_people',
    cursor: 'id',
    columns: words('organization_id id email'),
  },
  {
    ...ofAddress,
    byOrganization: ['email'],
    kind: 'sharedForm',
    table: 'form_shares',
    cursor: 'form_template_id',
    columns: words('organization_id form_template_id email created_at'),
    withheld: ['created_by_id'],
  },
  {
    kind: 'task',
    table: 'tasks',
    by: { assignee_id: 'ID', assignee_email: 'ADDRESS' },
    byOrganization: ['assignee_email'],
    cursor: 'id',
    columns: words(
      'organization_id id project_id name state result priority assignee_email due_at created_at completed_at',
    ),
    end: 'REPLACED',
    reason: 'Open tasks are not assigned any more; in closed ones the address is replaced.',
  },
  {
    kind: 'approval',
    table: 'approvers',
    by: { user_id: 'ID', delegated_from_id: 'ID' },
    cursor: 'approval_id || user_id',
    columns: words('organization_id approval_id user_id state delegated_from_id comment decided_at'),
    end: 'KEPT',
    reason: 'A decision stays that of the account, which has no name any more; open ones are declined.',
  },
  {
    kind: 'formSubmission',
    table: 'form_submissions',
    by: { submitted_by_id: 'ID' },
    cursor: 'id',
    columns: words(
      'organization_id id project_id form_template_id group_id ip_address document_id created_at',
    ),
    end: 'REPLACED',
    reason: 'The network address is removed. The answers are content of the organization.',
  },
  {
    kind: 'formAnswer',
    table: 'form_submission_values',
    by: {},
    through: ({ userId }) =>
      sql`(organization_id, submission_id) IN (
        SELECT s.organization_id, s.id FROM form_submissions s WHERE s.submitted_by_id = ${userId})`,
    cursor: `(submission_id || ' ' || form_field_id || ' ' || position)`,
    columns: words('organization_id submission_id form_field_id position text'),
    end: 'KEPT',
    reason: 'Content of the organization, which decides about it (GDPR Art. 4(7)).',
  },
  {
    ...signer,
    only: isUnneeded,
    end: 'REPLACED',
    reason: 'Of sessions that never began or were stopped: name, address and network address are replaced.',
  },
  {
    ...signer,
    only: sql`NOT (${isUnneeded})`,
    end: 'KEPT',
    reason:
      'Names the signer of what is signed or being signed, until the document is purged (GDPR Art. 17(3)(b) and (e)).',
  },
  {
    kind: 'signatureValue',
    table: 'signature_fields',
    by: {},
    through: ofSigner,
    cursor: 'id',
    columns: words('organization_id id recipient_id type label value completed_at'),
    end: 'KEPT',
    reason:
      'Part of what was signed (GDPR Art. 17(3)(b) and (e)); of sessions that were stopped it is removed.',
  },
  {
    kind: 'upload',
    table: 'uploads',
    by: { user_id: 'ID' },
    cursor: 'id',
    columns: words('organization_id id project_id state size document_id created_at'),
    end: 'KEPT',
    reason: 'Names the account by its id, beside the document of the organization.',
  },
  {
    kind: 'webhook',
    table: 'webhooks',
    by: { owner_id: 'ID' },
    cursor: 'id',
    columns: words('organization_id id project_id url kinds state created_at'),
    end: 'KEPT',
    reason: 'It is the organization’s, and sends nothing any more.',
  },
];
