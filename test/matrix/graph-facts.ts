import type { IdType } from '../../src/lib/id.ts';
import type { Requirement } from './expected-access.ts';

interface NodeFact {
  least: Requirement;
  /** The type of its ids. */
  idType: IdType;
  /** The name in tenant.ts of the object to use, if not any object of the type. */
  at?: string;
}

const node = (idType: IdType, least: Requirement = 'member', at?: string): NodeFact => ({
  idType,
  least,
  at,
});

/** Who may see an object of each Node type. */
export const NODES: Record<string, NodeFact> = {
  ApiKey: node('ApiKey', 'theirs', 'apiKey'),
  Approval: node('Approval'),
  BulkOperation: node('BulkOperation', 'creator', 'bulkOperation'),
  Client: node('Client'),
  Comment: node('Comment', 'member', 'comment'),
  Disposal: node('Disposal', 'manages', 'disposal'),
  Document: node('Document'),
  Event: node('Event', 'member', 'event'),
  Field: node('Field'),
  FieldChoice: node('FieldListItem'),
  Folder: node('Folder'),
  Follow: node('Follow', 'theirs', 'follow'),
  FormField: node('FormField'),
  FormSubmission: node('FormSubmission'),
  FormTemplate: node('FormTemplate'),
  Group: node('Group', 'member', 'group'),
  Invitation: node('Invitation', 'manages', 'invitation'),
  LogAnchor: node('LogAnchor', 'guest', 'logAnchor'),
  Mail: node('Mail', 'manages', 'mail'),
  Notification: node('Notification', 'theirs', 'notification'),
  OpenedDocument: node('OpenedDocument', 'theirs', 'openedDocument'),
  Organization: node('Organization', 'guest', 'organizationId'),
  OrganizationMember: node('Membership', 'member', 'membership'),
  OrganizationExport: node('OrganizationExport', 'inPerson', 'organizationExport'),
  Process: node('Process'),
  ProcessRun: node('ProcessRun'),
  ProcessStep: node('ProcessStep'),
  Project: node('Project', 'member', 'projectId'),
  ProjectInvitation: node('ProjectInvitation', 'manages', 'projectInvitation'),
  ProjectMember: node('ProjectMember'),
  RetentionAssignment: node('RetentionAssignment'),
  RetentionPolicy: node('RetentionPolicy', 'member', 'retentionPolicy'),
  Revision: node('Revision'),
  SearchTemplate: node('SearchTemplate', 'theirs', 'searchTemplate'),
  SecurityEvent: node('SecurityEvent', 'theirs', 'securityEvent'),
  SignatureField: node('SignatureField'),
  SignatureForm: node('SignatureForm'),
  SignatureFormTemplate: node('SignatureFormTemplate'),
  SignatureRecipient: node('SignatureRecipient'),
  SignatureSession: node('SignatureSession'),
  SignatureTemplateField: node('SignatureTemplateField'),
  Tag: node('Tag'),
  Task: node('Task'),
  User: node('User', 'member', 'memberUser'),
  Webhook: node('Webhook', 'creator'),
  WebhookAttempt: node('WebhookAttempt', 'creator'),
  WebhookDelivery: node('WebhookDelivery', 'creator'),
};

/** Root fields: `by type` if the type of the result decides the access, else the access and a query with the tenant's ids. */
export const QUERIES: Record<string, { least: Requirement; query: string } | 'by type'> = {
  approval: 'by type',
  document: 'by type',
  deprecations: { least: 'anyone', query: '{ deprecations { name } }' },
  errorCodes: { least: 'anyone', query: '{ errorCodes }' },
  leastScope: { least: 'anyone', query: '{ leastScope(document: "{ viewer { name } }") }' },
  scopeReach: { least: 'anyone', query: '{ scopeReach { fields } }' },
  leastScopeOfRoute: {
    least: 'anyone',
    query: '{ leastScopeOfRoute(method: "GET", path: "/user/profile") }',
  },
  field: 'by type',
  folder: 'by type',
  formField: 'by type',
  formTemplate: 'by type',
  node: 'by type',
  nodes: 'by type',
  organization: 'by type',
  process: 'by type',
  project: 'by type',
  purgePlan: {
    least: 'member',
    query: 'query ($recycled: ID!) { purgePlan(ids: [$recycled]) { document { id } } }',
  },
  retentionPreview: {
    least: 'admin',
    query: `query ($organizationId: ID!) { retentionPreview(input: { organizationId: $organizationId }) { coveredCount } }`,
  },
  searchTemplate: 'by type',
  signatureForm: 'by type',
  signatureFormTemplate: 'by type',
  signatureSession: 'by type',
  signing: {
    least: 'theirs',
    query: `query ($documentSignatureSessionId: ID!, $documentSignatureSessionRecipientId: ID!) {
      signing(sessionId: $documentSignatureSessionId, recipientId: $documentSignatureSessionRecipientId) { email } }`,
  },
  task: 'by type',
  rateLimit: { least: 'anyone', query: '{ rateLimit { cost } }' },
  viewer: { least: 'anyone', query: '{ viewer { user { id } } }' },
};
