import type { Scope } from '../../src/domain/kernel/scope.ts';

const listed = (names: Partial<Record<Scope, string>>): Record<string, Scope> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([scope, text]) =>
      text.split(/\s+/).map((name): [string, Scope] => [name, scope as Scope]),
    ),
  );

/** The one scope with which each mutation runs, if only `__typename` is selected of its payload. */
export const MUTATION_SCOPES = listed({
  write: `changePassword endSignIns eraseAccount removeSecondFactors renamePasskey renewRecoveryCodes requestEmailChange unlinkIdentities
    updateAccount acceptInvitation addGroupMembers createApiKeys createClient createClientLog createGroups createOrganizations
    createServiceAccount deleteServiceAccount decideApplication declineInvitation deleteApiKeys deleteClients deleteGroups endAuthorizations endSubstitute setSubstitute hideContacts limitAuthorization
    markNotificationsRead redactEvents removeGroupMembers retryMail revokeApplication revokeAuthorization rotateClientSecret showContacts
    exportOrganization deleteOrganizationExport
    createRetentionPolicy updateRetentionPolicy lockRetentionPolicy deleteRetentionPolicy assignRetentionPolicy unassignRetentionPolicy
    updateClient updateGroup updateNotificationPreferences updateOrganization updatePreferences updateViewer`,
  'members:write': `addProjectMembers inviteMembers removeMembers removeProjectGroups removeProjectInvitations removeProjectMembers
    resendInvitations updateMember updateProjectGroup updateProjectMember withdrawInvitations`,
  'organizations:write': `addFieldChoices createFields createProjects createSearchTemplate deleteFields deleteProjects
    deleteSearchTemplates followProjects restoreProjects unfollowProjects updateField updateProject updateProjectSettings updateSearchTemplate`,
  'documents:write': `clearRecentlyOpenedDocuments confirmUploads createComments createFolders deleteFolders followDocuments followFolders liftLegalHold
    moveDocuments moveFolder placeLegalHold purgeDocuments recycleDocuments reserveUploads restoreDocuments restoreRevision
    retryRenditions retryTexts unfollowDocuments unfollowFolders updateDocument updateFolder`,
  'tasks:write': `assignTask cancelBulkOperation completeTask createTaskComments createTasks denyTask followTasks linkTaskDocuments reopenTask startBulkOperation
    unfollowTasks unlinkTaskDocuments updateTask`,
  'forms:write': `createFormFields createFormTemplates deleteFormFields deleteFormTemplates reorderFormFields retryFormFilings shareFormTemplates
    submitForm unshareFormTemplates updateFormFields updateFormTemplate`,
  'approvals:write': `approveApprovals createProcesses declineApprovals delegateApprovals denyApprovals startProcess updateProcess withdrawProcessRuns`,
  'signatures:write': `addSignatureFields addSignatureTemplateFields applySignatureFormTemplate createSignatureFormTemplates
    declineSignature deleteSignatureFields deleteSignatureFormTemplate ensureSignatureForm ensureSignatureSession remindSigners
    renewSignatureLinks retrySealing signDocument stopSignatureSession updateSignatureField updateSignatureForm
    updateSignatureFormTemplate updateSignatureSession`,
  'webhooks:write': `createWebhooks deleteWebhooks redeliverFailedDeliveries redeliverWebhookDeliveries rotateWebhookSecret testWebhook updateWebhook`,
});

/** They take the scopes of the mutation in their input or object, and the command refuses who lacks them. */
export const BY_CONTENT = ['cancelBulkOperation', 'startBulkOperation'];

/** Of these, the one that finds its object before: that of somebody else is NOT_FOUND, with any scopes. */
export const FINDS_FIRST = 'cancelBulkOperation';

/** The scope with which objects of each Node type are read by id. Comments need two, since they may be of documents and of tasks. */
export const NODE_SCOPES: Record<string, Scope | 'any' | 'two'> = {
  ...listed({
    read: 'ApiKey Client Mail OrganizationExport SecurityEvent',
    'organizations:read': `Field FieldChoice Group Invitation Organization OrganizationMember Project ProjectInvitation ProjectMember
      RetentionAssignment RetentionPolicy SearchTemplate Tag`,
    'documents:read': 'Document Folder OpenedDocument Revision',
    'tasks:read': 'Task',
    'forms:read': 'FormField FormSubmission FormTemplate',
    'approvals:read': 'Approval Process ProcessRun ProcessStep',
    'signatures:read': `SignatureField SignatureForm SignatureFormTemplate SignatureRecipient SignatureSession
      SignatureTemplateField`,
    'events:read': 'Disposal Event Follow LogAnchor Notification Webhook WebhookAttempt WebhookDelivery',
  }),
  Comment: 'two',
  BulkOperation: 'any',
  User: 'any',
};
