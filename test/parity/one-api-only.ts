/** Mutations without a route in REST v1, and why. */
export const ONLY_GRAPHQL: Record<string, string> = {
  ...because('an invitation is answered by a person who is signed in; the contract only sends it', [
    'acceptInvitation',
    'declineInvitation',
    'resendInvitations',
    'withdrawInvitations',
  ]),
  ...because('an account is managed in a browser session, which REST v1 has none of', [
    'changePassword',
    'endSignIns',
    'eraseAccount',
    'removeSecondFactors',
    'renamePasskey',
    'renewRecoveryCodes',
    'requestEmailChange',
    'unlinkIdentities',
    'updateAccount',
  ]),
  ...because('the contract reads events, and removes nothing from them', ['redactEvents']),
  ...because('the contract has no mails and no notifications', [
    'retryMail',
    'markNotificationsRead',
    'updateNotificationPreferences',
  ]),
  ...because('the contract adds members, and neither changes nor removes them', [
    'removeMembers',
    'removeProjectGroups',
    'removeProjectInvitations',
    'removeProjectMembers',
    'updateMember',
    'updateProjectGroup',
    'updateProjectMember',
  ]),
  ...because('the contract makes organizations in batches (createOrganizations), and does not change them', [
    'updateOrganization',
  ]),
  ...because('the contract decides approvals; what asks for them is set up elsewhere', [
    'createProcesses',
    'updateProcess',
    'startProcess',
    'withdrawProcessRuns',
    'delegateApprovals',
  ]),
  ...because('the contract shares forms, and lists and fills them in; they are designed elsewhere', [
    'createFormTemplates',
    'updateFormTemplate',
    'deleteFormTemplates',
    'createFormFields',
    'updateFormFields',
    'reorderFormFields',
    'deleteFormFields',
    'unshareFormTemplates',
  ]),
  ...because('the contract lists search templates, and makes none', [
    'createSearchTemplate',
    'updateSearchTemplate',
    'deleteSearchTemplates',
  ]),
  ...because('applications are registered by people, and OAuth has its own endpoints', [
    'createClient',
    'updateClient',
    'deleteClients',
    'rotateClientSecret',
    'endAuthorizations',
    'createServiceAccount',
    'deleteServiceAccount',
    'limitAuthorization',
    'revokeAuthorization',
    'decideApplication',
    'revokeApplication',
  ]),
  ...because('the contract has no webhooks', [
    'createWebhooks',
    'updateWebhook',
    'deleteWebhooks',
    'rotateWebhookSecret',
    'testWebhook',
    'redeliverWebhookDeliveries',
    'redeliverFailedDeliveries',
  ]),
  ...because('what is done in the background is shown, and asked for again, in GraphQL', [
    'retryFormFilings',
    'retrySealing',
    'retryRenditions',
    'retryTexts',
  ]),
  ...because('an alternative to the mutation that a route uses', [
    'moveFolder',
    'applySignatureFormTemplate',
  ]),
  ...because('the contract hides people from the address book, and does not show them again', [
    'showContacts',
  ]),
  ...because('the contract follows documents alone', [
    'followFolders',
    'followProjects',
    'followTasks',
    'unfollowFolders',
    'unfollowProjects',
    'unfollowTasks',
  ]),
  ...because('the contract reads the settings of a project, and does not change them', [
    'updateProjectSettings',
  ]),
  ...because('the contract lists groups, and does not change them', [
    'addGroupMembers',
    'createGroups',
    'deleteGroups',
    'removeGroupMembers',
    'updateGroup',
  ]),
  ...because('a client of REST sends its requests one by one', ['cancelBulkOperation', 'startBulkOperation']),
  ...because('the contract has no path and no word for it', [
    ...['createRetentionPolicy', 'updateRetentionPolicy', 'lockRetentionPolicy', 'deleteRetentionPolicy'],
    ...['assignRetentionPolicy', 'unassignRetentionPolicy'],
    ...['exportOrganization', 'deleteOrganizationExport'],
    'endSubstitute',
    'setSubstitute',
    'clearRecentlyOpenedDocuments',
    'declineSignature',
    'liftLegalHold',
    'placeLegalHold',
    'purgeDocuments',
    'remindSigners',
    'renewSignatureLinks',
    'reopenTask',
    'restoreProjects',
    'restoreRevision',
    'unlinkTaskDocuments',
  ]),
};

/** Writing routes of REST v1 without a mutation, and why. */
export const ONLY_REST: Record<string, string> = {
  addPublicFormChoices: 'another path to the mutation of addFieldListItems',
  updateSingleUserPreference: 'another path to the mutation of updateUserPreference',
};

function because(reason: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
