import { PASSWORD } from '../support/browser.ts';
import type { AccessFact, Requirement } from './expected-access.ts';
import type { Tenant } from './tenant.ts';

type Fields = Record<string, string>;

/** An input with which the owner of a tenant succeeds, built from its ids. */
type Input = (at: Fields, tenant: Tenant) => object;

const FIELD = { type: 'SIGNATURE', pageIndex: 0, x: 12.5, y: 40.25 };

const signer = (at: Fields) => ({
  sessionId: at.documentSignatureSessionId,
  recipientId: at.documentSignatureSessionRecipientId,
});

/** One line, which creates a task. */
export const bulkOperation = (at: Fields) => ({
  organizationId: at.organizationId,
  mutation: `mutation ($projectId: ID!) {
    createTasks(input: { projectId: $projectId, tasks: [{ name: "New" }] }) { __typename }
  }`,
  variables: JSON.stringify({ projectId: at.projectId }),
});

const draft = (at: Fields) => ({ formId: at.documentSignatureFormId });

/**
 * Who may run each mutation (expected-access.ts), an input for it, and the container of the objects, if
 * the ids in the input do not determine it.
 */
export const MUTATIONS: Record<
  string,
  [least: Requirement, input: Input, container?: AccessFact['container']]
> = {
  acceptInvitation: ['theirs', (at) => ({ invitationId: at.offered })],
  addFieldChoices: ['admin', (at) => ({ fieldId: at.fieldId, choices: [{ value: 'blue' }] })],
  addProjectMembers: [
    'admin',
    (at, { guest }) => ({
      projectId: at.projectId,
      members: [{ person: { email: guest.email }, role: 'VIEWER' }],
    }),
  ],
  addSignatureFields: ['member', (at) => ({ ...draft(at), fields: [{ ...FIELD, recipientRank: 1 }] })],
  addSignatureTemplateFields: [
    'member',
    (at) => ({ templateId: at.signatureFormTemplateId, fields: [FIELD] }),
  ],
  applySignatureFormTemplate: ['member', (at) => ({ ...draft(at), templateId: at.signatureFormTemplateId })],
  approveApprovals: ['approver', (at) => ({ ids: [at.approval] })],
  assignTask: ['member', (at, { guest }) => ({ taskId: at.taskId, assigneeEmail: guest.email })],
  cancelBulkOperation: ['creator', (at) => ({ bulkOperationId: at.bulkOperation })],
  changePassword: [
    'session',
    () => ({ currentPassword: PASSWORD, newPassword: 'gravel lantern otter quilt' }),
  ],
  completeTask: ['member', (at) => ({ taskId: at.taskId })],
  confirmUploads: [
    'theirs',
    (at) => ({ projectId: at.projectId, files: [{ uploadId: at.upload, name: 'a.txt' }] }),
  ],
  createApiKeys: ['anyone', () => ({ keys: [{ name: 'New' }] })],
  createClient: [
    'admin',
    (at) => ({
      organizationId: at.organizationId,
      name: 'New',
      kind: 'CONFIDENTIAL',
      redirectUris: ['https://app.example/back'],
      scopes: ['READ'],
    }),
  ],
  createComments: ['member', (at) => ({ documentId: at.documentId, texts: ['said'] })],
  createFields: ['admin', (at) => ({ projectId: at.projectId, fields: [{ name: 'New', type: 'TEXT' }] })],
  createFolders: ['member', (at) => ({ projectId: at.projectId, folders: [{ name: 'New' }] })],
  createFormFields: [
    'member',
    (at) => ({ formTemplateId: at.formTemplateId, fields: [{ fieldId: at.spareField }] }),
  ],
  createFormTemplates: ['member', (at) => ({ projectId: at.projectId, formTemplates: [{ name: 'New' }] })],
  createOrganizations: ['anyone', () => ({ organizations: [{ name: 'New' }] })],
  createProcesses: [
    'admin',
    (at, { owner }) => ({
      projectId: at.projectId,
      processes: [
        {
          name: 'New',
          steps: [
            {
              ...{ name: 'One', approverIds: [owner.id], dueAfterDays: 9 },
              ...{ onOverdue: 'ESCALATE', escalateToGroupId: at.group },
            },
          ],
        },
      ],
    }),
  ],
  createProjects: [
    'admin',
    (at) => ({
      organizationId: at.organizationId,
      projects: [{ name: 'New', source: { projectId: at.spareProject, copyContent: true } }],
    }),
    'organization',
  ],
  createSearchTemplate: [
    'member',
    (at) => ({ organizationId: at.organizationId, name: 'New', query: 'word' }),
  ],
  createServiceAccount: ['admin', (at) => ({ clientId: at.client, role: 'MEMBER' })],
  createSignatureFormTemplates: [
    'member',
    (at) => ({ projectId: at.projectId, templates: [{ name: 'New' }] }),
  ],
  createTaskComments: ['member', (at) => ({ taskId: at.taskId, texts: ['said'] })],
  createTasks: ['member', (at) => ({ projectId: at.projectId, tasks: [{ name: 'New' }] })],
  createWebhooks: [
    'admin',
    (at) => ({ organizationId: at.organizationId, webhooks: [{ url: 'https://hooks.example/new' }] }),
  ],
  decideApplication: [
    'admin',
    (at) => ({ organizationId: at.organizationId, clientId: at.foreignClient, decision: 'REFUSED' }),
    'organization',
  ],
  declineApprovals: ['approver', (at) => ({ ids: [at.approval] })],
  declineInvitation: ['theirs', (at) => ({ invitationId: at.offered })],
  declineSignature: ['theirs', signer],
  delegateApprovals: ['approver', (at, { member }) => ({ ids: [at.approval], toUserId: member.id })],
  deleteApiKeys: ['theirs', (at) => ({ apiKeyIds: [at.apiKey] })],
  deleteClients: ['admin', (at) => ({ clientIds: [at.client] })],
  deleteFields: ['admin', (at) => ({ projectId: at.projectId, fieldIds: [at.spareField] })],
  deleteFolders: ['admin', (at) => ({ projectId: at.projectId, folderIds: [at.empty] })],
  deleteFormFields: [
    'admin',
    (at) => ({
      formTemplateId: at.formTemplateId,
      formFieldIds: [at.formTemplateFieldId],
      withAnswers: true,
    }),
  ],
  deleteFormTemplates: ['admin', (at) => ({ formTemplateIds: [at.spareForm] })],
  deleteProjects: ['admin', (at) => ({ organizationId: at.organizationId, projectIds: [at.spareProject] })],
  deleteSearchTemplates: ['theirs', (at) => ({ searchTemplateIds: [at.searchTemplate] })],
  deleteServiceAccount: ['admin', (at) => ({ clientId: at.servedClient })],
  deleteSignatureFields: ['member', (at) => ({ ...draft(at), fieldIds: [at.documentSignatureFormFieldId] })],
  deleteSignatureFormTemplate: ['member', (at) => ({ templateId: at.signatureFormTemplateId })],
  deleteOrganizationExport: ['inPerson', (at) => ({ exportId: at.organizationExport })],
  deleteWebhooks: ['creator', (at) => ({ webhookIds: [at.webhook] })],
  denyApprovals: ['approver', (at) => ({ ids: [at.approval] })],
  denyTask: ['member', (at) => ({ taskId: at.taskId })],
  endAuthorizations: ['admin', (at) => ({ clientId: at.client })],
  endSignIns: ['session', (at) => ({ signInIds: [at.signIn] })],
  eraseAccount: ['session', (_, { owner }) => ({ email: owner.email })],
  ensureSignatureForm: ['member', (at) => ({ documentId: at.spareDocument })],
  ensureSignatureSession: ['member', (at) => ({ documentId: at.spareDocument })],
  removeSecondFactors: ['session', (at) => ({ passkeyIds: [at.passkey] })],
  renamePasskey: ['session', (at) => ({ passkeyId: at.passkey, name: 'Phone' })],
  renewRecoveryCodes: ['session', () => ({ recoveryCodesLeft: 0 })],
  requestEmailChange: ['session', () => ({ email: 'new@example.test', password: PASSWORD })],
  unlinkIdentities: ['session', (at) => ({ identityIds: [at.identity] })],
  updateAccount: ['session', () => ({ newSignInMails: false })],
  createClientLog: ['anyone', () => ({ values: ['The page could not be drawn.'] })],
  hideContacts: ['anyone', () => ({})],
  showContacts: ['anyone', () => ({})],
  updatePreferences: ['anyone', () => ({ preferences: [{ name: 'ViewType', value: 'List' }] })],
  updateNotificationPreferences: [
    'anyone',
    () => ({ preferences: [{ kind: 'FOLLOWED', delivery: 'NOTHING' }] }),
  ],
  markNotificationsRead: ['theirs', (at) => ({ ids: [at.notification] })],
  exportOrganization: ['approver', (at) => ({ organizationId: at.organizationId })],
  followDocuments: ['member', (at) => ({ documentIds: [at.spareDocument] })],
  followFolders: ['member', (at) => ({ folderIds: [at.empty] })],
  followProjects: ['member', (at) => ({ projectIds: [at.spareProject] })],
  followTasks: ['member', (at) => ({ taskIds: [at.done] })],
  inviteMembers: [
    'admin',
    (at) => ({ organizationId: at.organizationId, members: [{ email: 'new@example.test', role: 'MEMBER' }] }),
  ],
  liftLegalHold: ['admin', (at) => ({ documentIds: [at.held] })],
  linkTaskDocuments: ['member', (at) => ({ taskId: at.taskId, documentIds: [at.spareDocument] })],
  moveDocuments: ['member', (at) => ({ documentIds: [at.other], folderId: at.documentFolderId })],
  moveFolder: ['member', (at) => ({ folderId: at.sub, parentId: at.empty })],
  placeLegalHold: ['admin', (at) => ({ documentIds: [at.spareDocument], reason: 'A dispute' })],
  purgeDocuments: ['admin', (at) => ({ documentIds: [at.recycled] })],
  recycleDocuments: ['member', (at) => ({ documentIds: [at.documentId] })],
  redeliverFailedDeliveries: ['creator', (at) => ({ webhookId: at.webhook })],
  redeliverWebhookDeliveries: ['creator', (at) => ({ deliveryIds: [at.delivery] })],
  remindSigners: [
    'member',
    (at) => ({ documentId: at.other, recipientIds: [at.documentSignatureSessionRecipientId] }),
  ],
  removeMembers: ['admin', (at) => ({ organizationId: at.organizationId, memberIds: [at.membership] })],
  removeProjectGroups: ['admin', (at) => ({ projectId: at.projectId, groupIds: [at.projectGroup] })],
  removeProjectInvitations: [
    'admin',
    (at) => ({ projectId: at.projectId, projectInvitationIds: [at.projectInvitation] }),
  ],
  removeProjectMembers: ['admin', (at) => ({ projectId: at.projectId, memberIds: [at.projectMember] })],
  renewSignatureLinks: [
    'member',
    (at) => ({ documentId: at.other, recipientIds: [at.documentSignatureSessionRecipientId] }),
  ],
  redactEvents: [
    'admin',
    (at) => ({ organizationId: at.organizationId, eventIds: [at.event], reason: 'Asked for' }),
    'organization',
  ],
  reopenTask: ['member', (at) => ({ taskId: at.done })],
  reorderFormFields: [
    'member',
    (at) => ({ formTemplateId: at.formTemplateId, formFieldIds: [at.formTemplateFieldId] }),
  ],
  reserveUploads: ['member', (at) => ({ projectId: at.projectId })],
  resendInvitations: [
    'manages',
    (at) => ({ organizationId: at.organizationId, invitationIds: [at.invitation] }),
  ],
  retryMail: ['manages', (at) => ({ mailId: at.mail })],
  restoreDocuments: ['member', (at) => ({ documentIds: [at.recycled] })],
  restoreProjects: [
    'admin',
    (at) => ({ organizationId: at.organizationId, projectIds: [at.gone] }),
    'organization',
  ],
  restoreRevision: ['member', (at) => ({ documentId: at.documentId, number: 1 })],
  retryFormFilings: ['member', (at) => ({ submissionIds: [at.unfiled] })],
  retryRenditions: ['member', (at) => ({ documentIds: [at.unrendered] })],
  retrySealing: ['member', (at) => ({ sessionId: at.signedSession })],
  retryTexts: ['member', (at) => ({ documentIds: [at.unread] })],
  revokeApplication: [
    'admin',
    (at) => ({ organizationId: at.organizationId, clientId: at.foreignClient }),
    'organization',
  ],
  limitAuthorization: [
    'theirs',
    (at) => ({ clientId: at.client, limitedTo: { organizationIds: [], projectIds: [at.spareProject] } }),
  ],
  revokeAuthorization: ['theirs', (at) => ({ clientId: at.client })],
  rotateClientSecret: ['admin', (at) => ({ clientId: at.client })],
  rotateWebhookSecret: ['creator', (at) => ({ webhookId: at.webhook })],
  shareFormTemplates: [
    'member',
    (at, { guest }) => ({
      formTemplateIds: [at.formTemplateId],
      userEmails: [guest.email],
    }),
  ],
  signDocument: [
    'theirs',
    (at, { bodies }) => ({
      ...signer(at),
      values: [{ fieldId: signingFieldOf(bodies), value: 'Tove' }],
    }),
  ],
  startBulkOperation: ['guest', bulkOperation],
  startProcess: ['member', (at) => ({ processId: at.process, itemIds: [at.spareDocument] })],
  stopSignatureSession: ['member', (at) => ({ documentId: at.other })],
  submitForm: [
    'member',
    (at) => ({
      formTemplateId: at.formTemplateId,
      submissions: [{ answers: [{ formFieldId: at.formTemplateFieldId, values: ['red'] }] }],
    }),
  ],
  testWebhook: ['creator', (at) => ({ webhookId: at.webhook })],
  clearRecentlyOpenedDocuments: ['guest', (at) => ({ organizationId: at.organizationId })],
  setSubstitute: [
    'admin',
    (at) => ({
      ...{ organizationId: at.organizationId, memberId: at.membership, toMemberId: at.ownMembership },
      endsAt: '2099-01-01T00:00:00Z',
    }),
  ],
  endSubstitute: ['admin', (at) => ({ organizationId: at.organizationId, memberId: at.membership })],
  createGroups: ['admin', (at) => ({ organizationId: at.organizationId, groups: [{ name: 'New' }] })],
  createRetentionPolicy: [
    'admin',
    (at) => ({ organizationId: at.organizationId, name: 'New', startsFrom: 'CREATED', action: 'NOTHING' }),
  ],
  updateRetentionPolicy: ['admin', (at) => ({ policyId: at.retentionPolicy, name: 'New' })],
  lockRetentionPolicy: ['admin', (at) => ({ policyId: at.retentionPolicy })],
  deleteRetentionPolicy: ['admin', (at) => ({ policyId: at.retentionPolicy })],
  assignRetentionPolicy: [
    'admin',
    (at) => ({ policyId: at.retentionPolicy, scope: { projectId: at.projectId } }),
  ],
  unassignRetentionPolicy: ['admin', (at) => ({ assignmentId: at.retentionAssignment })],
  updateGroup: ['admin', (at) => ({ groupId: at.group, name: 'New' })],
  deleteGroups: ['admin', (at) => ({ organizationId: at.organizationId, groupIds: [at.group] })],
  addGroupMembers: ['admin', (at) => ({ groupId: at.group, memberIds: [at.membership] })],
  removeGroupMembers: ['admin', (at) => ({ groupId: at.group, memberIds: [at.ownMembership] })],
  unfollowDocuments: ['member', (at) => ({ documentIds: [at.other] })],
  unfollowFolders: ['member', (at) => ({ folderIds: [at.documentFolderId] })],
  unfollowProjects: ['member', (at) => ({ projectIds: [at.projectId] })],
  unfollowTasks: ['member', (at) => ({ taskIds: [at.taskId] })],
  unlinkTaskDocuments: ['member', (at) => ({ taskId: at.taskId, documentIds: [at.other] })],
  unshareFormTemplates: [
    'member',
    (at, { owner }) => ({
      formTemplateIds: [at.formTemplateId],
      userEmails: [owner.email],
    }),
  ],
  updateClient: ['admin', (at) => ({ clientId: at.client, name: 'New' })],
  updateDocument: ['member', (at) => ({ documentId: at.documentId, name: 'New' })],
  updateField: ['admin', (at) => ({ fieldId: at.fieldId, name: 'New' })],
  updateFolder: ['member', (at) => ({ folderId: at.sub, name: 'New' })],
  updateFormFields: [
    'member',
    (at) => ({
      formTemplateId: at.formTemplateId,
      fields: [{ formFieldId: at.formTemplateFieldId, required: true }],
    }),
  ],
  updateFormTemplate: ['member', (at) => ({ formTemplateId: at.formTemplateId, name: 'New' })],
  updateMember: ['admin', (at) => ({ memberId: at.membership, role: 'GUEST' })],
  updateOrganization: ['admin', (at) => ({ organizationId: at.organizationId, name: 'New' })],
  updateProcess: [
    'admin',
    (at, { owner }) => ({
      ...{ processId: at.process, name: 'New' },
      steps: [
        {
          ...{ id: at.step, name: 'Check', approverIds: [owner.id], groupIds: [at.group] },
          ...{ dueAfterDays: 9, onOverdue: 'ESCALATE', escalateToGroupId: at.group },
        },
      ],
    }),
  ],
  updateProject: ['admin', (at) => ({ projectId: at.projectId, name: 'New' })],
  updateProjectSettings: ['admin', (at) => ({ projectId: at.projectId, documentRootLabel: 'New' })],
  updateProjectGroup: [
    'admin',
    (at) => ({ projectId: at.projectId, groupId: at.projectGroup, role: 'EDITOR' }),
  ],
  updateProjectMember: ['admin', (at) => ({ memberId: at.projectMember, role: 'VIEWER' })],
  updateSearchTemplate: ['theirs', (at) => ({ searchTemplateId: at.searchTemplate, name: 'New' })],
  updateSignatureField: [
    'member',
    (at) => ({ ...draft(at), fieldId: at.documentSignatureFormFieldId, label: 'New' }),
  ],
  updateSignatureForm: ['member', (at) => ({ ...draft(at), lastViewedPageIndex: 1 })],
  updateSignatureFormTemplate: ['member', (at) => ({ templateId: at.signatureFormTemplateId, name: 'New' })],
  updateSignatureSession: ['member', (at) => ({ documentId: at.documentId, customSubject: 'New' })],
  updateTask: ['member', (at) => ({ taskId: at.taskId, name: 'New' })],
  updateViewer: ['anyone', () => ({ name: 'New' })],
  updateWebhook: ['creator', (at) => ({ webhookId: at.webhook, kinds: ['task.*'] })],
  withdrawInvitations: [
    'manages',
    (at) => ({ organizationId: at.organizationId, invitationIds: [at.invitation] }),
  ],
  withdrawProcessRuns: ['admin', (at) => ({ runIds: [at.run] })],
};

const signingFieldOf = ({ signDocument }: Tenant['bodies']): string =>
  (signDocument as { DocumentSignatureFormFieldID: string }[])[0]?.DocumentSignatureFormFieldID as string;
